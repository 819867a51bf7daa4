package aix_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// busy returns events like the events of a busy system: addresses, counts, texts; a few threads;
// short steps.
func busy(r *rand.Rand, kernel64 bool, n int) []event {
	ids := []uint16{0x1060, 0x10C0, 0x1010, 0x1040, 0x2000, 0x1B10, 0x2340, 0x0100, 0x5000}
	tids := []uint64{0x3A5B, 0x1F0035, 0x205, 0x8A0D}
	var events []event
	for range n {
		e := event{
			id: ids[r.IntN(len(ids))], sub: uint16(r.IntN(40)), stamped: true, app64: kernel64 && r.IntN(4) > 0,
			tid: tids[r.IntN(len(tids))], step: uint64(r.IntN(5000)), cpu: -1, generic: r.IntN(8) == 0,
		}
		if !kernel64 {
			e.app64 = r.IntN(16) == 0
		}
		words := r.IntN(6)
		if e.generic {
			words = 1
			e.buf = []byte("/usr/lib/objrepos/some/path/name"[:r.IntN(33)])
		}
		for range words {
			v := []uint64{0, 1, uint64(r.IntN(4096)), 0xF10006000012A000 + uint64(r.IntN(1<<16)),
				0x2FF22000 + uint64(r.IntN(1<<12)), 0xFFFFFFFFFFFFFFFF, r.Uint64() >> 30}[r.IntN(7)]
			if !e.app64 {
				v = uint64(uint32(v))
			}
			e.words = append(e.words, v)
		}
		events = append(events, e)
	}
	return events
}

// stream writes events as a bare stream.
func stream(t testing.TB, events []event, kernel64 bool, now uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: kernel64})
	for i := range events {
		now += events[i].step
		events[i].write(w, now)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// key identifies an intact entry.
func key(g got) string { return fmt.Sprint(g.Offset, g.ID, g.Time, g.TID, g.Data, g.Flags) }

// TestDamageAnyByte changes every byte of a stream in several ways, or every fifth byte. All
// entries before the changed one must be read, and all entries after the place at which the walk
// resynchronized. All skipped bytes are counted.
func TestDamageAnyByte(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		clean := stream(t, busy(rand.New(rand.NewPCG(1, 2)), kernel64, 45), kernel64, 1000)
		want := readAll(t, openBytes(t, clean))
		worst, total, cases := 0, 0, 0
		for at := 0; at < len(clean); at += needs.Cases(t, 5, 1) {
			hit := 0
			for hit+1 < len(want) && want[hit+1].Offset <= int64(at) {
				hit++
			}
			for _, x := range []byte{0x01, 0x80, 0xFF, 0x14} {
				b := bytes.Clone(clean)
				b[at] ^= x
				rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "damaged.trc")
				if err != nil {
					t.Errorf("64-bit %v, byte %d ^ %02X: %v", kernel64, at, x, err)
					continue
				}
				found, stamped := map[string]bool{}, true
				for _, g := range readAll(t, rec) {
					found[key(g)] = true
					if g.Offset == want[hit].Offset {
						stamped = g.Flags.Has(aix.Stamped)
					}
				}
				lost := 0
				for i, g := range want {
					if !found[key(g)] {
						lost++
						if hit == 0 && !kernel64 && rec.DamageStats().Count == 0 {
							break // the first stamp decides how many wraps there were
						}
						if i < hit || i > hit+1 {
							t.Errorf("64-bit %v, byte %d ^ %02X in entry %d: entry %d is lost\n%v", kernel64, at, x,
								hit, i, rec.Damage())
						}
					}
				}
				// A damaged length may end at the end of another entry. The stamp and the thread id
				// reveal this, once the thread id is known.
				if lost > 1 && hit > 4 && stamped && rec.DamageStats().Count == 0 {
					t.Errorf("64-bit %v, byte %d ^ %02X in entry %d: %d lost, no damage", kernel64, at, x, hit, lost)
				}
				worst = max(worst, lost)
				total += lost
				cases++
			}
		}
		t.Logf("64-bit %v: %d cases, %.3f entries lost on average, %d at worst", kernel64, cases,
			float64(total)/float64(cases), worst)
	}
}

// TestTruncation cuts streams at every byte.
func TestTruncation(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		clean := stream(t, busy(rand.New(rand.NewPCG(3, 4)), kernel64, 30), kernel64, 1000)
		want := readAll(t, openBytes(t, clean))
		kind := map[bool]aix.Kind{false: aix.Stream32, true: aix.Stream64}[kernel64]
		for n := 0; n < len(clean); n += needs.Cases(t, 3, 1) {
			rec := openBytes(t, clean[:n], aix.WithKind(kind))
			all := readAll(t, rec)
			whole := 0
			for whole < len(want) && want[whole].Offset+int64(len(want[whole].Raw)/2) <= int64(n) {
				whole++
			}
			if len(all) != whole {
				t.Fatalf("64-bit %v cut at %d: %d entries, not %d", kernel64, n, len(all), whole)
			}
			for i := range all {
				if key(all[i]) != key(want[i]) {
					t.Fatalf("64-bit %v cut at %d: entry %d differs", kernel64, n, i)
				}
			}
			end := int64(0)
			if kernel64 {
				end = min(4, int64(n))
			}
			if whole > 0 {
				end = want[whole-1].Offset + int64(len(want[whole-1].Raw)/2)
			}
			s := rec.DamageStats()
			if (s.Count != 0) != (end != int64(n)) || s.Skipped != int64(n)-end {
				t.Fatalf("64-bit %v cut at %d: %+v, %v", kernel64, n, s, rec.Damage())
			}
		}
	}
}

