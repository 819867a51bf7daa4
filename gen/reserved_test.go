package gen_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/gen"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// imported knows the packages that generated code imports.
type imported struct {
	types.Importer
	made map[string]*types.Package // of a split output
}

func (i imported) Import(path string) (*types.Package, error) {
	if p := i.made[path]; p != nil {
		return p, nil
	}
	return i.Importer.Import(path)
}

// runtimeTypes gets the types of package runtime and of the packages below it from the go command.
var runtimeTypes = sync.OnceValues(func() (map[string]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}",
		"../runtime/...")
	out, err := cmd.Output()
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, err
})

// typeCheck is compiles, and also checks that files are formatted.
func typeCheck(t *testing.T, files []gen.File) (decoder *types.Package) {
	t.Helper()
	for _, f := range files {
		if formatted, err := format.Source(f.Content); err != nil || !bytes.Equal(formatted, f.Content) {
			t.Errorf("%s is not formatted: %v", f.Name, err)
		}
	}
	return compiles(t, files)
}

// compiles type-checks generated packages: with unsafe and, with the long proofs, without.
func compiles(t *testing.T, files []gen.File) (decoder *types.Package) {
	t.Helper()
	others := []string{"_purego.go"}
	if needs.LongProofs(t) {
		others = append(others, "_unsafe.go")
	}
	exports, err := runtimeTypes()
	if err != nil {
		t.Fatal(err)
	}
	for _, without := range others {
		fset := token.NewFileSet()
		imp := imported{importer.ForCompiler(fset, "gc",
			func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }), map[string]*types.Package{}}
		dirs := map[string][]*ast.File{}
		for _, f := range files {
			if strings.HasSuffix(f.Name, without) {
				continue
			}
			parsed, err := parser.ParseFile(fset, f.Name, f.Content, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			dirs[path.Dir(f.Name)] = append(dirs[path.Dir(f.Name)], parsed)
		}
		order := slices.Collect(func(yield func(string) bool) { // the root of a split output is last
			for dir := range dirs {
				if dir != "." && !yield(dir) {
					return
				}
			}
			yield(".")
		})
		for _, dir := range order {
			config := types.Config{Importer: imp, Error: func(err error) { t.Errorf("%s: %v", dir, err) }}
			pkg, _ := config.Check(path.Join("example.org/p", dir), fset, dirs[dir], nil)
			imp.made[pkg.Path()] = pkg
			decoder = pkg
		}
	}
	return decoder
}

// hostileNames are possible names in descriptions that Go, the generated code or its imports use.
func hostileNames() []string {
	names := slices.Clone(hostile)
	for n := range gen.DecoderReserved {
		names = append(names, n, strings.ToLower(n), n+"_event")
	}
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		names = append(names, tok.String())
	}
	names = append(names, types.Universe.Names()...)
	names = append(names, strings.Fields(`event Event event_event text Text call decode Decode AppendText append_text decode_field Has has HasX
		FOOBar FooBar foo_bar FOO_bar bind layout context ftrace uftrace lttng aix binary unsafe sync math ctx m p it T t
		b e p q v x i n h slot dst data env src hooks streams rec entries records values functions compiled table tables
		dispatch scratch binding stats records Stats Entry entry Options Err common Common CommonX common0 Chars4 chars4 XFields EFields GEFields eFields r R String Format Error Write Read Close`)...)
	slices.Sort(names)
	return slices.Compact(names)
}

// TestNamesNeverClash checks that generated code compiles for any names of events, functions,
// markers and their fields.
func TestNamesNeverClash(t *testing.T) {
	names := hostileNames()
	opts := gen.Options{Package: "p", Text: true}
	t.Run("events", func(t *testing.T) {
		u := &ir.Unit{Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Target: target64}
		u.Events = append(u.Events, hostileEvent("g", "fields", 0, names))
		for i, name := range names {
			u.Events = append(u.Events, hostileEvent("g", name, 1+i, names[:3]),
				hostileEvent(name, "e", 1000+i, names[:3]))
		}
		check := func(opts gen.Options) {
			files, err := gen.Generate(u, opts)
			if err != nil {
				t.Fatal(err)
			}
			typeCheck(t, files)
		}
		check(opts)
		split := opts
		split.Split, split.ImportPath = true, "example.org/p"
		check(split)
		for _, e := range u.Events { // of one group, because a whole subsystem may be generated
			e.Group, e.Name = "", e.Group+"_"+e.Name
		}
		check(opts)
	})
	t.Run("functions", func(t *testing.T) {
		list := function("", "fields", "fields", hostilePayload(t, names), nil)
		for _, name := range names {
			list = append(list, function("", name, name, hostilePayload(t, names[:2]), hostilePayload(t, names[:2]))...)
			list = append(list, function("m", name+"2", name, nil, nil)...)
		}
		files, err := gen.Generate(functions("", list), opts)
		if err != nil {
			t.Fatal(err)
		}
		typeCheck(t, files)
	})
	t.Run("markers", func(t *testing.T) {
		list := []*ir.Event{marker("", "fields", hostilePayload(t, names))}
		for _, name := range names {
			list = append(list, marker("", name, hostilePayload(t, names[:2])), marker("c", name, &ir.Event{}),
				marker(name+"_channel", "e", &ir.Event{}))
		}
		files, err := gen.Generate(&ir.Unit{Lang: "lttng", Container: "github.com/tracec/tracec/runtime/lttng",
			Entries: true, Sequential: true, Target: target64, Events: list}, opts)
		if err != nil {
			t.Fatal(err)
		}
		typeCheck(t, files)
	})
	t.Run("hooks", func(t *testing.T) {
		files, err := gen.Generate(&ir.Unit{Lang: "trcfmt", Container: "github.com/tracec/tracec/runtime/aix",
			Entries: true, Sequential: true, Target: target64, Events: []*ir.Event{hostileHook(t, names)}}, opts)
		if err != nil {
			t.Fatal(err)
		}
		typeCheck(t, files)
	})
}

