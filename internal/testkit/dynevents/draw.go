package dynevents

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// function is a function of the kernel that makes records.
type function struct {
	addr uint64
	name string
}

// functions returns functions of the kernel. Each has 4096 bytes, except the last, which marks the
// end.
func (s *Source) functions() []function {
	base := uint64(0xffffffff81000000)
	if s.Word == 4 {
		base = 0xc1000000
	}
	return []function{{base, "_stext"}, {base + 0x1000, "vfs_read"}, {base + 0x2000, "ksys_read"},
		{base + 0x3000, "_end"}}
}

func (s *Source) kallsyms() string {
	var b strings.Builder
	for _, f := range s.functions() {
		fmt.Fprintf(&b, "%0*x T %s\n", 2*s.Word, f.addr, f.name)
	}
	return b.String()
}

// place returns an address, and the kernel's text for it with the offset in its function. The size
// of the function is not in the text here.
func (s *Source) place() (addr uint64, text string) {
	if s.IntN(4) == 0 { // an address in a program
		addr = uint64(0x400000 + s.IntN(1<<20))
		return addr, "0x" + strconv.FormatUint(addr, 16)
	}
	f := s.functions()[s.IntN(3)]
	off := uint64(s.IntN(0x1000))
	return f.addr + off, fmt.Sprintf("%s+0x%x", f.name, off)
}

// record is the state of drawing a record.
type record struct {
	*Source
	data    []byte
	dynamic []byte // data after the fixed part
	fixed   int
	text    strings.Builder
	values  []Value
}

// Record draws a record of an event.
func (s *Source) Record(e *Event) *Record {
	r := &record{Source: s}
	last := e.args[len(e.args)-1]
	r.fixed = last.offset + last.slot(s)
	r.data = make([]byte, r.fixed)
	copy(r.data, s.Payload(uint16(e.ID), 42))
	r.addresses(e.kind)
	for i, a := range e.args {
		if i > 0 || e.kind <= eprobe {
			r.text.WriteByte(' ')
		}
		r.text.WriteString(a.name + "=")
		r.argument(&a, e.kind)
	}
	data := append(r.data, r.dynamic...)
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	return &Record{Event: e, Data: data, Text: r.text.String(), Values: r.values}
}

// addresses draws the address of a probe: print_kprobe_event, print_uprobe_event.
func (r *record) addresses(k kind) {
	here, text := r.place()
	f := r.functions()[1+r.IntN(2)]
	if k == uprobe || k == uretprobe {
		here = uint64(0x400000 + r.IntN(1<<20))
		f.addr = uint64(0x500000 + r.IntN(1<<20))
		text, f.name = fmt.Sprintf("0x%x", here), fmt.Sprintf("0x%x", f.addr)
	}
	switch k.addresses() {
	case 1:
		r.put(8, r.Word, here)
		fmt.Fprintf(&r.text, "(%s)", text)
		r.number("__probe_ip", here)
	case 2:
		r.put(8, r.Word, f.addr)
		r.put(8+r.Word, r.Word, here)
		fmt.Fprintf(&r.text, "(%s <- %s)", text, f.name)
		r.number("__probe_func", f.addr)
		r.number("__probe_ret_ip", here)
	}
}

func (r *record) number(name string, v uint64) {
	r.values = append(r.values, Value{Name: name, Numbers: []string{strconv.FormatUint(v, 10)}})
}

// put writes an integer of size bytes.
func (r *record) put(at, size int, v uint64) {
	var b [8]byte
	if r.Big {
		binary.BigEndian.PutUint64(b[:], v)
		copy(r.data[at:at+size], b[8-size:])
		return
	}
	binary.LittleEndian.PutUint64(b[:], v)
	copy(r.data[at:at+size], b[:])
}

