package line

import (
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/uftrace"
)

// nameBytes is about what a name takes up besides its bytes.
const nameBytes = 100

// Names has the names of symbols. Unlike Texts it keeps all of them, as strings, for sums by name.
type Names struct {
	name  func(*uftrace.Symbol) string
	known []string // by Symbol.Index; empty: not known yet
	quota *quota.Quota
}

// NewNames returns the names that name gives to the symbols of a recording, in memory taken from q.
// A nil name is Symbol.Shown.
func NewNames(rec *uftrace.Recording, name func(*uftrace.Symbol) string, q *quota.Quota) *Names {
	s := &Names{name: name, quota: q}
	if name == nil && rec.Demangle() != demangle.FormSimple {
		s.name = (*uftrace.Symbol).Shown
	}
	if s.name != nil {
		s.known = make([]string, len(rec.Symbols()))
	}
	return s
}

// Name returns the name of a symbol.
func (s *Names) Name(sym *uftrace.Symbol) string {
	switch {
	case s.name == nil:
		return sym.Simple
	case uint(sym.Index) >= uint(len(s.known)):
		return s.name(sym)
	}
	known := &s.known[sym.Index]
	if *known == "" {
		*known = s.name(sym)
		s.quota.Take(int64(len(*known)) + nameBytes)
	}
	return *known
}
