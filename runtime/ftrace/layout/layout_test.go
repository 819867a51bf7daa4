package layout_test

import (
	"encoding/binary"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/layout"
)

func TestDescribe(t *testing.T) {
	tests := []struct {
		field ftrace.Field
		want  bind.Field
	}{
		{ftrace.Field{Name: "pid", Type: "pid_t", Size: 4, Signed: true},
			bind.Field{Name: "pid", Size: 4, Signed: true}},
		{ftrace.Field{Name: "p", Type: "struct page *", Size: 8}, bind.Field{Name: "p", Size: 8}},
		{ftrace.Field{Name: "p", Type: "const char *", Size: 8}, bind.Field{Name: "p", Size: 8}},
		{ftrace.Field{Name: "c", Type: "char[16]", Size: 16},
			bind.Field{Name: "c", Size: 16, Kind: bind.Array, Elem: 1, Text: true}},
		{ftrace.Field{Name: "c", Type: "char[(int)sizeof(struct { int x[2]; })]", Size: 3},
			bind.Field{Name: "c", Size: 3, Kind: bind.Array, Elem: 1, Text: true}},
		{ftrace.Field{Name: "a", Type: "unsigned long[6]", Size: 24},
			bind.Field{Name: "a", Size: 24, Kind: bind.Array, Elem: 4}},
		{ftrace.Field{Name: "a", Type: "u32[2][3]", Size: 24},
			bind.Field{Name: "a", Size: 24, Kind: bind.Array, Elem: 4}},
		{ftrace.Field{Name: "a", Type: "u16[NUM]", Size: 24},
			bind.Field{Name: "a", Size: 24, Kind: bind.Array, Elem: 2}},
		{ftrace.Field{Name: "s", Type: "struct timespec64", Size: 16},
			bind.Field{Name: "s", Size: 16, Kind: bind.Bytes, Elem: 1}},
		{ftrace.Field{Name: "s", Type: "const union u", Size: 8},
			bind.Field{Name: "s", Size: 8, Kind: bind.Bytes, Elem: 1}},
		{ftrace.Field{Name: "u", Type: "uuid_t", Size: 16}, bind.Field{Name: "u", Size: 16, Kind: bind.Bytes, Elem: 1}},
		{ftrace.Field{Name: "d", Type: "__data_loc char[]", Size: 4},
			bind.Field{Name: "d", Size: 4, Kind: bind.Dynamic, Elem: 1, Text: true}},
		{ftrace.Field{Name: "d", Type: "__rel_loc unsigned long[]", Size: 4},
			bind.Field{Name: "d", Size: 4, Kind: bind.Dynamic, Elem: 4, Rel: true}},
		{ftrace.Field{Name: "d", Type: "__data_loc cpumask_t", Size: 4},
			bind.Field{Name: "d", Size: 4, Kind: bind.Dynamic, Elem: 4}},
		{ftrace.Field{Name: "d", Type: "__data_loc unheard_of[]", Size: 4},
			bind.Field{Name: "d", Size: 4, Kind: bind.Dynamic}},
		{ftrace.Field{Name: "d", Type: "__data_loc char[]", Size: 8},
			bind.Field{Name: "d", Size: 4, Kind: bind.Dynamic, Elem: 1, Text: true}},
		{ftrace.Field{Name: "d", Type: "__data_loc char[]", Size: 1048560},
			bind.Field{Name: "d", Size: 4, Kind: bind.Dynamic, Elem: 1, Text: true}},
		{ftrace.Field{Name: "d", Type: "__data_loc char[][1]", Size: 4},
			bind.Field{Name: "d[0]", Size: 4, Kind: bind.Dynamic, Elem: 1, Text: true}},
		{ftrace.Field{Name: "d", Type: "__data_loc u8[]", Size: 3},
			bind.Field{Name: "d", Size: 3, Kind: bind.Bytes, Elem: 1}},
		{ftrace.Field{Name: "t", Type: "unsigned long long[]", Size: 0, Offset: 12},
			bind.Field{Name: "t", Offset: 12, Kind: bind.Tail, Elem: 8}},
		{ftrace.Field{Name: "odd", Type: "]]][", Size: 4}, bind.Field{Name: "odd", Size: 4}},
	}
	for _, tt := range tests {
		events := layout.Describe([]*ftrace.Format{{System: "s", Name: "e", Fields: []ftrace.Field{tt.field}}}, true, 4)
		if d := cmp.Diff([]bind.Field{tt.want}, events[0].Fields); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.field.Type, d)
		}
	}
	words := layout.Describe([]*ftrace.Format{{System: "s", Name: "e", Fields: []ftrace.Field{
		{Name: "d", Type: "__data_loc char[][2]", Offset: 8, Size: 8},
	}}}, false, 8)
	want := []bind.Field{
		{Name: "d[0]", Offset: 8, Size: 4, Kind: bind.Dynamic, Elem: 1, Text: true},
		{Name: "d[1]", Offset: 12, Size: 4, Kind: bind.Dynamic, Elem: 1, Text: true},
	}
	if d := cmp.Diff(want, words[0].Fields); d != "" {
		t.Errorf("words (-want +got):\n%s", d)
	}
}