// hostileEvent has a field of every kind for every name.
func hostileEvent(group, name string, id int, names []string) *ir.Event {
	ev := &ir.Event{Group: group, Name: name, ID: uint32(id), HasText: true}
	for j, n := range names {
		f := &ir.Field{Name: n, CType: "x", Kind: ir.Kind(j % 3), Offset: ev.Size, Size: 4, Elem: 1}
		if strings.Contains(strings.ToLower(n), "foo") {
			f.Kind = ir.Dynamic
		}
		if f.Kind == ir.Int {
			f.Elem = 0
		}
		ev.Fields = append(ev.Fields, f)
		ev.Size += 4
		ev.Text = append(ev.Text, &ir.PutText{T: &ir.CString{Of: &ir.FieldBytes{Field: f}}, Spec: ir.Spec{Prec: -1}})
	}
	return ev
}

// hostilePayload has a value for every name.
func hostilePayload(t *testing.T, names []string) *ir.Event {
	t.Helper()
	ev := payload(t, arg(1, 8))
	field := ev.Fields[1]
	ev.Fields, ev.Decode = ev.Fields[:1:1], nil
	for _, n := range names {
		f := *field
		f.Name = n
		ev.Fields = append(ev.Fields, &f)
	}
	return ev
}

// marker returns the name of a marker's event.
func marker(channel, name string, ev *ir.Event) *ir.Event {
	ev.Group, ev.Name = channel, name
	return ev
}

// hostileHook has a value for every name. Half of the values are not in every record.
func hostileHook(t *testing.T, names []string) *ir.Event {
	t.Helper()
	file, errs := grammar.Parse("t", []byte("100 1.0 L=APPL \"h\""+strings.Repeat(" X1", len(names))+"\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	result, diags := compiler.Compile("", compiler.Options{}, file)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	h := &ir.Event{ID: 0x1000, Name: "100", Ident: "Hook100", Label: "*/ " + names[0],
		Variants: result.Templates[0].Events[:]}
	for _, e := range h.Variants {
		if len(e.Values()) != len(names) {
			t.Fatalf("%d values for %d names", len(e.Values()), len(names))
		}
		for i, v := range e.Values() {
			v.Name, v.Optional = names[i], i%2 == 0
		}
	}
	return h
}

// TestReserved checks that the table of reserved names has all names that generated packages
// declare, except names from descriptions.
func TestReserved(t *testing.T) {
	opts := gen.Options{Package: "p", Text: true}
	const own = "Zebra" // generated code does not use this name
	u := &ir.Unit{Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Target: target64,
		Events: []*ir.Event{hostileEvent("g", own, 1, []string{own})}}
	events, err := gen.Generate(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := gen.Generate(functions("", function("", own, own, payload(t, arg(1, 8)), payload(t, arg(1, 8)))),
		opts)
	if err != nil {
		t.Fatal(err)
	}
	markers, err := gen.Generate(&ir.Unit{Lang: "lttng", Container: "github.com/tracec/tracec/runtime/lttng",
		Entries: true, Sequential: true, Target: target64, Events: []*ir.Event{marker("", own, payload(t, arg(1, 8)))}},
		opts)
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := gen.Generate(&ir.Unit{
		Lang: "trcfmt", Container: "github.com/tracec/tracec/runtime/aix", Entries: true, Sequential: true,
		Target: target64, Events: []*ir.Event{hostileHook(t, []string{own})},
	}, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]gen.File{events, calls, markers, hooks} {
		pkg := typeCheck(t, files)
		for _, name := range exported(pkg) {
			if !strings.HasPrefix(name, own) && !gen.DecoderReserved[name] {
				t.Errorf("%s of the package of %s is not reserved", name, files[0].Name)
			}
		}
	}
}

// exported are the exported names that a generated package declares.
func exported(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
}
