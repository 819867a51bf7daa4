package interp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/render"
)

// equalsReference renders random records by random programs with closures, with closures of the
// unfolded program and with the reference. All three texts must be equal. It also checks the
// promises of AppendText.
func equalsReference(t *rapid.T) {
	target := irtest.Target().Draw(t, "target")
	draw := irtest.Event
	if rapid.Bool().Draw(t, "stream") {
		draw = irtest.StreamEvent
	}
	ev := draw(target).Draw(t, "event")
	folded, err := Compile(ev, target)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := compile(ev, target, false, false)
	if err != nil {
		t.Fatal(err)
	}
	var envs [3]*render.Env
	for i := range envs {
		envs[i] = irtest.Env(target.BigEndian, target.WordSize)
	}
	foldedMachine, plainMachine := NewMachine(envs[1]), NewMachine(envs[2])
	for range 8 {
		data := irtest.Record(ev, target).Draw(t, "record")
		want := referenceText(ev, target, envs[0], data)
		before := bytes.Clone(data)
		if got := string(foldedMachine.AppendText([]byte("prefix"), folded, data)); got != "prefix"+want {
			t.Fatalf("got  %q\nwant %q\n%s", got, want, dump(ev))
		}
		if got := string(plainMachine.AppendText(nil, plain, data)); got != want {
			t.Fatalf("without folding\ngot  %q\nwant %q\n%s", got, want, dump(ev))
		}
		for _, env := range envs[1:] {
			if *env.Outcome != *envs[0].Outcome {
				t.Fatalf("outcome %v, want %v\n%s", *env.Outcome, *envs[0].Outcome, dump(ev))
			}
		}
		for _, env := range envs {
			*env.Outcome = render.Outcome{}
		}
		if !bytes.Equal(data, before) {
			t.Fatalf("the record was written to\n%s", dump(ev))
		}
	}
}

func dump(ev *ir.Event) string {
	var b bytes.Buffer
	_ = ev.Dump(&b)
	return b.String()
}

func TestEqualsReference(t *testing.T) { rapid.Check(t, equalsReference) }

func FuzzInterp(f *testing.F) { f.Fuzz(rapid.MakeFuzz(equalsReference)) }

// TestReader compares the readers of fields with the reference, on records of any length.
func TestReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := irtest.Target().Draw(t, "target")
		ev := irtest.Event(target).Draw(t, "event")
		data := irtest.Record(ev, target).Draw(t, "record")
		ref := &reference{t: target, data: data}
		for _, f := range ev.Fields {
			r := NewReader(f, target)
			got := r.Bytes(data)
			v, n := r.Uint(data), r.Len(data)
			r.Elem(data, rapid.Int().Draw(t, "i"))
			if len(data) < ev.Size {
				continue // only checks for panics: the reference needs whole records
			}
			want := ref.field(f)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: got %x, want %x", f, got, want)
			}
			typ := ir.Type{Size: int8(f.Size), Signed: f.Signed}
			if f.Kind == ir.Int && v != typ.Extend(ref.integer(want, 0, f.Size)) {
				t.Fatalf("%s: got %#x of %x", f, v, want)
			}
			typ.Size = int8(f.Elem)
			for i := range n {
				if got, want := r.Elem(data, i), typ.Extend(ref.integer(want, uint64(i*f.Elem), f.Elem)); got != want {
					t.Fatalf("%s: element %d: got %#x, want %#x", f, i, got, want)
				}
			}
			if f.Kind != ir.Int && f.Kind != ir.Bytes && n != len(want)/f.Elem {
				t.Fatalf("%s: %d elements in %d bytes", f, n, len(want))
			}
		}
	})
}

// TestNoAllocation renders random events into a buffer that is large enough after the first
// rendering.
func TestNoAllocation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := irtest.Target().Draw(t, "target")
		draw := irtest.Event
		if rapid.Bool().Draw(t, "stream") {
			draw = irtest.StreamEvent
		}
		ev := draw(target).Draw(t, "event")
		p, err := Compile(ev, target)
		if err != nil {
			t.Fatal(err)
		}
		data := irtest.Record(ev, target).Draw(t, "record")
		m := NewMachine(irtest.Env(target.BigEndian, target.WordSize))
		var dst []byte
		for range 2 {
			dst = m.AppendText(dst[:0], p, data)
		}
		if n := testing.AllocsPerRun(3, func() { dst = m.AppendText(dst[:0], p, data) }); n != 0 &&
			!irtest.Allocates(&ir.Program{Body: ev.Text}) {
			t.Fatalf("%v allocations\n%s", n, dump(ev))
		}
	})
}
