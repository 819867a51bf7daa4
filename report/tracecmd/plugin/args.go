package plugin

import (
	"strings"

	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/render"
)

// funcArgs prints the arguments of a function as trace-cmd 3.4 does. If the recording has the
// kernel's type information, arguments have names and types, otherwise they are printed as words.
// (The kernel's own text differs only in names of enumerators: kernel/trace/trace_output.c,
// print_function_args.)
type funcArgs struct {
	at, word int
	big      bool
	types    func() *btf.Types
	kernel   bool              // print names of enumerators, as the kernel does
	params   map[string]params // cache, by function
}

// params holds the parameters of a function. known is false if the type information lacks the
// function.
type params struct {
	list  []btf.Param
	known bool
	enums []map[int64]string // by parameter; nil if names are not shown
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
		if len(data) == 0 { // the kernel records only arguments in registers
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

// putParam appends one argument and returns the remaining words. A structure by value takes several
// words. If too few words remain, it returns nil. For a variable list the kernel shows the first
// word, and trace-cmd shows `=`.
func (a *funcArgs) putParam(dst, data []byte, p *btf.Param) (out, rest []byte) {
	if p.Name != "" {
		dst = append(append(dst, p.Name...), '=')
	}
	v := word(data[:a.word], a.big)
	data = data[a.word:]
	if p.Kind == btf.Int && p.Size > 0 && p.Size < a.word {
		v &= 1<<(8*p.Size) - 1 // the other bits of the register are undefined
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

// signed returns a word of the recorded machine as a signed number.
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
