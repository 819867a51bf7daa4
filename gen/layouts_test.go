package gen_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	events "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	recordedcalls "github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	traced "github.com/tracec/tracec/runtime/ctf/layout"
	markers "github.com/tracec/tracec/runtime/lttng/layout"
	"github.com/tracec/tracec/runtime/uftrace"
	calls "github.com/tracec/tracec/runtime/uftrace/layout"
)

// opaque ignores properties of recorded bytes that only bindings need.
var opaque = cmp.Transformer("opaque", func(f bind.Field) bind.Field {
	if f.Kind == bind.Bytes {
		f.Elem = 0
	}
	return f
})

// TestLayouts checks that the compiled layout equals the layout that a binding finds in the same
// recording, so that nothing is relocated.
func TestLayouts(t *testing.T) {
	compared := 0
	compare := func(name string, compiled *ir.Event, found []bind.Field) {
		compared++
		if d := cmp.Diff(found, boundFields(compiled), cmpopts.EquateEmpty(), opaque); d != "" {
			t.Errorf("%s: -recording +compiled\n%s", name, d)
		}
	}
	archives, err := filepath.Glob("../testdata/uftrace/*/data.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, archive := range append(archives, "testdata/calls/first.tar.gz", "testdata/calls/otherspecs.tar.gz") {
		rec := openUftrace(t, unpack(t, archive, t.TempDir()))
		for _, s := range rec.Symbols() {
			for _, specs := range [][]uftrace.Spec{s.Args, s.Results} {
				ev, err := compiler.Compile(compiler.Function{Name: s.Name, Values: recordedcalls.Values(specs)},
					compiler.Options{})
				if err != nil {
					t.Fatal(err)
				}
				compare(archive+": "+s.Name, ev, calls.Fields(specs))
			}
		}
	}
	for _, dir := range traces(t) {
		rec := openLTTng(t, dir)
		for _, tr := range rec.Traces() {
			for _, m := range tr.Markers() {
				if ev, err := recorded.Compile(m, recorded.Rules(tr.Info())); err == nil {
					compare(dir+": "+m.Name, ev, markers.Fields(m, tr.Info().BigEndian))
				}
			}
		}
	}
	for _, group := range []string{"fields", "random"} {
		for _, s := range ctftest.Samples(t, group) {
			rec, err := ctf.OpenFS(s.Dir, s.Name)
			if err != nil {
				continue // the sample cannot be read
			}
			for _, e := range rec.Events() {
				ev, err := events.Compile(e, events.Default)
				if err != nil {
					t.Errorf("%s: %s: %v", s.Name, e.Name.Name, err)
					continue
				}
				compare(s.Name+": "+ev.Name, ev, traced.Event(e).Fields)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d layouts", compared)
	}
}

// boundFields returns the fields of a compiled event in the form of runtime/bind.
func boundFields(ev *ir.Event) (fields []bind.Field) {
	layout, err := gen.Layout(&ir.Unit{Sequential: true}, ev)
	if err != nil {
		panic(err)
	}
	return layout.Fields
}

// TestLayoutsRead: the layouts of a generated package equal the layouts of its events, with all
// properties that fields can have.
func TestLayoutsRead(t *testing.T) {
	for i := range 60 {
		ev := irtest.SequentialEvent(irtest.Sequential().Example(i), target64)
		u := &ir.Unit{
			Lang: "lttng", Container: "github.com/tracec/tracec/runtime/lttng", Entries: true, Sequential: true,
			Source: "drawn", Target: target64, Events: []*ir.Event{ev},
		}
		files, err := gen.Generate(u, gen.Options{Package: "x"})
		if err != nil {
			t.Fatal(i, err)
		}
		p, err := parsed(t, string(files[0].Content))
		if err != nil || p == nil {
			t.Fatal(i, p, err)
		}
		got, want := p.Events[0].Fields, gen.FieldLayouts(ev.Values())
		if !bind.EqualFields(got, want) {
			t.Errorf("seed %d (-want +got):\n%s", i, cmp.Diff(want, got))
		}
	}
}
