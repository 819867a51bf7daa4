package perf_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// walked is the result of a walk over a recording.
type walked struct {
	lines  []string // of records, and of damage
	slices int
	read   int // slices, including those that were read again
	damage int // places
}

func (w *walked) walk(m *record.Merger[perf.Entry]) (lines []string) {
	defer m.Close()
	for r, e := range m.All() {
		body := e.Body
		if len(body) > 1<<10 {
			body = fmt.Append(nil, crc32.ChecksumIEEE(body))
		}
		lines = append(lines, fmt.Sprintf("%d %s cpu %d task %d lost %d at %d: %x", r.Time, e.Event.Name, r.CPU, r.Task,
			r.Lost, e.Offset, body))
	}
	if err := m.Err(); err != nil {
		lines = append(lines, err.Error())
	}
	return lines
}

// walkData walks over a recording. If size is not 0, it does so in slices.
func walkData(t *testing.T, data []byte, o record.Options, size int64) walked {
	t.Helper()
	rec, err := perf.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "perf.data")
	return walkAll(t, rec, err, o, size)
}

func walkFile(t *testing.T, name string, o record.Options, size int64, opts ...perf.Option) walked {
	t.Helper()
	rec, err := perf.Open(name, opts...)
	if err == nil && rec.IndexErr() != nil {
		t.Error(rec.IndexErr())
	}
	return walkAll(t, rec, err, o, size)
}