var kinds = []error{aix.ErrFormat, aix.ErrTruncated, aix.ErrCorrupt, aix.ErrCPUID}

// survive opens and walks b and calls all methods.
func survive(t testing.TB, b []byte, opts ...aix.Option) {
	t.Helper()
	rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "broken.trc", opts...)
	if err != nil {
		var d *aix.Damage
		if !errors.As(err, &d) || d.File != "broken.trc" || d.Want == "" || !errors.Is(err, aix.ErrFormat) {
			t.Fatalf("error without file, expectation or kind: %v", err)
		}
		return
	}
	defer rec.Close()
	size, regs := 0, []uint64(nil)
	ctx := aix.NewContext(rec.Info(), everything())
	err = rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
		ctx.Update(r, e)
		regs = e.Registers(regs[:0])
		size += len(e.Raw)
		if len(r.Data) < e.Env().HeadSize() || e.Offset < 0 || e.Offset+int64(len(e.Raw)) > int64(len(b)) ||
			!bytes.Equal(b[e.Offset:][:len(e.Raw)], e.Raw) {
			t.Fatalf("entry %+v of record %+v", e, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := rec.DamageStats()
	if int64(size)+s.Skipped > int64(len(b)) {
		t.Fatalf("%d bytes of entries and %d skipped, of %d", size, s.Skipped, len(b))
	}
	for _, d := range rec.Damage() {
		known := false
		for _, k := range kinds {
			known = known || errors.Is(d, k)
		}
		if !known || d.File != "broken.trc" || d.Want == "" || d.Offset < 0 || d.Offset > int64(len(b)) {
			t.Fatalf("damage %+v", d)
		}
	}
}

// everything has a layout with all facts for hooks that occur.
func everything() *aix.Layouts {
	var list []aix.Layout
	for i, id := range []uint16{0x1060, 0x10C0, 0x1010, 0x2000, 0x00A0} {
		l := aix.Layout{ID: id, Sub: -1, Role: aix.Role(i % 4)}
		for f := aix.FactPID; f <= aix.FactExecPath; f++ {
			l.Places = append(l.Places, aix.Place{Fact: f, Word: 1 + int(f)%3, Byte: int(f) % 2})
		}
		list = append(list, l)
	}
	return aix.NewLayouts(list...)
}

// TestMutations breaks streams and log files in a thousand ways, or ten thousand.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var samples [][]byte
	for _, kernel64 := range []bool{false, true} {
		events := busy(r, kernel64, 80)
		samples = append(samples, stream(t, events, kernel64, 1000),
			logFile(t, events, kernel64, aix.LogOptions{BufferSize: 1024}))
	}
	for i := range needs.Cases(t, 1000, 10_000) {
		b := bytes.Clone(samples[i%len(samples)])
		for range 1 + r.IntN(8) {
			at := r.IntN(len(b))
			switch r.IntN(6) {
			case 0:
				b = b[:at+1]
			case 1:
				b = append(b[:at], b[min(len(b), at+1+r.IntN(40)):]...)
			case 2:
				b = append(b[:at:at], append(bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(64)), b[at:]...)...)
			default:
				b[at] = byte(r.Uint32())
			}
			if len(b) == 0 {
				break
			}
		}
		survive(t, b)
	}
}

// logFile writes events as a log file, the first four as initial conditions.
func logFile(t testing.TB, events []event, kernel64 bool, opts aix.LogOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	opts.Kernel64 = kernel64
	l := aix.NewLogWriter(&b, opts)
	now := uint64(1000)
	for i := range events {
		if i == 4 {
			l.Begin()
		}
		now += events[i].step
		events[i].write(&l.Writer, now)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLongGap puts invalid bytes into a stream, before the last entries and after them. The gaps
// are about as long as the reach of one decision.
func TestLongGap(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		clean := stream(t, busy(rand.New(rand.NewPCG(11, 12)), kernel64, 500), kernel64, 1000)
		want := readAll(t, openBytes(t, clean))
		for _, around := range []int{4 << 10, 8 << 10, 12 << 10} {
			for n := around - 4; n <= around+4; n++ {
				for _, before := range []int{0, 1, 20, 400} {
					at := len(clean)
					if before > 0 {
						at = int(want[len(want)-before].Offset)
					}
					b := slices.Concat(clean[:at], make([]byte, n), clean[at:])
					rec := openBytes(t, b, aix.WithKind(kindOf(kernel64)))
					if got := len(readAll(t, rec)); got != len(want) {
						t.Errorf("64-bit %v, %d zeros before %d entries: %d entries, not %d", kernel64, n, before, got,
							len(want))
					}
					if s := rec.DamageStats(); s.Skipped != int64(n) {
						t.Errorf("64-bit %v, %d zeros before %d entries: %+v", kernel64, n, before, s)
					}
				}
			}
		}
	}
}
