package line

import (
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/uftrace"
)

// nameBytes is the approximate size of a name without its bytes.
const nameBytes = 100

// Names holds the names of symbols for sums by name. Unlike Texts it keeps all of them, as strings.
type Names struct {
	name  func(*uftrace.Symbol) string
	known []string // by Symbol.Index; empty if not known yet
	quota *quota.Quota
}

// NewNames returns Names with the function name for symbols of a recording. It takes memory from q.
// If name is nil, it is Symbol.Shown.
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
