package trcfmt_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/internal/testkit/trctest"
)

var update = flag.Bool("update", false, "write the golden files")

// templates returns the files that pattern names, and the built-in ones.
func templates(t *testing.T, pattern string) map[string]*grammar.File {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal("no templates", err)
	}
	files := map[string]*grammar.File{"testdata/builtin.trcfmt": trcfmt.Builtin()}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, errs := grammar.Parse(filepath.Base(name), text)
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		files[name] = f
	}
	return files
}

// TestGolden compares the IR, the messages of Vet, and the resolved templates with files beside the
// templates.
func TestGolden(t *testing.T) {
	for name, f := range templates(t, "testdata/*.trcfmt") {
		r, _ := trcfmt.Compile(filepath.Base(name), trcfmt.Options{}, f)
		var b bytes.Buffer
		fmt.Fprintf(&b, "resolved %d of %d\n", r.Resolved(), len(r.Templates))
		for _, tmpl := range r.Templates {
			fmt.Fprintf(&b, "%04X %q resolved %v\n", tmpl.Hook, tmpl.Label, tmpl.Resolved)
		}
		for _, d := range trcfmt.Vet(trcfmt.Options{}, f) {
			fmt.Fprintf(&b, "%v\n", d)
		}
		for _, hook64 := range []bool{false, true} {
			b.WriteByte('\n')
			if err := ir.Check(r.Unit(hook64)); err != nil {
				t.Error(err)
			}
			if err := r.Unit(hook64).Dump(&b); err != nil {
				t.Fatal(err)
			}
		}
		golden := strings.TrimSuffix(name, ".trcfmt") + ".ir"
		if *update {
			if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s (-want +got; -update writes it):\n%s", golden, d)
		}
	}
}

// TestFilesEqualReference renders random events by all templates in testdata of this package and of
// the parser.
func TestFilesEqualReference(t *testing.T) {
	files := templates(t, "testdata/*.trcfmt")
	maps.Copy(files, templates(t, "../../grammar/trcfmt/testdata/*.trcfmt"))
	for name, f := range files {
		r, _ := trcfmt.Compile(name, trcfmt.Options{}, f)
		rapid.Check(t, func(t *rapid.T) {
			tmpl := rapid.SampledFrom(r.Templates).Draw(t, "template")
			i := rapid.IntRange(0, 3).Draw(t, "environment")
			env := trcfmt.Envs[i]
			p, err := interp.Compile(tmpl.Events[i], env.Target())
			if err != nil {
				t.Fatal(err)
			}
			data := trctest.Event(env).Draw(t, "event")
			mine, theirs := irtest.Env(true, 4), irtest.Env(true, 4)
			want, reason := trctest.NewReference(env, theirs, f).Render(tmpl.Hook, data)
			got := string(interp.NewMachine(mine).AppendText(nil, p, data))
			if reason != trctest.TooLong && (got != want || mine.Outcome.Reason != reason) {
				t.Fatalf("%s %s %X\ngot  %q %v\nwant %q %v", tmpl.Stanza.Hook.Text, env, data, got, mine.Outcome.Reason,
					want, reason)
			}
		})
	}
}
