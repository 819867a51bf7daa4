package render

import "testing"

// Lines as kernels printed them. The tables come from the print formats of these events.
func TestFlagsAsTheKernelPrintedThem(t *testing.T) {
	for _, c := range []struct {
		name string
		v    uint64
		want string
	}{
		{"kmalloc, 6.1", 0xcc0 | 0x100, "GFP_KERNEL|__GFP_ZERO"},
		{"mm_page_alloc, 6.1", 0x400cc0 | 0x100, "GFP_KERNEL_ACCOUNT|__GFP_ZERO"},
		{"kmalloc, 6.1", 0xc40 | 0x100, "GFP_NOFS|__GFP_ZERO"},
	} {
		if got := string(Flags(nil, nil, c.v, "|", gfpNames)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if got := string(GFPFlags(nil, nil, c.v)); got != c.want {
			t.Errorf("%s: GFPFlags gives %s, want %s", c.name, got, c.want)
		}
	}
}

func TestFlags(t *testing.T) {
	table := Table{{3, "AB"}, {1, "A"}, {2, "B"}, {0, "ZERO"}, {8, "D"}}
	for _, c := range []struct {
		v         uint64
		sep, want string
	}{
		{0, "|", ""},
		{1, "|", "A"},
		{3, "|", "AB"},
		{8, "|", "ZERO|D"}, // a row of value 0 prints if bits are left: ftrace.md 3.5
		{9, ", ", "A, ZERO, D"},
		{0x11, "|", "A|ZERO|0x10"},
		{0x1 | 1<<63, "", "AZERO0x8000000000000000"},
	} {
		if got := string(Flags(nil, nil, c.v, c.sep, table)); got != c.want {
			t.Errorf("%#x: got %q, want %q", c.v, got, c.want)
		}
	}
	if got := string(Flags(nil, nil, 0x10, "|", nil)); got != "0x10" {
		t.Errorf("empty table: got %q", got)
	}
}

func TestSymbolic(t *testing.T) {
	table := Table{{1, "one"}, {^uint64(0), "minus one"}, {1, "again"}, {7, ""}}
	for _, c := range []struct {
		v    uint64
		want string
	}{
		{1, "one"},
		{^uint64(0), "minus one"},
		{2, "0x2"},
		{0, "0x0"},
		{7, "0x7"}, // an empty name counts as not printed
		{^uint64(1), "0xfffffffffffffffe"},
	} {
		if got := string(Symbolic(nil, nil, c.v, table)); got != c.want {
			t.Errorf("%#x: got %q, want %q", c.v, got, c.want)
		}
	}
}
