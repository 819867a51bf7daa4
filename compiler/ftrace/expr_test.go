package ftrace_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/runtime/render"
)

var (
	le64 = ir.Target{WordSize: 8}
	le32 = ir.Target{WordSize: 4}
	be64 = ir.Target{WordSize: 8, BigEndian: true}
)

// sample is a record with one field of every shape; see sampleFields.
const sampleFields = `	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:s8 b;	offset:8;	size:1;	signed:1;
	field:u8 ub;	offset:9;	size:1;	signed:0;
	field:s16 h;	offset:10;	size:2;	signed:1;
	field:int i;	offset:12;	size:4;	signed:1;
	field:unsigned int u;	offset:16;	size:4;	signed:0;
	field:bool flag;	offset:20;	size:1;	signed:0;
	field:s64 q;	offset:24;	size:8;	signed:1;
	field:u64 uq;	offset:32;	size:8;	signed:0;
	field:char comm[8];	offset:40;	size:8;	signed:0;
	field:u16 arr[4];	offset:48;	size:8;	signed:0;
	field:u8 mac[6];	offset:56;	size:6;	signed:0;
	field:__data_loc char[] name;	offset:64;	size:4;	signed:0;
	field:__data_loc u32[] list;	offset:68;	size:4;	signed:0;
	field:struct drm_rect rect;	offset:72;	size:16;	signed:0;
	field:void * ptr;	offset:88;	size:8;	signed:0;
	field:int five;	offset:96;	size:4;	signed:1;
	field:__be32 addr;	offset:100;	size:4;	signed:0;
`

func sampleRecord(o binary.ByteOrder) []byte {
	d := make([]byte, 128)
	minus := func(v int64) uint64 { return uint64(v) }
	o.PutUint16(d, 7)
	o.PutUint32(d[4:], 42)
	d[8], d[9] = 0xff, 200
	o.PutUint16(d[10:], uint16(minus(-2)))
	o.PutUint32(d[12:], uint32(minus(-4)))
	o.PutUint32(d[16:], 4_000_000_000)
	d[20] = 1
	o.PutUint64(d[24:], minus(-5))
	o.PutUint64(d[32:], 0xfedcba9876543210)
	copy(d[40:], "bash\x00xyz")
	for n := range 4 {
		o.PutUint16(d[48+2*n:], uint16(100+n))
	}
	copy(d[56:], []byte{1, 2, 3, 0xaa, 0xbb, 0xcc})
	o.PutUint32(d[64:], 6<<16|104)
	o.PutUint32(d[68:], 12<<16|112)
	for n, v := range []int64{10, 20, 110, 50} {
		o.PutUint32(d[72+4*n:], uint32(v))
	}
	o.PutUint64(d[88:], 0xffff888000001000)
	o.PutUint32(d[96:], 5)
	copy(d[100:], []byte{10, 0, 0, 1})
	copy(d[104:], "eth0\x00\x00")
	for n := range 3 {
		o.PutUint32(d[112+4*n:], uint32(1000*(n+1)))
	}
	return d
}

func compileSample(t *testing.T, target ir.Target, print string) (*ir.Event, diag.List) {
	t.Helper()
	text := "name: sample\nID: 7\nformat:\n" + sampleFields + "\nprint fmt: " + print + "\n"
	ev, list := ftrace.CompileEvent("test", "test/sample/format", []byte(text), target)
	if ev == nil {
		t.Fatalf("no event: %v", list)
	}
	if err := ir.CheckEvent(ev); err != nil {
		t.Fatalf("%s: %v", print, err)
	}
	return ev, list
}

func show(t *testing.T, target ir.Target, print string) string {
	t.Helper()
	ev, list := compileSample(t, target, print)
	if !ev.HasText {
		t.Fatalf("%s: no text: %s %v", print, ev.Why, list)
	}
	p, err := interp.Compile(ev, target)
	if err != nil {
		t.Fatal(err)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if target.BigEndian {
		order = binary.BigEndian
	}
	env := &render.Env{BigEndian: target.BigEndian, WordSize: target.WordSize}
	return string(interp.NewMachine(env).AppendText(nil, p, sampleRecord(order)))
}

type printCase struct{ print, want string }

func runCases(t *testing.T, target ir.Target, cases []printCase) {
	t.Helper()
	for _, c := range cases {
		if got := show(t, target, c.print); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.print, got, c.want)
		}
	}
}

