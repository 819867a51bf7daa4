package trcfmt_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/internal/testkit/trctest"
	"github.com/tracec/tracec/runtime/render"
)

// equalsReference compiles random templates and renders random events in all environments. The text
// and its outcome must equal the results of a plain walk over the template.
func equalsReference(t *rapid.T) {
	text := trctest.File().Draw(t, "file")
	f, errs := grammar.Parse("random.trcfmt", []byte(text))
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, _ := trcfmt.Compile("random.trcfmt", trcfmt.Options{}, f)
	for _, hook64 := range []bool{false, true} {
		if err := ir.Check(r.Unit(hook64)); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	tmpl := r.Hook(trctest.Hook)
	for i, env := range trcfmt.Envs {
		p, err := interp.Compile(tmpl.Events[i], env.Target())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		mine, theirs := irtest.Env(true, env.Target().WordSize), irtest.Env(true, env.Target().WordSize)
		m, ref := interp.NewMachine(mine), trctest.NewReference(env, theirs, f)
		for range 4 {
			data := trctest.Event(env).Draw(t, "event")
			want, reason := ref.Render(trctest.Hook, data)
			if reason == trctest.TooLong {
				return // the memory of the two worlds differs from here on
			}
			*mine.Outcome = render.Outcome{}
			if got := string(m.AppendText(nil, p, data)); got != want || mine.Outcome.Reason != reason {
				t.Fatalf("%s\n%s: %X\ngot  %q %v\nwant %q %v", text, env, data, got, mine.Outcome.Reason, want, reason)
			}
		}
	}
}

func TestEqualsReference(t *testing.T) { rapid.Check(t, equalsReference) }
