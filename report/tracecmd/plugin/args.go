package plugin

import (
	"strings"

	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/render"
)

// funcArgs prints the arguments of a function as trace-cmd 3.4 does: with names and by type where
// the recording has the kernel's type information, else the words as they are. (The kernel's own
// text is the same but for the names of enumerators: kernel/trace/trace_output.c,
// print_function_args.)
type funcArgs struct {
	at, word int
	big      bool
	types    func() *btf.Types
	kernel   bool              // name enumerators, as the kernel does
	params   map[string]params // of functions met
}

// params are the parameters of a function; known is false for one that the type information does
// not have.
type params struct {
	list  []btf.Param
	known bool
	enums []map[int64]string // of the parameters; nil where names are not shown
}

// newFuncArgs returns nil if the style or the event has no arguments.
func newFuncArgs(c *Context, l *layout) *funcArgs {
	if c.Style < V34 && !c.Kernel || l.find("args") == nil {
		return nil
	}
	return &funcArgs{
		at: l.start("args"), word: c.wordSize(), big: c.Target.BigEndian, types: c.Types, kernel: c.Kernel,
		params: map[string]params{},
	}
}

// maxKnownParams bounds the functions with cached parameters.
const maxKnownParams = 1 << 16

func (a *funcArgs) of(name string) params {
	p, seen := a.params[name]
	if seen || a.types == nil {
		return p
	}
	if t := a.types(); t != nil {
		p.list, p.known = t.Func(name)
		if a.kernel {
			p.enums = make([]map[int64]string, len(p.list))
			for i := range p.list {
				p.enums[i] = t.Enumerators(name, i)
			}
		}
	}
	if len(a.params) < maxKnownParams {
		a.params[name] = p
	}
	return p
}

// has reports whether the record holds arguments.
func (a *funcArgs) has(data []byte) bool { return a != nil && a.at+a.word <= len(data) }

// put appends the text between the parentheses.
func (a *funcArgs) put(dst, data []byte, name string) []byte {
	data = data[a.at:]
	data = data[:len(data)/a.word*a.word]
	p := a.of(name)
	switch {
	case !p.known && a.kernel && strings.Contains(name, ".") && a.types != nil && a.types() != nil:
		// The kernel does not describe f.isra.0, since its parameters differ from f's, and
		// prints no arguments.
		return dst
	case !p.known:
		return a.putWords(dst, data)
	}
	for i := range p.list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if len(data) == 0 { // the kernel records as many as registers hold
			return append(dst, "..."...)
		}
		v := word(data[:a.word], a.big)
		dst, data = a.putParam(dst, data, &p.list[i])
		if i < len(p.enums) && p.enums[i] != nil {
			if name, ok := p.enums[i][a.signed(v)]; ok {
				dst = append(append(append(dst, " ["...), name...), ']')
			}
		}
		if data == nil {
			break
		}
	}
	return dst
}

func (a *funcArgs) putWords(dst, data []byte) []byte {
	for i := 0; i < len(data); i += a.word {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = render.HexLower(dst, word(data[i:i+a.word], a.big))
	}
	return dst
}

// putParam appends one argument and returns the words after it: a structure by value takes several,
// and nil are left when it takes more than there are. Of a variable list the kernel shows the first
// word; trace-cmd shows `=`.
func (a *funcArgs) putParam(dst, data []byte, p *btf.Param) (out, rest []byte) {
	if p.Name != "" {
		dst = append(append(dst, p.Name...), '=')
	}
	v := word(data[:a.word], a.big)
	data = data[a.word:]
	if p.Kind == btf.Int && p.Size > 0 && p.Size < a.word {
		v &= 1<<(8*p.Size) - 1 // the register's other bits mean nothing
	}
	switch p.Kind {
	case btf.Unknown:
		dst = putHex(dst, "?0x", v)
	case btf.Pointer:
		dst = putHex(dst, "0x", v)
	case btf.Int:
		if !p.Signed {
			return putHex(dst, "0x", v), data
		}
		dst = a.putSigned(dst, v)
	case btf.Enum, btf.Enum64:
		dst = a.putSigned(dst, v)
	default:
		dst = putHex(append(dst, kindName(p.Kind)...), "[0x", v)
		for n := a.word; n < p.Size; n += a.word {
			dst = append(dst, ':')
			if len(data) == 0 {
				return append(dst, "...]"...), nil
			}
			dst = putHex(dst, "0x", word(data[:a.word], a.big))
			data = data[a.word:]
		}
		dst = append(dst, ']')
	}
	return dst, data
}

func (a *funcArgs) putSigned(dst []byte, v uint64) []byte { return render.Dec(dst, a.signed(v)) }

// signed returns a word of the recorded machine as a number with a sign.
func (a *funcArgs) signed(v uint64) int64 {
	if a.word == 4 {
		return int64(int32(v))
	}
	return int64(v)
}

func kindName(k btf.Kind) string {
	switch k {
	case btf.Struct:
		return "(STRUCT)"
	case btf.Union:
		return "(UNION)"
	case btf.Float:
		return "(FLOAT)"
	}
	return "(?)"
}
