package symbols

import (
	"strings"
	"testing"
)

// kallsyms has lines with special cases: several names for one address, mapping symbols, absolute
// symbols, modules, addresses out of order, and lines that are not symbols.
const kallsyms = `0000000000000000 A fixed_percpu_data
0000000000001000 a cpu_debug_store
ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81000040 t helper
ffffffff81000060 t $x
ffffffff81000080 D table
ffffffffc0000100 t ext4_read	[ext4]
ffffffffc0000000 t ext4_write	[ext4]
ffffffffc0000200 t bpf_prog_1	[bpf]

no symbol
fffffffff T
`

func TestKallsyms(t *testing.T) {
	for _, x := range []struct {
		addr        uint64
		first, last string
		offset      uint64
		module      string
	}{
		{addr: 0xffffffff81000000, first: "_stext", last: "_text"},
		{addr: 0xffffffff8100003f, first: "_stext", last: "_text", offset: 0x3f},
		{addr: 0xffffffff81000060, first: "helper", last: "helper", offset: 0x20},
		{addr: 0xffffffff81000080, first: "table", last: "table"},
		{addr: 0xffffffffc00000ff, first: "ext4_write", last: "ext4_write", offset: 0xff, module: "ext4"},
		{addr: 0xffffffffc0000100, first: "ext4_read", last: "ext4_read", module: "ext4"},
		{addr: 0xffffffffc0000200, first: "bpf_prog_1", last: "bpf_prog_1", module: "bpf"},
	} {
		for alias, want := range map[Alias]string{FirstAlias: x.first, LastAlias: x.last} {
			s, ok := ParseKallsyms(kallsyms, alias).Find(x.addr)
			if !ok || s.Name != want || x.addr-s.Addr != x.offset || s.Module != x.module {
				t.Errorf("%#x, alias %d: %+v %v, want %s+%#x [%s]", x.addr, alias, s, ok, want, x.offset, x.module)
			}
		}
	}
}

// TestKallsymsOutside: an address before the first symbol has no symbol. Neither has an address
// after the last symbol, whose end is unknown.
func TestKallsymsOutside(t *testing.T) {
	table := ParseKallsyms(kallsyms, LastAlias)
	for _, addr := range []uint64{0, 0x1000, 0xffffffff80ffffff, 0xffffffffc0000201, 1<<64 - 1} {
		if s, ok := table.Find(addr); ok {
			t.Errorf("%#x is in %+v", addr, s)
		}
	}
	if table.Len() != 6 {
		t.Errorf("%d addresses have a symbol, want 6", table.Len())
	}
}

func TestAllKallsyms(t *testing.T) {
	var names []string
	AllKallsyms(kallsyms, func(s Symbol) { names = append(names, s.Name) })
	if got, want := strings.Join(names, " "), "_stext _text helper table ext4_write ext4_read bpf_prog_1"; got != want {
		t.Errorf("the symbols are %s, want %s", got, want)
	}
}

// TestAddress: only a whole name matches, with one of the requested types.
func TestAddress(t *testing.T) {
	table := ParseKallsyms(kallsyms, FirstAlias)
	if addr, ok := table.Address("_text", Code); !ok || addr != 0xffffffff81000000 {
		t.Errorf("_text is at %#x, %v", addr, ok)
	}
	if addr, ok := table.Address("ext4_write", Code); !ok || addr != 0xffffffffc0000000 {
		t.Errorf("ext4_write is at %#x, %v", addr, ok)
	}
	for _, name := range []string{"text", "ext4", "table", "absent"} {
		if addr, ok := table.Address(name, Code); ok {
			t.Errorf("%s is code at %#x", name, addr)
		}
	}
}

// TestEnclosing: labels within a function do not hide its end.
func TestEnclosing(t *testing.T) {
	const text = "outer label"
	table := NewTable(text, []Entry{
		{Addr: 0x100, Size: 0x100, Name: 0, End: 5}, {Addr: 0x110, Size: 0x10, Name: 6, End: 11},
	})
	for addr, want := range map[uint64]string{
		0x10f: "outer", 0x110: "label", 0x11f: "label", 0x120: "outer", 0x1ff: "outer", 0x200: "",
	} {
		if s, _ := table.Find(addr); s.Name != want {
			t.Errorf("%#x is in %q, want %q", addr, s.Name, want)
		}
	}
}
