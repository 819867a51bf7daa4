package lttng

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/indextest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

// TestRealLosses: the third sub-buffer of vm_state_2 counts 3029 lost events. The gap in time is
// before the first event of the fourth sub-buffer.
func TestRealLosses(t *testing.T) {
	rec := openReal(t, "trace-698650events_3029lost-8CPU")
	var last uint64
	sum := int64(0)
	for _, s := range rec.Streams(record.Options{}) {
		last = 0
		for {
			b, err := s.Next()
			if err != nil {
				break
			}
			for i, r := range b.Records {
				if r.Lost != 0 && (s.File().Path != "vm_state_2" || b.Entries[i].Offset != 3*65536+68 ||
					r.Time-last < 1e6) {
					t.Errorf("%s, offset %d: %d lost in %d ns", s.File().Path, b.Entries[i].Offset, r.Lost, r.Time-last)
				}
				sum += r.Lost
				last = r.Time
			}
		}
		if n := s.File().LostAtEnd(); n != 0 {
			t.Errorf("%s: %d lost at the end", s.File().Path, n)
		}
	}
	if sum != 3029 {
		t.Errorf("%d lost, want 3029", sum)
	}
}

// lossy is a trace on disk, with its losses.
type lossy struct {
	dir    string
	lost   map[string][]int64 // by file: before each of its events
	atEnd  map[string]int64
	counts map[string]uint32
}