// The rows of ftrace.md 3.6 that libtraceevent handles wrongly, and C's rules around them.
func TestArithmetic(t *testing.T) {
	cases := []printCase{
		{`"%s", REC->i < 0 ? "neg" : "pos"`, "neg"},
		{`"%ld", (long)REC->i`, "-4"},
		{`"%d %d", REC->b, REC->h`, "-1 -2"},
		{`"%d", REC->i / 2`, "-2"},
		{`"%d", REC->five - 3 - 1`, "1"},
		{`"%d", REC->five / 2 * 5`, "10"},
		{`"%d", (u8)REC->ub + 100`, "300"},
		{`"%d", (u8)(REC->ub + 100)`, "44"},
		{`"%s", __print_symbolic(REC->i, {-4, "x"})`, "x"},
		{`"%d", ((u16 *)REC->arr)[1]`, "101"},
		{`"%d", REC->arr[1+1]`, "102"},
		{`"%zu", sizeof(REC->arr)`, "8"},
		{`"%zu %zu %zu", sizeof(int), sizeof(long), sizeof(struct page *)`, "4 8 8"},
		{`"%u", ((u32 *)__get_dynamic_array(list))[1]`, "2000"},
		{`"%u", *(u32 *)__get_dynamic_array(list)`, "1000"},
		{`"%u", *((u32 *)__get_dynamic_array(list) + 2)`, "3000"},
		{`"%d", __get_dynamic_array_len(list) / sizeof(u32)`, "3"},
		{`"%s", REC->u > REC->i ? "yes" : "no"`, "no"},   // -4 converts to unsigned
		{`"%s", REC->u > REC->q ? "yes" : "no"`, "yes"},  // both fit a long
		{`"%s", REC->ub > REC->b ? "yes" : "no"`, "yes"}, // both promote to int
		{`"%d", REC->flag ? REC->five : -1`, "5"},
		{`"%d", (0 ? 1ULL : REC->i) > 0`, "1"}, // a constant condition selects the value; both arms decide the type
		{`"%d", (0ULL ?: REC->i) > 0`, "1"},
		{`"%d", (-1 ?: REC->u) > 0`, "1"},
		{`"%d", !REC->flag`, "0"},
		{`"%d", !!REC->uq`, "1"},
		{`"%lld", REC->q >> 1`, "-3"},
		{`"%llx", REC->uq >> 60`, "f"},
		{`"%u", 1 << 3 | 1`, "9"},
		{`"%d", -REC->five`, "-5"},
		{`"%x", ~REC->five`, "fffffffa"},
		{`"%d", REC->five % 0`, "0"},
		{`"%llu", -1`, "18446744073709551615"},
		{`"%d", 5 == 5 && 3 > 2 || 0`, "1"},
		{`"%d", (1, 2)`, "2"},
		{`"%d", REC->five ?: 9`, "5"},
		{`"%d", 0 ?: 9`, "9"},
		{`"%d", 'a'`, "97"},
		{`"%d", 010`, "8"},
		{`"%llx", 0xffffffff + 1ULL`, "100000000"},
		{`"%x", 0xffffffff + 1`, "0"},
		{`"%d", (bool)REC->uq`, "1"},
		{`"%d", ((struct drm_rect *)&REC->rect)->x2 - (&REC->rect)->x1`, "100"},
		{`"%dx%d", drm_rect_width(&REC->rect), drm_rect_height(&REC->rect)`, "100x30"},
		{`"%d", __builtin_choose_expr(sizeof(int) == 4, 1, REC->nosuch)`, "1"},
		{`"%d", __builtin_constant_p(3) ? 1 : 2`, "1"},
		{`"%d", __builtin_constant_p(REC->i) ? 1 : 2`, "2"},
		{`"%d", __builtin_expect(!!(REC->five), 0)`, "1"},
		{`"%d", (typeof(REC->b))300`, "44"},
		{`"%d", ((ktime_t){ .tv64 = REC->q }).tv64`, "-5"},
		{`"%lu", ((((1UL))) << (4))`, "16"},
		{`"%llu.%09u", __print_ns_to_secs(1500000000ULL), __print_ns_without_secs(1500000000ULL)`, "1.500000000"},
	}
	runCases(t, le64, cases)
	runCases(t, be64, cases)
}