// The scanner in this package and the compiler's grammar find the same layout in every format of
// every recording.
func TestDescribesAsTheCompiler(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../../testdata/ftrace/*.dat",
		filepath.Join(needs.SharedData(t), "ftrace/*/*.dat")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	files = needs.Some(t, files, 20)
	seen := map[string]bool{}
	for _, file := range files {
		rec, err := ftrace.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		target := ir.Target{BigEndian: rec.Info().ByteOrder == binary.BigEndian, WordSize: rec.Info().WordSize}
		events := layout.Describe(rec.Formats(), target.BigEndian, target.WordSize)
		for i, f := range rec.Formats() {
			if key := filepath.Dir(file) + f.Text; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			ev, _ := compiler.CompileEvent(f.System, f.Name, []byte(f.Text), target)
			if ev == nil {
				t.Fatalf("%s: %s:%s does not compile", file, f.System, f.Name)
			}
			compare(t, file, ev, &events[i])
		}
		rec.Close()
	}
	t.Logf("%d formats", len(seen))
}

func compare(t *testing.T, file string, ev *ir.Event, got *bind.Event) {
	t.Helper()
	if ev.Group != got.Group || ev.Name != got.Name || ev.ID != got.ID || ev.Size != got.Size ||
		len(ev.Fields) != len(got.Fields) {
		t.Errorf("%s: %s:%s of %d bytes, %d fields is %s:%s of %d bytes, %d fields", file,
			ev.Group, ev.Name, ev.Size, len(ev.Fields), got.Group, got.Name, got.Size, len(got.Fields))
		return
	}
	for i, f := range ev.Fields {
		want := bind.Field{
			Name: f.Name, Offset: f.Offset, Size: f.Size, Kind: bind.Kind(f.Kind), Elem: f.Elem,
			Signed: f.Signed, Rel: f.Rel, Text: f.Text,
		}
		g := got.Fields[i]
		if g.Elem == 0 || want.Elem == 1 { // unknown: taken to be as compiled; or the compiler made it opaque
			g.Elem = want.Elem
		}
		if d := cmp.Diff(want, g); d != "" {
			t.Errorf("%s: %s:%s (-want +got):\n%s", file, ev.Group, ev.Name, d)
		}
	}
}

// TestDescribesDamagedFields checks that fields that the compiler leaves out are not bound.
func TestDescribesDamagedFields(t *testing.T) {
	const head = "name: event\nID: 1\nformat:\n\tfield:int first;\toffset:0;\tsize:4;\tsigned:1;\n"
	for _, lines := range []string{
		"\tfield:int b;\toffset:4;\tsize:4;\tsigned:-2;\n",
		"\tfield:int b;\toffset:4;\tsize:4;\tsigned:2;\n",
		"\tfield:int b;\toffset:4;\tsize:4;\tsignedtext:1;\n",
		"\tfield:int b;\toffset:4;\t\"size:4;\tsigned:1;\n",
		"\tfield:int b;\tsize:4;\toffset:4;\tsigned:1;\n",
		"\tfield:int b;\toffset:2147483647;\tsize:4;\tsigned:1;\n",
		"\tfield:int b;\toffset:4;\tsize:1048577;\tsigned:1;\n",
		"\tfield:b;\toffset:4;\tsize:4;\tsigned:1;\n",
		"\tfield:__data_loc char[] b;\toffset:4;\tsize:1048560;\tsigned:1;\n",
		"\tfield:__data_loc char[] b;\toffset:4;\tsize:6;\tsigned:1;\n",
		"\tfield:__data_loc char[][3] b;\toffset:4;\tsize:12;\tsigned:1;\n",
		"\tfield:__data_loc char[] b[3];\toffset:4;\tsize:12;\tsigned:1;\n",
		"\tfield:__data_loc char[][3] b;\toffset:4;\tsize:4;\tsigned:1;\n",
		"\tfield:__data_loc char[][65] b;\toffset:4;\tsize:260;\tsigned:1;\n",
		"\tfield:__data_loc char[][2][2] b;\toffset:4;\tsize:16;\tsigned:1;\n",
		"\tfield:__rel_loc unsigned long b[];\toffset:4;\tsize:8;\tsigned:0;\n",
		"\tfield:int a[];\toffset:4;\tsize:0;\tsigned:1;\n\tfield:int b[];\toffset:8;\tsize:0;\tsigned:1;\n",
	} {
		text := head + lines + "\nprint fmt: \"%d\", REC->first\n"
		ev, _ := compiler.CompileEvent("group", "event", []byte(text), ir.Target{WordSize: 8})
		f, ok := ftrace.ParseFormat("group", text)
		if ev == nil || !ok {
			t.Fatalf("%s: %v, %v", lines, ev, ok)
		}
		compare(t, lines, ev, &layout.Describe([]*ftrace.Format{f}, false, 8)[0])
	}
}
