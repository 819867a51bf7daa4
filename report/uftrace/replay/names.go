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

// names are the texts of functions, made on first use. They can be shared: see share.
type names struct {
	entries []atomic.Pointer[nameText]
	symbols []*uftrace.Symbol
	shown   func(*uftrace.Symbol) string
	libname bool
	comment bool // the end of a call says of which
	style   values.Style
	paint   func(string) string
	sorted  [][]namedSymbol // by module, for --libname
	flats   [][]byte        // what is before the times in lines of --flat, of the functions so far
	raw     []byte          // the text of an address without a symbol
}

type nameText struct {
	name, call []byte
	lines      [forms][]byte // what is after the indentation; nil with a long name
}

// longName is how long a name can be to be kept in lines, too.
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

// text is the entry of a symbol.
func (n *names) text(s *uftrace.Symbol) *nameText {
	if uint(s.Index) >= uint(len(n.entries)) {
		return n.make(s)
	}
	t := n.entries[s.Index].Load()
	if t == nil {
		t = n.make(s) // and another goroutine perhaps the same
		n.entries[s.Index].Store(t)
	}
	return t
}

// plain is the name of an open call, which never has the library.
func (n *names) plain(f *callstack.Frame) []byte {
	if f.Sym == nil {
		return n.address(f.Addr, "")
	}
	return []byte(n.of(f.Sym))
}

// of is the name of a function in the form that is asked for.
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

// roomy returns a text with the room that line.Copy needs.
func roomy(text string) []byte { return append(make([]byte, 0, max(line.Short, len(text))), text...) }

// closed reports whether a name gets no parentheses (uftrace.md 2.2).
func (n *names) closed(name string) bool {
	if !strings.HasSuffix(name, ")") {
		return false
	}
	return n.style == values.V013 || !strings.HasSuffix(name, "operator()")
}

// owner is the module that has the function which a slot of the linkage table leads to: the first
// that knows the name in the form that is shown, so that of C++ functions it may be another one of
// the name. uftrace searches each module's sorted names by halves; where it meets a slot among
// equal names, it goes on to the next module.
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

// namedSymbol is a symbol with the name that is shown.
type namedSymbol struct {
	name string
	sym  *uftrace.Symbol
}

// sortModules sorts the symbols of each module by name; those of one name stay in the order of
// addresses.
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

// name is the name of a function.
func (n *names) name(e *uftrace.Entry) []byte {
	if e.Sym == nil {
		return n.address(e.Addr, "")
	}
	return n.text(e.Sym).name
}

// call is the name in front of a call's arguments: with the parentheses, when there is nothing
// between them.
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

// flat is what lines of --flat have of a function. It is not for names that are shared.
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

// makeFlat makes the text of flat when a function comes for the first time. The text does not name
// the library.
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

// What is around the name in lines of --flat.
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