func TestPrintf(t *testing.T) {
	runCases(t, le64, []printCase{
		{`"%d%%"`, "%d%"},
		{`"plain"`, "plain"},
		{`"a" "b=%d" " c", REC->five`, "ab=5 c"},
		{`"%5d|%-5d|%05d|%+d", REC->five, REC->five, REC->five, REC->five`, "    5|5    |00005|+5"},
		{`"%*d|%-*d|", 4, REC->five, 4, REC->five`, "   5|5   |"},
		{`"%.3s|%8s|%-8s|", REC->comm, REC->comm, REC->comm`, "bas|    bash|bash    |"},
		{`"%.*s", 2, REC->comm`, "ba"},
		{`"%*d|%.*s|%d"`, "%*d|%.*s|%d"},      // no arguments
		{`"[%.*s]", REC->i, REC->comm`, "[]"}, // the kernel treats a negative precision as 0
		{`"%hhd %hu %c", REC->i, REC->i, 65`, "-4 65532 A"},
		{`"%#x %#x %08lx", 0, REC->five, (unsigned long)REC->uq`, "0x0 0x5 fedcba9876543210"},
		{`"%Lu %llx", REC->uq, REC->uq`, "18364758544493064720 fedcba9876543210"},
		{`"%s", REC->flag ? REC->comm : "none"`, "bash"},
		{`"%s", REC->flag ? __get_str(name) : REC->comm`, "eth0"},
		{`"%s", REC->flag ? "set" : ((void *)0)`, "set"},
		{`"%s", REC->flag ? __print_symbolic(REC->five, {5, "five"}) : "none"`, "five"},
		{`"%s", __print_flags(REC->five, "|", {1, "A"}, {4, "B"})`, "A|B"},
		{`"%s", __print_flags(REC->five, "|", {1, "A"}, {((void *)0), ((void *)0)}, {4, "B"})`, "A|0x4"},
		{`"%s", __print_symbolic(9, {1, "A"}, { })`, "0x9"},
		{`"%s", __print_flags_u64(REC->uq, "", { 0x10ULL, "x" })`, "x0xfedcba9876543200"},
		{`"%s", __print_hex(REC->mac, 6)`, "01 02 03 aa bb cc"},
		{`"%s", __print_array(REC->arr, 4, 2)`, "{0x64,0x65,0x66,0x67}"},
		{`"%s", __print_array(__get_dynamic_array(list), 3, 4)`, "{0x3e8,0x7d0,0xbb8}"},
		{`"%s", __print_dynamic_array(list, sizeof(u32))`, "{0x3e8,0x7d0,0xbb8}"},
		{`"%s %s", str_yes_no(REC->flag), str_on_off(0)`, "yes off"},
	})
}

func TestPointers(t *testing.T) {
	runCases(t, le64, []printCase{
		{`"%p %px", REC->ptr, REC->ptr`, "0xffff888000001000 ffff888000001000"},
		{`"%pM %pMF %pm", REC->mac, REC->mac, REC->mac`, "01:02:03:aa:bb:cc 01-02-03-aa-bb-cc 010203aabbcc"},
		{`"%pI4", &REC->addr`, "10.0.0.1"},
		{`"%pi4", &REC->addr`, "010.000.000.001"},
		{`"%*ph|%6phC|%3phN", 2, REC->mac, REC->mac, REC->mac`, "01 02|01:02:03:aa:bb:cc|010203"},
		{`"%pe", (void *)-2L`, "-ENOENT"},
		{`"%pe", ERR_PTR(REC->five - 7)`, "-ENOENT"},
		{`"%p4ch", &REC->u`, ".k(. (0xee6b2800)"},
		{`"%p4chR", &REC->u`, ".(k. (0x00286bee)"},
		{`"%p4cb %p4cn", &REC->addr, &REC->addr`, ".... (0x0a000001) .... (0x0a000001)"},
		{`"%p4cl", &REC->addr`, ".... (0x0100000a)"},
		{`"%ptT", &REC->q`, "1969-12-31T23:59:55"},
		{`"%ptTs %ptTd %ptTt %ptTdr", &REC->q, &REC->q, &REC->q, &REC->q`,
			"1969-12-31 23:59:55 1969-12-31 23:59:55 0069-11-31"},
		{`"%ptSp", &REC->q`, "-5.000000000"},
		{`"%pa", &REC->uq`, "0xfedcba9876543210"},
		{`"%pS", REC->ptr`, "0xffff888000001000"},
		{`"%ps", (void *)REC->ptr`, "0xffff888000001000"},
		{`"%*pbl", 16, REC->arr`, "2,5-6"},
	})
}

