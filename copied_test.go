package tracec_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec"
)

// TestEvents: copies equal the events, also after the memory of the events has been reused.
func TestEvents(t *testing.T) {
	for _, name := range testRecordings(t) {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			r := newReader(t, openAny(t, name), tracec.WithThreads())
			copies, through := r.NewCopies(), r.NewEvent()
			text := filepath.Ext(name) != ".trc" // templates start and end timers: render once for an event
			add := func(dst []byte, ev *tracec.Event) []byte {
				if dst = append(appendFields(dst, ev), '\n'); text {
					dst, _ = ev.AppendText(dst)
				}
				return dst
			}
			var want, got []byte
			check := func() {
				if n := copies.Len(); n > 0 && copies.Bytes() < 48*n {
					t.Fatalf("%d events take %d bytes", n, copies.Bytes())
				}
				for ev := range copies.All(through) {
					got = add(got, ev)
				}
				if string(got) != string(want) {
					t.Fatalf("copies:\n%.500s\nevents:\n%.500s", got, want)
				}
				copies.Reset()
				got, want = got[:0], want[:0]
			}
			for ev := range r.All() {
				want = add(want, ev)
				if !copies.Add(ev) {
					t.Fatal("no room")
				}
				if copies.Len() == 1000 {
					check()
				}
			}
			check()
		})
	}
}

// TestWhole: an event is whole if it has all values, even if it is cut. AppendBits equals Bits for
// every event.
func TestWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range testRecordings(t) {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			r := newReader(t, openAny(t, name))
			var bits []uint64
			copies := r.NewCopies()
			n := 0
			for ev := range r.All() {
				if n++; n > 2000 {
					break
				}
				if ev.Entry == nil && len(ev.Data) > 0 && random.IntN(3) == 0 {
					ev.Data = ev.Data[:random.IntN(len(ev.Data))]
				}
				want := true
				for i := range ev.Type.Fields {
					_, ok := ev.At(i)
					want = want && (ok || ev.Type.Fields[i].Optional)
				}
				if ev.Whole() != want {
					t.Fatalf("%s with %d bytes: whole is %v", ev.Type.Name, len(ev.Data), !want)
				}
				copies.Reset()
				copies.Add(ev)
				for i := range ev.Type.Fields {
					v, ok := ev.Bits(i)
					var all bool
					if bits, all = copies.AppendBits(bits[:0], i); all && !ok || all && bits[0] != v {
						t.Fatalf("%s %s: bits %x, want %x, %v", ev.Type.Name, ev.Type.Fields[i].Name, bits, v, ok)
					}
				}
			}
		})
	}
}