// argument draws a value, or each element of an array.
func (r *record) argument(a *arg, k kind) {
	if a.count == 0 {
		r.values = append(r.values, r.value(a, a.offset, k))
		return
	}
	whole := Value{Name: a.name, IsArray: true}
	r.text.WriteByte('{')
	for i := range a.count {
		if i > 0 {
			r.text.WriteByte(',')
		}
		v := r.value(a, a.offset+i*a.t.bytes(r.Word), k)
		if a.t.kind == dynamicText {
			v.Name = fmt.Sprintf("%s[%d]", a.name, i)
			r.values = append(r.values, v)
		}
		whole.Numbers = append(whole.Numbers, v.Numbers...)
	}
	r.text.WriteByte('}')
	if a.t.kind != dynamicText {
		r.values = append(r.values, whole)
	}
}

func (r *record) value(a *arg, at int, k kind) Value {
	v := Value{Name: a.name}
	switch a.t.kind {
	case fixedText, dynamicText:
		v.IsText = true
		r.string(&v, a, at, k)
	case stack:
		v.IsArray = true
		r.stack(&v, at)
	case symbol:
		addr, text := r.place()
		r.put(at, r.Word, addr)
		r.text.WriteString(text)
		v.Numbers = []string{strconv.FormatUint(addr, 10)}
	default:
		r.integer(&v, a, at)
	}
	return v
}

// integer draws a number and formats it as the print fmt does.
func (r *record) integer(v *Value, a *arg, at int) {
	size := a.t.bytes(r.Word)
	n := r.Uint64() >> r.IntN(64)
	if a.t.kind == character {
		n = 'a' + n%26
	} else if a.t.decl == "bool %s" {
		n %= 2
	}
	n &= 1<<(8*size-1)<<1 - 1
	r.put(at, size, n)
	signed := int64(n<<(64-8*size)) >> (64 - 8*size)
	v.Numbers = []string{strconv.FormatUint(n, 10)}
	if a.t.signed == 1 {
		v.Numbers = []string{strconv.FormatInt(signed, 10)}
	}
	switch f := a.t.format; f[len(f)-1] {
	case '\'':
		fmt.Fprintf(&r.text, "'%c'", rune(n))
	case 'x':
		if f[0] == '0' {
			r.text.WriteString("0x")
		}
		r.text.WriteString(strconv.FormatUint(n, 16))
	default:
		r.text.WriteString(v.Numbers[0])
	}
}

// words are texts that are easily mistaken for something else.
var words = []string{"", "x", "/tmp/a b", `say "no"`, "(fault)", "50%", "Grüße", "{1,2}", "name=1"}

// string draws a text. For probes it may be a text that could not be read.
func (r *record) string(v *Value, a *arg, at int, k kind) {
	v.Text = words[r.IntN(len(words))]
	length := len(v.Text) + 1
	if a.t.kind == fixedText {
		copy(r.data[at:at+a.t.size], v.Text)
		r.text.WriteString(v.Text)
		return
	}
	if k <= eprobe && r.IntN(4) == 0 {
		length, v.Text, v.Missing = 0, "", true
	}
	place := r.fixed + len(r.dynamic)
	if a.t.rel {
		place -= at + 4
	}
	r.put(at, 4, uint64(length)<<16|uint64(place))
	if length > 0 {
		r.dynamic = append(append(r.dynamic, v.Text...), 0)
	}
	switch {
	case v.Missing:
		r.text.WriteString("(fault)")
	case k <= eprobe:
		r.text.WriteString(`"` + v.Text + `"`)
	default:
		r.text.WriteString(v.Text)
	}
}

// stack draws the callers of a synthetic event: print_synth_event.
func (r *record) stack(v *Value, at int) {
	n := r.IntN(4)
	r.put(at, 4, uint64(n*r.Word)<<16|uint64(r.fixed+len(r.dynamic)))
	r.text.WriteString("STACK:\n")
	for range n {
		addr, text := r.place()
		v.Numbers = append(v.Numbers, strconv.FormatUint(addr, 10))
		if r.Word == 4 {
			r.dynamic = r.Order().AppendUint32(r.dynamic, uint32(addr))
		} else {
			r.dynamic = r.Order().AppendUint64(r.dynamic, addr)
		}
		r.text.WriteString("=> " + text + "\n")
	}
}
