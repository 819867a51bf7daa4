package ctf_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// texts returns the events of a sample in the form in which the generator of random traces writes
// them.
func texts(t *testing.T, sample *ctftest.Sample) string {
	rec, err := ctf.OpenFS(sample.Dir, sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var out bytes.Buffer
	p := programs.NewPrinter(&render.Env{WordSize: 8})
	progs := map[uint32]*programs.Program{}
	m := rec.Merge(record.Options{})
	for r, x := range m.All() {
		prog := progs[r.ID]
		if prog == nil {
			ev, err := compiler.Compile(x.Event, compiler.Default)
			if err != nil {
				t.Errorf("%s: %s: %v", sample.Name, x.Event.Name.Name, err)
			}
			prog = programs.NewProgram(ev, compiler.Target, err, nil)
			progs[r.ID] = prog
		}
		fmt.Fprintf(&out, "%020d %s: ", x.Cycles, x.Event.Name.Name)
		out.Write(p.Append(nil, prog, r.Data))
		if p.Outcome.Reason != 0 {
			fmt.Fprintf(&out, " SHORT %v of %d", p.Outcome, len(r.Data))
		}
		out.WriteByte('\n')
	}
	if err := m.Err(); err != nil {
		fmt.Fprintln(&out, err)
	}
	for _, d := range rec.Damage() {
		fmt.Fprintln(&out, d)
	}
	return out.String()
}

// TestRandom decodes random types, scopes and packets. Their generator knows the values.
func TestRandom(t *testing.T) {
	for _, s := range ctftest.Samples(t, "random") {
		want, got := sorted(s.Texts["expected.txt"]), sorted(texts(t, s))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%.2000s", s.Name, diff)
		}
	}
}

func sorted(s string) []string { return slices.Sorted(strings.Lines(s)) }