// TestUnknown: values that a recording does not hold are shown as C with the known parts evaluated.
func TestUnknown(t *testing.T) {
	cases := []printCase{
		{`"age=%lu", jiffies - REC->five`, "age=(jiffies - 5)"},
		{`"ms=%u", jiffies_to_msecs(REC->five)`, "ms=jiffies_to_msecs(5)"},
		{`"%s", some_name(p, REC->five, REC->comm, __get_str(name))`, "some_name(5, bash, eth0)"},
		{`"page=%p", (((struct page *)vmemmap_base) + (REC->five))`, "page=(vmemmap_base + 0x5)"},
		{`"%p", REC->flag ? (((struct page *)vmemmap_base) + (REC->five)) : ((void *)0)`, "(vmemmap_base + 0x5)"},
		{`"%d", REC->nosuch`, "REC->nosuch"},
		{`"%d", REC->ptr->member`, "REC->ptr->member"},
		{`"%d", *REC->ptr`, "*REC->ptr"}, // not the bytes of the pointer
		{`"%d", REC->ptr[1]`, "REC->ptr[1]"},
		{`"%s", __print_hex(REC->mac, length_of(REC->mac))`, "__print_hex(mac, length_of(mac))"},
		{`"%s", __print_symbolic(REC->five, {NOT_KNOWN, "a"}, {5, "b"})`, "b"},
	}
	runCases(t, le64, cases)
	for _, c := range cases {
		if _, list := compileSample(t, le64, c.print); len(list) == 0 {
			t.Errorf("%s: no diagnostic", c.print)
		}
	}
}

func TestStatementExpressions(t *testing.T) {
	runCases(t, le64, []printCase{
		{`"%s", ({ char *s; switch (REC->five) { case 1: s = "one"; break; case 4: case 5: s = "4or5"; break; default: s = "?"; } s; })`, "4or5"},
		{`"%s", ({ char *s = "a"; if (REC->five > 4) s = "b"; else { s = "c"; } s; })`, "b"},
		{`"%d", ({ int x = REC->five; int y = 7; x < y ? x : y; })`, "5"},
		{`"%d", ({ int x = 1; x += REC->five; x++; x; })`, "7"},
		{`"%s", ({ switch (2) { case 1: "x"; } "end"; })`, "end"},
		{`"%s", ({ static const struct trace_print_flags symbols[] = { { 5, "five" }, { -1, ((void *)0) } }; trace_print_symbols_seq(p, REC->five, symbols); })`, "five"},
		{`"[%s]", ({ const char *saved = trace_seq_buffer_ptr(p); static const char *names[] = { "a", "b", "c" }; ` +
			`union kvm_mmu_page_role role; role.word = 0x215; trace_seq_printf(p, "l%u %s q%u%c", role.level, names[role.access], role.quadrant, 0); saved; })`, "[l5 c q0]"},
		{`"%s", ({ int r = REC->five; const char *s = trace_seq_buffer_ptr(p); if (r & 1) trace_seq_puts(p, "odd"); else trace_seq_puts(p, "even"); trace_seq_putc(p, 0); s; })`, "odd"},
		{`"%s", ({ const char *ret = p->buffer + p->len; trace_seq_printf(p, "<%d>", REC->five); ret; })`, "<5>"},
	})
}

// TestManyConversions: the text of one event is bounded for every print fmt.
func TestManyConversions(t *testing.T) {
	ev, list := compileSample(t, le64, `"`+strings.Repeat("%1000d", 5000)+`"`+strings.Repeat(", REC->five", 5000))
	if !ev.HasText || len(list) == 0 {
		t.Fatalf("HasText %v, diagnostics %v", ev.HasText, list)
	}
	if got := show(t, le64, `"`+strings.Repeat("%1000d", 5000)+`"`+
		strings.Repeat(", REC->five", 5000)); len(got) > 300_000 {
		t.Errorf("%d bytes of text", len(got))
	}
	// the text is not longer than the print fmt
	if got := show(t, le64, `"%s", unknown_fn(0`+strings.Repeat(", __get_str(name)", 2000)+")"); len(got) > 20_000 {
		t.Errorf("%d bytes of text", len(got))
	}
}

// A print fmt that doubles its value at every step would need unbounded memory if it were written
// out.
func TestExplosion(t *testing.T) {
	var b strings.Builder
	b.WriteString(`"%d", ({ u64 x = REC->five;`)
	for range 60 {
		b.WriteString(" x = x * x + x;")
	}
	b.WriteString(" x; })")
	ev, list := compileSample(t, le64, b.String())
	if ev.HasText || len(list) == 0 {
		t.Errorf("HasText %v, diagnostics %v", ev.HasText, list)
	}
}

