package ftrace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

func TestSymbols(t *testing.T) {
	s := ftrace.ParseSymbols(strings.Join([]string{
		"0000000000000000 A percpu_start",
		"0000000000000010 a percpu_offset",
		"ffffffff81000200 t second",
		"ffffffff81000000 T first",
		"ffffffff81000000 T alias",
		"ffffffff81000100 t $x",
		"ffffffffc0001000 t inner\t[mod_a]",
		"ffffffffc0002000 t last\t[mod_b]",
		"nonsense", "", "zz T bad", "ffffffff81000300 T",
	}, "\n"))
	type found struct {
		Name, Module string
		Start, Size  uint64
		OK           bool
	}
	for addr, want := range map[uint64]found{
		0:                  {},
		0x10:               {},
		0xffffffff80ffffff: {},
		0xffffffff81000000: {"first", "", 0xffffffff81000000, 0x200, true},
		0xffffffff81000150: {"first", "", 0xffffffff81000000, 0x200, true},
		0xffffffff81000200: {"second", "", 0xffffffff81000200, 0xffffffffc0001000 - 0xffffffff81000200, true},
		0xffffffffc0001fff: {"inner", "mod_a", 0xffffffffc0001000, 0x1000, true},
		0xffffffffc0002000: {"last", "mod_b", 0xffffffffc0002000, 0, true},
		0xffffffffc0002001: {},
	} {
		var got found
		got.Name, got.Start, got.Size, got.Module, got.OK = s.Lookup(addr)
		if got != want {
			if d := cmp.Diff(want, got); d != "" && (want.OK || got.OK) {
				t.Errorf("%x (-want +got):\n%s", addr, d)
			}
		}
	}
	if s.Len() != 4 {
		t.Errorf("%d symbols, want 4", s.Len())
	}
}

// TestRepeats checks that lists of names include duplicates of the text.
func TestRepeats(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 7})
	f.Printk = "0x20 : \"b\"\n0x10 : \"a\"\n0x20 : \"b\"\n"
	f.Kallsyms = "30 T c\n10 T a\n20 T b\n10 T alias\t[mod]\n"
	rec := openBytes(t, f.Bytes())
	var got []string
	rec.Printks(func(a uint64, s string) { got = append(got, fmt.Sprintf("%x %s", a, s)) })
	rec.Symbols().All(func(a uint64, name, module string) {
		got = append(got,
			fmt.Sprintf("%x %s %s", a, name, module))
	})
	if d := cmp.Diff([]string{"20 b", "10 a", "20 b", "10 a ", "10 alias mod", "20 b ", "30 c "}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestPrintk(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 7})
	f.Printk = `0xffffffff82000000 : "plain"
0xffffffff82000010 : "tab\t newline\n quote\" backslash\\ end"
0xffffffff82000020 : "unknown \q and : colon"
ffffffff82000030 : "without prefix"
nonsense
0xffffffff82000040 : ""
`
	rec := openBytes(t, f.Bytes())
	got := map[uint64]string{}
	rec.Printks(func(a uint64, s string) { got[a&0xff] = s })
	want := map[uint64]string{
		0x00: "plain", 0x10: "tab\t newline\n quote\" backslash\\ end", 0x20: `unknown \q and : colon`,
		0x30: "without prefix", 0x40: "",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestComms(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 6})
	f.Cmdlines = "1 systemd\n0 swapper\nx y\n12\n77 <...>\n1 init\n"
	rec := openBytes(t, f.Bytes())
	got := map[int32]string{}
	rec.Comms(func(pid int32, comm string) { got[pid] = comm })
	if d := cmp.Diff(map[int32]string{0: "swapper", 1: "init", 77: "<...>"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestFormatFields(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 6})
	f.Systems[0].Formats = []string{"name: odd\r\nID: 77\r\nformat:\r\n" +
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\r\n\r\n" +
		"\tfield:char common_looks[16];\toffset:8;\tsize:16;\tsigned:1;\n" +
		"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:1;\n" +
		"\tfield:const char * ptr;\toffset:32;\tsize:8;\tsigned:0;\n" +
		"\tfield:u8 mac[(int)sizeof(struct x)];\toffset:40;\tsize:6;\tsigned:0;\n" +
		"\tfield:__data_loc char[] list[3];\toffset:48;\tsize:12;\tsigned:0;\n" +
		"\tfield special:char *p;\toffset:64;\tsize:8;\n" +
		"\tfield:u32 tail[];\toffset:72;\tsize:0;\tsigned:0;\n" +
		"\tfield:broken;\toffset:x;\tsize:1;\n\n" +
		"print fmt: \"\tfield:not one;\toffset:1;\tsize:1;\tsigned:0;\n\", REC->x"}
	rec := openBytes(t, f.Bytes())
	var got []ftrace.Field
	for _, f := range rec.Formats() {
		if f.Name == "odd" {
			got = f.Fields
		}
	}
	for i := range got {
		got[i].Decl = ""
	}
	want := []ftrace.Field{
		{Name: "common_type", Type: "unsigned short", Offset: 0, Size: 2, Common: true},
		{Name: "common_looks", Type: "char[16]", Offset: 8, Size: 16, Signed: true},
		{Name: "name", Type: "__data_loc char[]", Offset: 24, Size: 4, Signed: true},
		{Name: "ptr", Type: "const char *", Offset: 32, Size: 8},
		{Name: "mac", Type: "u8[(int)sizeof(struct x)]", Offset: 40, Size: 6},
		{Name: "list", Type: "__data_loc char[][3]", Offset: 48, Size: 12},
		{Name: "p", Type: "char *", Offset: 64, Size: 8},
		{Name: "tail", Type: "u32[]", Offset: 72},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