func writeLossy(t testing.TB, r *rand.Rand) *lossy {
	t.Helper()
	l := Layout{Dialect: V22 + Dialect(r.IntN(5)), BigEndian: r.IntN(2) == 0, WordSize: 4 + 4*r.IntN(2),
		Sized: r.IntN(2) == 0, BlockSize: 4096, CPUs: 1 + r.IntN(3), Freq: 1e9, StartTSC: 5}
	l.Alignment = r.IntN(2) * l.WordSize
	x := &lossy{dir: filepath.Join(t.TempDir(), "trace"), lost: map[string][]int64{}, atEnd: map[string]int64{},
		counts: map[string]uint32{}}
	w, err := NewWriter(CreateIn(x.dir), l)
	if err != nil {
		t.Fatal(err)
	}
	channels := []string{"kernel", "fs"}
	if !l.Dialect.perChannel() {
		channels = []string{"cpu", "control/processes"}
	}
	var markers []*Mark
	for i, c := range channels {
		for _, m := range []struct{ name, format string }{{"fixed", "a #1u%u b %lu"}, {"text", "name %s v %u"},
			{"sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld"}} {
			if !l.Dialect.perChannel() {
				m.name = fmt.Sprintf("kernel_%s%s", m.name, strings.Repeat("_", i))
			}
			marker, err := w.Marker(c, m.name, m.format)
			if err != nil {
				t.Fatal(err)
			}
			markers = append(markers, marker)
		}
	}
	tsc, often := l.StartTSC, 1+r.IntN(400)
	for i := range 1000 + r.IntN(3000) {
		tsc += uint64(r.IntN(3000))
		cpu, which := r.IntN(l.CPUs), r.IntN(len(markers))
		if r.IntN(100) > 0 { // few of some kinds
			which = which / 3 * 3
		}
		m, file := markers[which], fmt.Sprintf("%s_%d", channels[which/3], cpu)
		switch which % 3 {
		case 0:
			err = w.Event(cpu, m, tsc, i, i*1000)
		case 1:
			err = w.Event(cpu, m, tsc, strings.Repeat("n", i%17), i)
		case 2:
			err = w.Event(cpu, m, tsc, i%5, i%7, i%2)
		}
		if err != nil {
			t.Fatal(err)
		}
		x.lost[file] = append(x.lost[file], x.atEnd[file])
		x.atEnd[file] = 0
		for r.IntN(often) == 0 {
			n := uint32(r.IntN(3) * r.IntN(1000))
			if err := w.Lose(cpu, m, n); err != nil {
				t.Fatal(err)
			}
			x.atEnd[file] += int64(n)
			x.counts[file] += n
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return x
}

// found is an event and the number of events lost before it.
type found struct {
	Time, ID          uint64
	Lost, Offset      int64
	CPU, Task, Stream int32
}

// all reads the events of a merge.
func all(t testing.TB, m *record.Merger[Entry]) (list []found) {
	t.Helper()
	for r, e := range m.All() {
		list = append(list, found{r.Time, uint64(r.ID), r.Lost, e.Offset, r.CPU, r.Task, r.Stream})
	}
	if m.Err() != nil {
		t.Fatal(m.Err())
	}
	return list
}

// choose returns the losses that options select, from all events in time order.
func choose(list []found, o *record.Options) (chosen []found) {
	owed := map[int32]int64{}
	for _, f := range list {
		switch {
		case f.Time < o.Since || o.Until > 0 && f.Time >= o.Until:
		case o.HasID(uint32(f.ID)) && o.HasTask(f.Task) && o.HasCPU(f.CPU):
			f.Lost, owed[f.Stream] = f.Lost+owed[f.Stream], 0
			chosen = append(chosen, f)
		case f.Time >= o.LostSince:
			owed[f.Stream] += f.Lost
		}
	}
	return chosen
}

// TestLostBefore: every way to read a trace reports the same losses before the same events:
// streams, merges, slices, with an index, and while the trace is followed.
func TestLostBefore(t *testing.T) {
	events, again := 0, 0
	for seed := range uint64(needs.Cases(t, 10, 60)) {
		r := rand.New(rand.NewPCG(seed, 11))
		x := writeLossy(t, r)
		opts := []Option{}
		if r.IntN(3) == 0 {
			opts = append(opts, WithTasks())
		}
		open := func(more ...Option) *Recording {
			rec, err := Open(x.dir, slices.Concat(opts, more)...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { rec.Close() })
			return rec
		}
		rec := open()
		whole := all(t, rec.Merge(record.Options{}))
		x.check(t, rec, whole)
		indextest.Write(t, rec, index.Name(x.dir))
		for range 6 {
			o := chosenOf(r)
			if o.After, o.CPUs = nil, nil; !rec.Scheduled() { // stream numbers below are numbers of the whole recording
				o.Tasks = nil
			}
			base := whole
			if o.Tasks != nil {
				base = all(t, rec.MergeTasks(record.Options{}))
			}
			if o.Since == 0 && r.IntN(2) == 0 {
				o.LostSince = uint64(r.IntN(6e6))
			}
			want := choose(base, &o)
			events += len(want)
			same := func(how string, got []found) {
				t.Helper()
				if !slices.Equal(want, got) {
					t.Fatalf("seed %d, %+v, %s (-want +got):\n%s", seed, o, how, cmp.Diff(want, got))
				}
			}
			same("merged", all(t, open(WithIndex("")).Merge(o)))
			same("by an index", all(t, open().Merge(o)))
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			same("followed", all(t, open(WithFollow(record.Follow{Until: ended, Delay: time.Hour,
				Poll: time.Millisecond})).Merge(o)))
			o.Workers = 2 + r.IntN(3)
			got, n := inSlices(t, rec.Slices(o, 4096<<r.IntN(3)), o.Workers)
			again += n
			same("in slices", got)

			slices.SortStableFunc(want, func(a, b found) int { return int(a.Stream - b.Stream) })
			var streams []found
			for _, s := range open().Streams(o) {
				one := all(t, record.Only(s, s.File().Index()))
				streams = append(streams, one...)
			}
			same("stream by stream", streams)
			got, _ = inSlices(t, rec.StreamSlices(o, 4096<<r.IntN(3)), o.Workers)
			same("streams in slices", got)
		}
	}
	t.Logf("%d events, %d slices begun again", events, again)
}

// check compares a recording with the events written.
func (x *lossy) check(t *testing.T, rec *Recording, whole []found) {
	t.Helper()
	lost := map[string][]int64{}
	for _, f := range whole {
		name := rec.Files()[f.Stream].Path
		lost[name] = append(lost[name], f.Lost)
	}
	for _, f := range rec.Files() {
		if f.isMetadata() {
			continue
		}
		if d := cmp.Diff(x.lost[f.Path], lost[f.Path]); d != "" {
			t.Errorf("%s (-written +read):\n%s", f.Path, d)
		}
		if n := f.LostAtEnd(); n != x.atEnd[f.Path] || f.EventsLost != x.counts[f.Path] {
			t.Errorf("%s: %d lost at the end of %d, want %d of %d", f.Path, n, f.EventsLost, x.atEnd[f.Path],
				x.counts[f.Path])
		}
	}
}

func inSlices(t *testing.T, list []record.Slice[Entry], workers int) (out []found, again int) {
	t.Helper()
	calls := make([]int, workers+1)
	err := record.InSlices(t.Context(), list, workers, func(w int, s record.Slice[Entry]) ([]found, error) {
		calls[w]++
		return all(t, s.Merge()), nil
	}, func(l []found) error {
		out = append(out, l...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, calls[workers]
}

// TestLossesOfHeaders: totals that decrease are damage. The number of lost events is then unknown.
func TestLossesOfHeaders(t *testing.T) {
	const unknown, open = record.LostUnknown, 1 << 32
	for _, c := range []struct {
		totals []uint64 // of the headers
		lost   []int64  // before each sub-buffer, and after the last
	}{
		{[]uint64{0, 0, 0}, []int64{0, 0, 0, 0}},
		{[]uint64{0, 5, 5, 7}, []int64{0, 0, 5, 0, 2}},
		{[]uint64{3}, []int64{0, 3}},
		{[]uint64{5, open, 5, 9}, []int64{0, 5, 0, 0, 4}},
		{[]uint64{open, 4, open}, []int64{0, 0, 4, 0}},
		{[]uint64{5, 5, 1, 5, 5}, []int64{0, 5, 0, unknown, unknown, 0}},
		{[]uint64{5, 1 << 31, 5, 6, 6}, []int64{0, 5, unknown, unknown, unknown, 0}},
		{[]uint64{0, 4, 2}, []int64{0, 0, unknown, unknown}},
	} {
		var l losses
		var got []int64
		for _, total := range c.totals {
			got = append(got, l.enter(&header{open: total == open, missed: missed{lost: uint32(total), known: true}}))
		}
		if got = append(got, l.pending()); !slices.Equal(got, c.lost) {
			t.Errorf("%v: %v, want %v", c.totals, got, c.lost)
		}
	}
}

// TestLoseOld: headers before 2.2 do not count.
func TestLoseOld(t *testing.T) {
	w, err := NewWriter(newMemory().create, Layout{Dialect: V21, WordSize: 8, BlockSize: 4096, CPUs: 1, Freq: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.Marker("cpu", "fixed", "a %u")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Lose(0, m, 1); err == nil {
		t.Error("no error")
	}
}

// TestLostToDamage: where damage skips uncounted events, the next event reports a loss, and no
// other event does.
func TestLostToDamage(t *testing.T) {
	for _, l := range smallLayouts {
		mem, data, _ := smallTrace(t, l)
		used, block := sizeFields(l.Dialect)
		for _, c := range []struct {
			name   string
			damage func(b []byte)
			before int64 // the sub-buffer whose first event reports it
		}{
			{"nothing", func([]byte) {}, -1},
			{"an event", func(b []byte) { copy(b[1000:], bytes.Repeat([]byte{0xff}, 64)) }, 1},
			{"a header", func(b []byte) { clear(b[4096 : 4096+64]) }, 2},
			{"a size", func(b []byte) { copy(b[4096+block:], "\x00\x00\x01\x00") }, 2},
			{"never closed", func(b []byte) {
				copy(b[used:], "\xff\xff\xff\xff")
				copy(b[1000:],
					bytes.Repeat([]byte{0xff}, 64))
			}, 1},
			{"never closed, and whole", func(b []byte) { copy(b[used:], "\xff\xff\xff\xff") }, -1},
		} {
			b := slices.Clone(mem.files[data].Data)
			c.damage(b)
			rec := openMemory(t, mem.put(data, b))
			first := map[int64]bool{}
			for _, f := range all(t, rec.Merge(record.Options{})) {
				if rec.Files()[f.Stream].Path != data {
					continue
				}
				in, want := f.Offset/4096, int64(0)
				if in == c.before && !first[in] {
					want = record.LostUnknown
				}
				if first[in] = true; f.Lost != want {
					t.Errorf("%v, %s: %d lost before the event at %d, want %d", l.Dialect, c.name, f.Lost, f.Offset,
						want)
				}
			}
			if c.before >= 0 && !first[c.before] {
				t.Errorf("%v, %s: no event in sub-buffer %d", l.Dialect, c.name, c.before)
			}
		}
	}
}
