package gen_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tracec/tracec/compiler/lttng/recorded"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	recordedcalls "github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/bind/calls"
	"github.com/tracec/tracec/runtime/bind/markers"
	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestLayouts: the layout that is compiled in is the one that a binding finds in the same recording, so that nothing is relocated there.
func TestLayouts(t *testing.T) {
	compared := 0
	compare := func(name string, compiled, found sequence.Layout) {
		compared++
		if d := cmp.Diff(found, compiled, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: -recording +compiled\n%s", name, d)
		}
	}
	archives, err := filepath.Glob("../testdata/uftrace/*/data.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, archive := range append(archives, "testdata/calls/first.tar.gz", "testdata/calls/otherspecs.tar.gz") {
		rec := openUftrace(t, unpack(t, archive, t.TempDir()))
		target := recordedcalls.Target(rec.Info())
		for _, s := range rec.Symbols() {
			for _, specs := range [][]uftrace.Spec{s.Args, s.Results} {
				ev, err := compiler.Compile(compiler.Function{Name: s.Name, Values: recordedcalls.Values(specs)}, compiler.Options{})
				if err != nil {
					t.Fatal(err)
				}
				compare(archive+": "+s.Name, gen.LayoutOf(ev, target), calls.Layout(specs, target.BigEndian))
			}
		}
	}
	for _, dir := range traces(t) {
		rec := openLTTng(t, dir)
		for _, tr := range rec.Traces() {
			target := recorded.Target(tr.Info())
			for _, m := range tr.Markers() {
				if ev, err := recorded.Compile(m, recorded.Rules(tr.Info())); err == nil {
					compare(dir+": "+m.Name, gen.LayoutOf(ev, target), markers.Layout(m, target.BigEndian))
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d layouts", compared)
	}
}