func walkAll(t *testing.T, rec *perf.Recording, err error, o record.Options, size int64) (w walked) {
	t.Helper()
	if err != nil {
		return walked{lines: []string{err.Error()}}
	}
	defer rec.Close()
	if size == 0 {
		w.lines = w.walk(rec.Merge(o))
	} else {
		o.Workers = 3
		read, list := make([]int, o.Workers+1), rec.Slices(o, size)
		w.slices = len(list)
		err := record.InSlices(context.Background(), list, o.Workers,
			func(worker int, s record.Slice[perf.Entry]) ([]string, error) {
				read[worker]++
				return w.walk(s.Merge()), nil
			},
			func(lines []string) error {
				w.lines = append(w.lines, lines...)
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range read {
			w.read += n
		}
	}
	for _, d := range rec.Damage() {
		w.lines = append(w.lines, d.Error())
	}
	w.damage = len(rec.Damage())
	w.lines = append(w.lines, fmt.Sprint(rec.DamageStats()))
	return w
}

// writer writes a recording as perf writes it to a pipe.
type writer struct {
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	data []byte
}

func (w *writer) record(kind perf.Kind, body []byte) {
	w.data = w.order.AppendUint32(w.data, uint32(kind))
	w.data = w.order.AppendUint16(w.data, 0)
	w.data = w.order.AppendUint16(w.data, uint16(8+len(body)))
	w.data = append(w.data, body...)
}

// attr writes an attribute. Its samples have an identifier, a thread, a time, a processor and raw
// data. Its side-band records have trailers.
func (w *writer) attr(id uint64) {
	const size = 64
	b := make([]byte, size, size+8)
	w.order.PutUint32(b, 1) // a software event
	w.order.PutUint32(b[4:], size)
	w.order.PutUint64(b[24:], uint64(perf.HasIdentifier|perf.HasTID|perf.HasTime|perf.HasCPU|perf.HasRaw))
	w.order.PutUint64(b[40:], uint64(perf.SampleIDAll))
	w.record(perf.HeaderAttr, w.order.AppendUint64(b, id))
}

func (w *writer) sample(id uint64, thread uint32, time uint64, cpu uint32, raw []byte) {
	b := w.order.AppendUint64(nil, id)
	b = w.order.AppendUint32(w.order.AppendUint32(b, thread), thread)
	b = w.order.AppendUint64(b, time)
	b = w.order.AppendUint64(b, uint64(cpu)<<(32*w.high()))
	w.record(perf.SampleKind, append(w.order.AppendUint32(b, uint32(len(raw))), raw...))
}

// high returns 1 if the first half of a 64-bit number is the high half.
func (w *writer) high() int {
	return int(w.order.Uint16([]byte{0, 1}) & 1)
}

// lost writes a LOST record: the kernel lost n records.
func (w *writer) lost(n uint64, thread uint32, time uint64) {
	w.side(perf.Lost, w.order.AppendUint64(w.order.AppendUint64(nil, 1), n), thread, time)
}

// side writes a side-band record with its trailer.
func (w *writer) side(kind perf.Kind, b []byte, thread uint32, time uint64) {
	b = w.order.AppendUint32(w.order.AppendUint32(b, thread), thread)
	b = w.order.AppendUint64(b, time)
	b = w.order.AppendUint64(b, 0)
	w.record(kind, w.order.AppendUint64(b, 1))
}

// told writes a record about the name, the parent or a mapping of a thread.
func (w *writer) told(r *rand.Rand, thread uint32, time uint64) {
	o, pid := w.order, uint32(r.IntN(5))
	two := func(a, b uint32) []byte { return o.AppendUint32(o.AppendUint32(nil, a), b) }
	switch name := fmt.Sprintf("name-%02d\x00", r.IntN(100)); r.IntN(3) {
	case 0:
		w.side(perf.Comm, append(two(thread, thread), name...), thread, time)
	case 1:
		b := append(two(pid, thread), two(pid, thread)...)
		w.side(perf.Fork, o.AppendUint64(b, time), thread, time)
	case 2:
		b := o.AppendUint64(o.AppendUint64(two(thread, thread), uint64(r.IntN(8))<<12), 2<<12)
		w.side(perf.Mmap, append(o.AppendUint64(b, 0), name...), thread, time)
	}
}

// rounds returns a recording of samples in rounds. Some samples come too late, have no attribute,
// or have data that look like the end of a round. Some rounds are empty. Some recordings are cut.
// Now and then a thread gets a name, a parent or a mapping.
func rounds(r *rand.Rand) []byte {
	w := &writer{order: binary.LittleEndian}
	if r.IntN(4) == 0 {
		w.order = binary.BigEndian
	}
	w.data = append([]byte{}, "PERFILE2"...)
	if w.high() == 1 {
		w.data = append([]byte{}, "2ELIFREP"...)
	}
	w.data = w.order.AppendUint64(w.data, 16)
	w.attr(1)
	w.attr(2)
	late, unknown, time := r.IntN(3) == 0, r.IntN(3) == 0, uint64(1000)
	for range 10 + r.IntN(60) {
		for cpu := range uint32(r.IntN(4)) {
			now := time + uint64(r.IntN(50))
			for range r.IntN(6) {
				now += uint64(r.IntN(20))
				w.event(r, now, cpu, late, unknown)
			}
		}
		time += uint64(r.IntN(80))
		w.record(perf.FinishedRound, nil)
	}
	switch r.IntN(5) {
	case 0:
		return w.data[:r.IntN(len(w.data))]
	case 1:
		w.data[200+r.IntN(len(w.data)-200)] ^= 1 << r.IntN(8)
	}
	return w.data
}

// event writes a sample, or sometimes another record.
func (w *writer) event(r *rand.Rand, time uint64, cpu uint32, late, unknown bool) {
	raw, id := make([]byte, 4+8*r.IntN(4)), uint64(1+r.IntN(2))
	switch n := r.IntN(100); {
	case n < 4:
		fake := writer{order: w.order}
		fake.record(perf.FinishedRound, nil)
		raw = append(raw, fake.data...)
	case n < 8 && late:
		time -= min(time, uint64(r.IntN(800)))
	case n < 12 && unknown:
		id = 3
	case n < 16:
		w.lost(uint64(r.IntN(10)), uint32(r.IntN(5)), time)
		return
	case n < 18:
		w.record(perf.ThreadMap, make([]byte, 8))
		return
	case n < 24:
		w.told(r, uint32(r.IntN(5)), time)
		return
	}
	w.sample(id, uint32(r.IntN(5)), time, cpu, raw)
}

// TestSlicesAreTheRecording: the slices in order give the same records, order of records, and
// damage as the whole recording.
func TestSlicesAreTheRecording(t *testing.T) {
	cuts, again, damaged := 0, 0, 0
	for seed := range uint64(needs.Cases(t, 200, 2000)) {
		r := rand.New(rand.NewPCG(seed, 3))
		data := rounds(r)
		o := record.Options{}
		switch r.IntN(6) {
		case 0:
			o.CPUs = []int32{int32(r.IntN(3))}
		case 1:
			o.Since, o.Until = uint64(r.IntN(3000)), uint64(3000+r.IntN(3000))
		case 2:
			o.Tasks = []int32{int32(r.IntN(5)), 7}
		}
		want, got := walkData(t, data, o, 0), walkData(t, data, o, 64<<r.IntN(7))
		if d := cmp.Diff(want.lines, got.lines); d != "" {
			t.Fatalf("seed %d, %+v (-whole +slices):\n%s", seed, o, d)
		}
		cuts += got.slices
		again += got.read - got.slices
		damaged += got.damage
	}
	t.Logf("%d slices, %d read again, %d places of damage", cuts, again, damaged)
	if cuts < 1000 || again < 20 || damaged < 100 {
		t.Errorf("only %d slices, %d read again, %d places of damage", cuts, again, damaged)
	}
}

// TestIndex: walks with an index give the same results as walks without one, also in slices.
func TestIndex(t *testing.T) {
	listed, used := 0, 0
	for seed := range uint64(needs.Cases(t, 60, 400)) {
		r := rand.New(rand.NewPCG(seed, 5))
		name := filepath.Join(t.TempDir(), "perf.data")
		if err := os.WriteFile(name, rounds(r), 0o644); err != nil {
			t.Fatal(err)
		}
		n, err := writeIndex(name)
		if err != nil {
			t.Fatal(err)
		}
		listed += n
		o := record.Options{IDs: []uint32{1 << 16, 1<<17 + uint32(perf.ThreadMap)}[r.IntN(2):][:1]}
		switch r.IntN(4) {
		case 0:
			o.CPUs = []int32{1}
		case 1:
			o.Since = uint64(1000 + r.IntN(3000))
		case 2:
			o = record.Options{Since: uint64(1000 + r.IntN(3000)), CPUs: [][]int32{nil, {1}}[r.IntN(2)]}
		}
		size := int64(64 << r.IntN(7))
		want := walkFile(t, name, o, 0, perf.WithIndex(""))
		for _, size := range []int64{0, size} {
			got := walkFile(t, name, o, size)
			if d := cmp.Diff(want.lines, got.lines); d != "" {
				t.Fatalf("seed %d, %+v, size %d (-without +with index):\n%s", seed, o, size, d)
			}
			used += len(got.lines)
		}
	}
	t.Logf("%d rounds, %d lines", listed, used)
	if listed < 500 || used < 1000 {
		t.Errorf("only %d rounds, %d lines", listed, used)
	}
}

// TestMergeSince: with an index, MergeSince returns all records except samples before the time. It
// skips at least a quarter of the early samples.
func TestMergeSince(t *testing.T) {
	passed, all := int64(0), int64(0)
	for seed := range uint64(needs.Cases(t, 60, 400)) {
		r := rand.New(rand.NewPCG(seed, 6))
		name := filepath.Join(t.TempDir(), "perf.data")
		if err := os.WriteFile(name, rounds(r), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := writeIndex(name); err != nil {
			t.Fatal(err)
		}
		since := uint64(1000 + r.IntN(4000))
		var want, got []string
		for _, to := range []*[]string{&want, &got} {
			rec, err := perf.Open(name)
			if err != nil {
				continue
			}
			m := rec.Merge(record.Options{})
			if to == &got {
				m = rec.MergeSince(record.Options{}, since)
			}
			for x, e := range m.All() {
				switch {
				case e.Event.Attr == nil && e.Event.Kind != perf.FinishedRound || x.Time >= since:
					*to = append(*to, fmt.Sprintf("%d %s at %d: %x", x.Time, e.Event.Name, e.Offset, e.Body))
				case to == &got:
					passed--
				default:
					passed, all = passed+1, all+1
				}
			}
			rec.Close()
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d, since %d (-all +since):\n%s", seed, since, d)
		}
	}
	t.Logf("%d of %d early records were passed", passed, all)
	if passed < all/4 {
		t.Errorf("%d of %d early records were passed", passed, all)
	}
}

// writeIndex writes the index of a recording. It returns the number of parts of the index.
func writeIndex(name string) (parts int, err error) {
	rec, err := perf.Open(name, perf.WithIndex(""))
	if err != nil {
		return 0, nil // damaged
	}
	defer rec.Close()
	x, err := rec.Index(context.Background())
	if err != nil {
		return 0, err
	}
	b, err := x.AppendBinary(nil)
	if err != nil {
		return 0, err
	}
	return x.Parts(), os.WriteFile(index.Name(name), b, 0o644)
}
