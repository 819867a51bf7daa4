package sequence_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/render"
)

// TestDecode: for whole records, the program finds the random values that an independent writer has
// written. A cut record is short, unless only padding is missing.
func TestDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := irtest.Target().Draw(t, "target")
		ev := irtest.SequentialEvent(irtest.Sequential().Draw(t, "values"), target)
		if err := ir.CheckEvent(ev); err != nil {
			t.Fatal(err)
		}
		want := irtest.NewKept(ev)
		data := irtest.Payload(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), want, target)
		p, err := interp.CompileDecode(ev, target)
		if err != nil {
			t.Fatal(err)
		}
		env := irtest.Env(target.BigEndian, target.WordSize)
		m, got := interp.NewMachine(env), irtest.NewKept(ev)
		m.Keep = got.Keep
		if m.AppendText(nil, p, data); !got.Equal(want) || env.Outcome.Reason != render.Ended {
			t.Fatalf("% x: %+v\n%s", data, env.Outcome, dump(ev))
		}
		for n := range data {
			*env.Outcome = render.Outcome{}
			got.Reset()
			if m.AppendText(nil, p, data[:n]); env.Outcome.Reason != render.ExitShort && !got.Equal(want) {
				t.Fatalf("%d bytes of % x have other values", n, data)
			}
		}
		noise := rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "noise") // lengths are hostile
		if text := m.AppendText(nil, p, noise); len(text) > 1<<16 {
			t.Fatalf("%d bytes of text for % x", len(text), noise)
		}
	})
}

func dump(ev *ir.Event) string {
	var b strings.Builder
	if err := ev.Dump(&b); err != nil {
		return err.Error()
	}
	return b.String()
}