// libtraceevent takes the names of xen_mc_extend_args for one number. TestDeep: a text that is
// nested too deeply for the back ends is left out, but the event remains.
func TestDeep(t *testing.T) {
	for _, arg := range []string{
		"REC->i" + strings.Repeat("-1", 2000), strings.Repeat("(1+", 2000) + "REC->i" + strings.Repeat(")", 2000),
		strings.Repeat("-", 4001) + "REC->i", strings.Repeat("1 ? 2 : ", 3000) + "REC->i",
		strings.Repeat("REC->i ? ", 3000) + "1" + strings.Repeat(" : 2", 3000),
	} {
		ev, diags := compileSample(t, le64, `"%d", `+arg)
		if err := ir.CheckEvent(ev); err != nil {
			t.Errorf("%.20s: %v", arg, err)
		}
		if !ev.HasText && (ev.Why == "" || len(diags) == 0) {
			t.Errorf("%.20s: no text, and nobody says why", arg)
		}
		if _, err := interp.Compile(ev, le64); err != nil {
			t.Errorf("%.20s: %v", arg, err)
		}
	}
}

func TestEnumerators(t *testing.T) {
	const result = `"%s", REC->five - 5 == XEN_MC_XE_OK ? "OK" : "???"`
	runCases(t, le64, []printCase{
		{result, "OK"},
		{`"%s", __print_symbolic(REC->five - 4, { HRTIMER_MODE_ABS, "ABS" }, { HRTIMER_MODE_REL, "REL" })`, "REL"},
		{`"%s", __print_flags(0x12, "|", { I_SYNC, "I_SYNC" }, { I_DIRTY_SYNC, "I_DIRTY_SYNC" })`,
			"I_SYNC|I_DIRTY_SYNC"},
		{`"%s", __print_symbolic(0x60, { IB_OPCODE_RC_SEND_FIRST, "RC" }, { IB_OPCODE_UD_SEND_FIRST, "UD" })`, "UD"},
		{`"%d", __builtin_ffs(REC->five - 5) + __builtin_ctzll(8) + __builtin_clzll(1ULL)`, "66"},
		{`"%x", __builtin_bswap16(0x1234)`, "3412"},
		{`"%x", __builtin_bswap32(REC->five)`, "5000000"},
	})
}

func TestWordSize(t *testing.T) {
	runCases(t, le32, []printCase{
		{`"%zu", sizeof(long)`, "4"},
		{`"%lx", -1L`, "ffffffff"},
		{`"%s", __print_symbolic(REC->i, {-4, "x"})`, "x"},
		{`"%s", __print_symbolic(-1, {0, "y"})`, "0xffffffff"},
		{`"%s", __print_flags_u64(1ULL << 40, "|", {1ULL << 40, "bit40"})`, "bit40"},
	})
}

func ExampleCompileEvent() {
	text := "name: wake\nID: 9\nformat:\n\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"pid=%d\", REC->pid\n"
	ev, _ := ftrace.CompileEvent("sched", "wake/format", []byte(text), ir.Target{WordSize: 8})
	fmt.Println(ev.Group, ev.Name, ev.ID, ev.Size)
	// Output: sched wake 9 12
}

// TestFieldShapes: events with unusual fields can be used.
func TestFieldShapes(t *testing.T) {
	for _, decl := range []string{
		"__rel_loc u8[] x;	offset:8;	size:0;", "__data_loc char[] x;	offset:8;	size:6;",
		"__rel_loc char[] x;	offset:8;	size:2;",
		"u64 x;	offset:9;	size:3;", "char x[];	offset:8;	size:0;", "int x[0];	offset:8;	size:4;",
		"struct s x[3];	offset:8;	size:7;",
		"char x[1048570];	offset:100;	size:1048570;", "u64 x;	offset:1048576;	size:8;",
	} {
		text := "name: x\nID: 1\nformat:\n\tfield:" + decl +
			"\tsigned:0;\n\nprint fmt: \"%d %s\", REC->x, __get_str(x)\n"
		ev, list := ftrace.CompileEvent("test", "format", []byte(text), le64)
		if ev == nil {
			t.Errorf("%s: %v", decl, list)
			continue
		}
		if _, err := interp.Compile(ev, le64); err != nil {
			t.Errorf("%s: %v", decl, err)
		}
		if ev.Size > 1<<20 {
			t.Errorf("%s: %d bytes, more than gen takes", decl, ev.Size)
		}
	}
}
