package replay

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// names caches the texts of functions. Several goroutines can share them: see share.
type names struct {
	entries []atomic.Pointer[nameText]
	symbols []*uftrace.Symbol
	shown   func(*uftrace.Symbol) string
	libname bool
	comment bool // lines of ends have the name in a comment
	style   values.Style
	paint   func(string) string
	sorted  [][]namedSymbol // symbols by module, for --libname
	flats   [][]byte        // by Symbol.Index: the text before the time in lines of --flat
	raw     []byte          // buffer for the text of an address without a symbol
}

type nameText struct {
	name, call []byte
	lines      [forms][]byte // the line after the indentation, by form; nil for a long name
}

// longName is the maximum length of a name with cached lines.
const longName = 1 << 10

func newNames(rec *uftrace.Recording, opts *Options) names {
	symbols := rec.Symbols()
	return names{
		entries: make([]atomic.Pointer[nameText], len(symbols)), symbols: symbols,
		shown: opts.Text.Name, libname: opts.Text.LibName, comment: !opts.Text.NoComment, style: opts.Style,
		paint: opts.Text.Paint,
	}
}

// share returns the same names for another goroutine.
func (n *names) share() names {
	if n.libname && n.sorted == nil {
		n.sortModules()
	}
	other := *n
	other.raw = nil
	return other
}

// text returns the texts of a symbol.
func (n *names) text(s *uftrace.Symbol) *nameText {
	if uint(s.Index) >= uint(len(n.entries)) {
		return n.make(s)
	}
	t := n.entries[s.Index].Load()
	if t == nil {
		t = n.make(s) // perhaps another goroutine makes the same
		n.entries[s.Index].Store(t)
	}
	return t
}

// plain returns the name of an open call, always without the library.
func (n *names) plain(f *callstack.Frame) []byte {
	if f.Sym == nil {
		return n.address(f.Addr, "")
	}
	return []byte(n.of(f.Sym))
}

// of returns the name of a function in the requested form.
func (n *names) of(s *uftrace.Symbol) string {
	name := ""
	if n.shown != nil {
		name = n.shown(s)
	} else {
		name = s.Shown()
	}
	return cmp.Or(name, s.Name)
}

func (n *names) make(s *uftrace.Symbol) *nameText {
	t, name := &nameText{}, n.of(s)
	if n.libname && s.Type == 'P' {
		if lib := n.owner(s); lib != "" {
			name += "@" + lib
		}
	}
	closed := n.closed(name)
	if n.paint != nil {
		name = n.paint(name)
	}
	t.name = append(make([]byte, 0, len(name)+2), name...)
	t.call = t.name
	if !closed {
		t.call = append(t.name, "()"...)
	}
	if len(name) > longName {
		return t
	}
	call, comment := string(t.call), ""
	if n.comment {
		comment = " /* " + name + " */"
	}
	t.lines = [forms][]byte{begins: roomy(call + " {\n"), ends: roomy("}" + comment + "\n"), whole: roomy(call + ";\n")}
	return t
}

// roomy returns a text with the capacity for line.Copy.
func roomy(text string) []byte { return append(make([]byte, 0, max(line.Short, len(text))), text...) }

// closed reports whether a name is printed without parentheses (uftrace.md 2.2).
func (n *names) closed(name string) bool {
	if !strings.HasSuffix(name, ")") {
		return false
	}
	return n.style == values.V013 || !strings.HasSuffix(name, "operator()")
}

// owner returns the module of the function that a slot of the linkage table leads to. It is the
// first module with a function of that printed name. For C++ it may be another function with the
// same name. uftrace uses a binary search in the sorted names of each module. If the search meets a
// slot among equal names, uftrace continues with the next module.
func (n *names) owner(s *uftrace.Symbol) string {
	if n.sorted == nil {
		n.sortModules()
	}
	name := n.of(s)
	for _, m := range n.sorted {
		lo, hi := 0, len(m)
		for lo < hi {
			mid := (lo + hi) / 2
			switch c := strings.Compare(name, m[mid].name); {
			case c < 0:
				hi = mid
			case c > 0:
				lo = mid + 1
			case m[mid].sym.Type == 'P':
				lo = hi
			default:
				return m[mid].sym.Module.Name
			}
		}
	}
	return ""
}

// namedSymbol is a symbol and its printed name.
type namedSymbol struct {
	name string
	sym  *uftrace.Symbol
}

// sortModules sorts the symbols of each module by name. Symbols with the same name remain in the
// order of addresses.
func (n *names) sortModules() {
	n.sorted = [][]namedSymbol{}
	var last *uftrace.Module
	for _, s := range n.symbols {
		if s.Module == nil {
			continue
		}
		if s.Module != last {
			last = s.Module
			n.sorted = append(n.sorted, nil)
		}
		m := &n.sorted[len(n.sorted)-1]
		*m = append(*m, namedSymbol{n.of(s), s})
	}
	for _, m := range n.sorted {
		slices.SortStableFunc(m, func(a, b namedSymbol) int { return strings.Compare(a.name, b.name) })
	}
}

// name returns the name of a function.
func (n *names) name(e *uftrace.Entry) []byte {
	if e.Sym == nil {
		return n.address(e.Addr, "")
	}
	return n.text(e.Sym).name
}

// call returns the name before a call's arguments. It includes the parentheses if there are no
// arguments.
func (n *names) call(e *uftrace.Entry, payload bool) []byte {
	if e.Sym == nil {
		if payload {
			return n.address(e.Addr, "")
		}
		return n.address(e.Addr, "()")
	}
	t := n.text(e.Sym)
	if payload {
		return t.name
	}
	return t.call
}

// flat returns the text of a function in lines of --flat. Names that are shared must not use it.
func (n *names) flat(e *uftrace.Entry) []byte {
	if e.Sym == nil {
		n.raw = append(appendAddress(append(n.raw[:0], flatBefore...), e.Addr), flatAfter...)
		return n.raw
	}
	if i := uint(e.Sym.Index); i < uint(len(n.flats)) && n.flats[i] != nil {
		return n.flats[i]
	}
	return n.makeFlat(e.Sym)
}

// makeFlat makes and caches the text for flat. The text does not contain the library.
func (n *names) makeFlat(s *uftrace.Symbol) []byte {
	name := n.of(s)
	if n.paint != nil {
		name = n.paint(name)
	}
	text := roomy(flatBefore + name + flatAfter)
	if n.flats == nil {
		n.flats = make([][]byte, len(n.entries))
	}
	if uint(s.Index) < uint(len(n.flats)) {
		n.flats[s.Index] = text
	}
	return text
}

// The text around the name in lines of --flat.
const (
	flatBefore = ": ip ("
	flatAfter  = "), time ("
)

func (n *names) address(addr uint64, end string) []byte {
	n.raw = append(appendAddress(n.raw[:0], addr), end...)
	return n.raw
}

func appendAddress(dst []byte, addr uint64) []byte {
	return append(appendHex(append(dst, '<'), addr, 0), '>')
}
