package bind

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// TestLoopWithin: a loop within another loop of the same Decoder is an error. The error remains
// when the outer loop has ended. A loop of a clone within it is allowed.
func TestLoopWithin(t *testing.T) {
	d := decoderOf(t, container(func(record.Options) []*feed[none] {
		return []*feed[none]{plain(io.EOF, []record.Record{of(1, "a"), of(2, "b"), of(3, "c")})}
	}))
	ends := func(within func()) error {
		return Parallel(t.Context(), d, Slicing{}, func(_ *Decoder[none], list events) (none, error) {
			for range list {
			}
			return none{}, nil
		}, func(none) error { within(); return nil })
	}
	loops := func(within func()) error {
		for range d.Events(t.Context(), record.Options{}) {
			within()
		}
		return d.Err()
	}
	for outer, loop := range map[string]func(func()) error{"Events": loops, "end": ends} {
		for inner, within := range map[string]func(func()) error{"Events": loops, "Parallel": ends} {
			n := 0
			err := loop(func() {
				n++
				if err := within(func() { t.Error("an event") }); err != errLoop || d.Err() != errLoop {
					t.Errorf("%s within %s: %v, %v", inner, outer, err, d.Err())
				}
			})
			if err != errLoop || d.Err() != errLoop || n == 0 {
				t.Errorf("%s within %s: %d turns, %v", inner, outer, n, err)
			}
		}
	}
	got := ""
	for _, ev := range d.Events(t.Context(), record.Options{}) {
		c := d.Clone()
		for _, inner := range c.Events(t.Context(), record.Options{}) {
			got += string(ev.(*firstEvent).data[:1]) + string(inner.(*firstEvent).data[:1]) + " "
		}
		if c.Err() != nil {
			t.Error(c.Err())
		}
	}
	if got != "aa ab ac ba bb bc ca cb cc " || d.Err() != nil {
		t.Error(got, d.Err())
	}
}

// TestPanic: a panic in the body ends the loop, as break does.
func TestPanic(t *testing.T) {
	closed := 0
	c := container(nil)
	c.Recording = &broken{}
	c.Merge = func(record.Options) *record.Merger[none] {
		list := []record.Record{{ID: 5, Lost: 7}, of(1, "a"), of(2, "b")}
		return record.Merge([]*feed[none]{plain(io.EOF, list)}, func() { closed++ })
	}
	d := decoderOf(t, c)
	loop := func(panics bool) (n int) {
		defer func() { _ = recover() }()
		for r := range d.Events(t.Context(), record.Options{}) {
			if n++; r.Lost != 7 && n == 1 {
				t.Errorf("%d are lost before the first", r.Lost)
			}
			if panics {
				panic("on purpose")
			}
		}
		return n
	}
	if loop(true); d.Err() != nil || d.Entry() != nil || closed != 1 {
		t.Error(d.Err(), d.Entry(), closed)
	}
	if n := loop(false); n != 2 || d.Err() == nil || d.Stats().Short != 1 || closed != 2 {
		t.Error(n, d.Err(), d.Stats(), closed)
	}
}

// broken is a recording with damage.
type broken struct{ record.Recording }

func (*broken) Name() string                    { return "made" }
func (*broken) Damage() []*record.Damage        { return nil }
func (*broken) DamageStats() record.DamageStats { return record.DamageStats{Count: 1, Skipped: 8} }

// TestDamage: after a complete loop, the error includes damage, along with other errors. After a
// loop that is left early, or that a context ends, it does not: how far the streams were read then
// depends on timing.
func TestDamage(t *testing.T) {
	fire := errors.New("disk on fire")
	var end error
	c := container(func(record.Options) []*feed[none] {
		return []*feed[none]{plain(end, []record.Record{of(1, "a"), of(2, "b")})}
	})
	c.Recording = &broken{}
	d := decoderOf(t, c)
	for _, end = range []error{io.EOF, fire, context.Canceled} {
		for name, way := range ways {
			err := way(t, d, func(*record.Record, any) {})
			var damage *record.DamageError
			if errors.As(err, &damage) != (end != context.Canceled) || end != io.EOF && !errors.Is(err, end) ||
				d.Err() != err {
				t.Errorf("%s, a stream ends with %v: %v", name, end, err)
			}
		}
	}
	end = fire
	for range d.Events(t.Context(), record.Options{}) {
		break
	}
	if err := d.Err(); err != nil {
		t.Errorf("a loop that is left: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.Merge = func(o record.Options) *record.Merger[none] {
		return record.Merge([]*endlessStream{{ctx: o.Context}}, nil)
	}
	d, n := decoderOf(t, c), 0
	for range d.Events(ctx, record.Options{}) {
		if n++; n == 100 {
			cancel()
		}
	}
	if d.Err() != context.Canceled || n != 101 { // one more record comes with the error
		t.Errorf("%d events, %v", n, d.Err())
	}
}
