package gen_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
)

var update = flag.Bool("update", false, "write the golden files")

// fromFormats lowers testdata/formats, from the x86-64 6.1 kernel.
func fromFormats(t testing.TB) *ir.Unit {
	t.Helper()
	files, err := filepath.Glob("testdata/formats/*/*/format")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata/formats", err)
	}
	var sources []ftrace.Source
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, ftrace.Source{System: filepath.Base(filepath.Dir(filepath.Dir(f))), Name: f,
			Text: text})
	}
	u, _ := ftrace.Compile("testdata/formats", sources, ir.Target{WordSize: 8})
	return u
}

func TestGolden(t *testing.T) {
	files, err := gen.Generate(fromFormats(t), gen.Options{Package: "kernel", Text: true, Version: "v0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Join("testdata", "golden", f.Name+".golden")
		if *update {
			if err := os.WriteFile(name, f.Content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(f.Content)); d != "" {
			t.Errorf("%s (-want +got; go test ./gen -update writes it):\n%s", name, d)
		}
	}
}

// The same events give the same bytes in any order, and are not changed.
func TestDeterministic(t *testing.T) {
	for _, split := range []bool{false, true} {
		opts := gen.Options{Package: "kernel", Text: true, Split: split, ImportPath: "example.org/kernel"}
		u := fromFormats(t)
		var before, after bytes.Buffer
		u.Dump(&before)
		want, err := gen.Generate(u, opts)
		if err != nil {
			t.Fatal(err)
		}
		if u.Dump(&after); before.String() != after.String() {
			t.Error("Generate changed the unit")
		}
		for range needs.Cases(t, 2, 5) {
			rand.Shuffle(len(u.Events), func(i, j int) { u.Events[i], u.Events[j] = u.Events[j], u.Events[i] })
			got, err := gen.Generate(u, opts)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("(-want +got):\n%s", d)
			}
		}
	}
}

// An event has the same struct with or without text.
func TestTextDoesNotChangeStructs(t *testing.T) {
	main := func(text bool) string {
		files, err := gen.Generate(fromFormats(t), gen.Options{Package: "kernel", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		content := string(files[0].Content)
		return content[strings.Index(content, "const ("):strings.Index(content, "// Decoder")]
	}
	if d := cmp.Diff(main(false), main(true)); d != "" {
		t.Errorf("(-without +with):\n%s", d)
	}
}

func TestRefuses(t *testing.T) {
	event := func(group, name string) *ir.Event { return &ir.Event{Group: group, Name: name} }
	unit := func(events ...*ir.Event) *ir.Unit {
		return &ir.Unit{Container: "github.com/tracec/tracec/runtime/ftrace", Target: ir.Target{WordSize: 8},
			Events: events}
	}
	one := unit(event("g", "e"))
	huge := event("g", "huge")
	huge.Size = 1 << 21
	broken := event("g", "broken")
	broken.Fields = []*ir.Field{{Name: "x", Size: 3}}
	broken.Size = 3
	tests := []struct {
		name string
		unit *ir.Unit
		opts gen.Options
		want string
	}{
		{"no import path", &ir.Unit{Container: "../x", Target: one.Target, Events: one.Events},
			gen.Options{Package: "p"}, `invalid import path of a container: "../x"`},
		{"no events", unit(), gen.Options{Package: "p"}, "no events"},
		{"package", one, gen.Options{Package: "func"}, `"func" cannot be the name of a Go package`},
		{"path in package", one, gen.Options{Package: "../p"}, "cannot be the name of a Go package"},
		{"path in file", one, gen.Options{Package: "p", Base: "../p"}, "cannot be the name of a Go file"},
		{"test file", one, gen.Options{Package: "p", Base: "sched_test"},
			"use another name, such as sched_test_gen.go"},
		{"file for one machine", one, gen.Options{Package: "p", Base: "sched_s390x"},
			"only for tests or for one kind of machine"},
		{"split nowhere", one, gen.Options{Package: "p", Split: true}, "import path"},
		{"twice", unit(event("g", "e"), event("g", "e")), gen.Options{Package: "p"}, "event g:e is described twice"},
		{"huge", unit(huge), gen.Options{Package: "p"}, "event g:huge: 2097152 bytes are more than a record can have"},
		{"invalid", unit(broken), gen.Options{Package: "p"}, "an integer of that size"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, err := gen.Generate(tt.unit, tt.opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) || files != nil {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// hostile are names that look like code, or that are already in use.
var hostile = []string{
	"", " ", "_", "func", "type", "init", "main", "Decoder", "decoder", "other", "Short", "missing", "bind", "run",
	"part", "stats",
	"dispatch", "scratch", "binding", "events", "common0", "e", "r", "d", "dst", "env", "record", "render", "unsafe",
	"string",
	"*/", "/*", "//go:embed x", "\"", "`", "\\", "a\nb", "a\r\nimport \"C\"", "x\x00y", "\xff\xfe", "名前", "a b", "a-b",
	"a_b", "ab", "A_b",
	"9lives", "read_byte", "append_text", "unmarshal_json", "}", "); panic(1); (", "%s%d", "+build ignore",
	"go:build ignore", "a.b", "...",
}

// hostileUnit has every name as group, as event and as field of every kind.
func hostileUnit() *ir.Unit {
	u := &ir.Unit{Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Source: "a */ b\npackage evil",
		Target: ir.Target{WordSize: 8}}
	for i, name := range hostile {
		ev := &ir.Event{Group: "g", Name: name, ID: uint32(i), HasText: true}
		other := &ir.Event{Group: name, Name: "e", ID: uint32(1000 + i)}
		var args []ir.Arg
		for j, field := range append(slices.Clone(hostile), "dup", "dup", "Dup") {
			f := &ir.Field{Name: field, CType: name + field, Kind: ir.Kind(j % 3), Offset: ev.Size, Size: 4,
				Elem: 1 + j%2}
			if f.Kind == ir.Int {
				f.Elem = 0
			}
			ev.Fields = append(ev.Fields, f)
			ev.Size += 4 + j%3
			ev.Text = append(ev.Text, &ir.Lit{S: field + name},
				&ir.PutText{T: &ir.CString{Of: &ir.FieldBytes{Field: f}}, Spec: ir.Spec{Prec: -1}})
		}
		table := &ir.Table{Rows: []ir.Row{{Value: 1<<64 - 1, Text: name}, {Text: name}}}
		args = append(args, &ir.Const{T: ir.I32, V: 1}, ir.StrArg(name), table)
		ev.Text = append(ev.Text, &ir.PutText{T: &ir.Call{Name: "Flags", Args: args}, Spec: ir.Spec{Prec: -1}})
		u.Events = append(u.Events, ev, other)
	}
	return u
}

// Names in a description never become code.
func TestHostileNames(t *testing.T) {
	u := hostileUnit()
	for _, split := range []bool{false, true} {
		files, err := gen.Generate(u, gen.Options{Package: "p", Text: true, Split: split, ImportPath: "example.org/p",
			Version: "1\n*/package evil"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasPrefix(string(f.Content),
				"// Code generated by tracec \"1\\n*/package evil\"; DO NOT EDIT.\n") {
				t.Errorf("%s begins with %.100q", f.Name, f.Content)
			}
			if !filepath.IsLocal(f.Name) || strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789_/.") != "" {
				t.Errorf("file %q", f.Name)
			}
		}
		compiles(t, files)
	}
	if !needs.LongProofs(t) {
		return
	}
	m := newModule(t)
	m.generate(u, gen.Options{Package: "p", Text: true})
	m.generate(u, gen.Options{Package: "q", Text: true, Split: true})
	m.build(nil, "./p", "./q/...")
	m.build(nil, "-tags=purego", "./p")
	m.vet("./p", "./q/g")
}

// Generated code does not compile with an incompatible runtime.
func TestHandshake(t *testing.T) {
	m := newModule(t)
	m.generate(fromFormats(t), gen.Options{Package: "kernel"})
	m.build(nil, "./kernel")
	name := filepath.Join(m.dir, "kernel", "kernel.go")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for old, other := range map[string]string{
		"EnforceVersion(4-gencode.MinVersion)": "EnforceVersion(3-gencode.MinVersion)", // generated long ago
		"EnforceVersion(gencode.Version-4)":    "EnforceVersion(gencode.Version-5)",    // by a newer tracec
	} {
		m.write("kernel/kernel.go", bytes.Replace(content, []byte(old), []byte(other), 1))
		if out, err := m.run(nil, "go", "build", "./kernel"); err == nil || !strings.Contains(out, "EnforceVersion") {
			t.Errorf("%s compiles: %s", other, out)
		}
	}
	m.write("kernel/kernel.go", bytes.Replace(content, []byte("PrevPID   int32"), []byte("PrevPID   int64"), 1))
	if out, err := m.run(nil, "go", "build", "./kernel"); err == nil || !strings.Contains(out, "kernel_unsafe.go") {
		t.Errorf("a struct of another layout compiles: %s", out)
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, text := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "text"}[text], func(b *testing.B) {
			u := fromFormats(b)
			size := 0
			for b.Loop() {
				files, err := gen.Generate(u, gen.Options{Package: "kernel", Text: text})
				if err != nil {
					b.Fatal(err)
				}
				size = 0
				for _, f := range files {
					size += len(f.Content)
				}
			}
			b.SetBytes(int64(size))
		})
	}
}
