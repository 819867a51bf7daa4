package record_test

import (
	"errors"
	"io"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// slices is a stream over prepared batches that reuses one buffer, as real streams do.
type slices struct {
	batches [][]record.Record
	buf     []record.Record
	err     error
}

type batch = record.Batch[record.None]

func (s *slices) Next() (batch, error) {
	if len(s.batches) == 0 {
		if s.err != nil {
			return batch{}, s.err
		}
		return batch{}, io.EOF
	}
	for i := range s.buf {
		s.buf[i] = record.Record{Time: 0xdead} // contents of an earlier batch are gone
	}
	s.buf = append(s.buf[:0], s.batches[0]...)
	s.batches = s.batches[1:]
	return record.Plain(s.buf), nil
}

func TestMergeEqualsStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, want := drawStreams(t, true)
		sort.SliceStable(want, func(i, j int) bool { return want[i].Time < want[j].Time })
		checkMerge(t, streams, want)
	})
}

// The order for streams that go backwards is "always the smallest head": an independent O(n·k)
// merge.
func TestMergeTakesSmallestHead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, all := drawStreams(t, false)
		heads := make([][]record.Record, len(streams()))
		for _, r := range all {
			heads[r.Stream] = append(heads[r.Stream], r)
		}
		var want []record.Record
		for {
			best := -1
			for i, h := range heads {
				if len(h) > 0 && (best < 0 || h[0].Time < heads[best][0].Time) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			want = append(want, heads[best][0])
			heads[best] = heads[best][1:]
		}
		checkMerge(t, streams, want)
	})
}

func drawStreams(t *rapid.T, sorted bool) (make func() []record.Stream[record.None], all []record.Record) {
	times := rapid.OneOf(rapid.Uint64Range(0, 8), rapid.Uint64Range(0, 1000), rapid.Uint64())
	// more than the queue keeps sorted
	few, many := rapid.SliceOfN(rapid.SliceOf(times), 0, 9), rapid.SliceOfN(rapid.SliceOfN(times, 0, 9), 25, 120)
	parts := rapid.OneOf(few, many).Draw(t, "streams")
	size := rapid.IntRange(1, 5).Draw(t, "batch size")
	cut := func() []record.Stream[record.None] {
		streams := []record.Stream[record.None]{}
		for i, part := range parts {
			s := &slices{}
			for j, tm := range part {
				if j%size == 0 {
					s.batches = append(s.batches, nil)
				}
				last := len(s.batches) - 1
				s.batches[last] = append(s.batches[last], record.Record{Time: tm, ID: uint32(j), CPU: int32(i)})
			}
			streams = append(streams, s)
		}
		return streams
	}
	for i, part := range parts {
		if sorted {
			sort.Slice(part, func(a, b int) bool { return part[a] < part[b] })
		}
		for j, tm := range part {
			all = append(all, record.Record{Time: tm, ID: uint32(j), CPU: int32(i), Stream: int32(i)})
		}
	}
	return cut, all
}

func checkMerge(t *rapid.T, streams func() []record.Stream[record.None], want []record.Record) {
	var got []record.Record
	for r := range record.Merge(streams(), nil).All() {
		got = append(got, *r)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("-want +got:\n%s", d)
	}
}

func TestMergeGoesOnAfterAFailedStream(t *testing.T) {
	broken := errors.New("disk on fire")
	m := record.Merge([]*slices{
		{batches: [][]record.Record{{{Time: 1}, {Time: 5}}}},
		{batches: [][]record.Record{{{Time: 2}}}, err: broken},
		{err: broken},
	}, nil)
	var times []uint64
	failed := 0
	for {
		records, _, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if failed++; failed > 2 {
				t.Fatal(err)
			}
			continue
		}
		for _, r := range records {
			times = append(times, r.Time)
		}
	}
	if d := cmp.Diff([]uint64{1, 2, 5}, times); d != "" || failed != 2 {
		t.Errorf("%d errors, want 2; times (-want +got):\n%s", failed, d)
	}
}

func TestMergeReportsEveryStreamThatFailsAtOnce(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	m := record.Merge([]*slices{{err: first}, {err: second}, {batches: [][]record.Record{{{Time: 3}}}}}, nil)
	if _, _, err := m.NextRun(); !errors.Is(err, first) || !errors.Is(err, second) {
		t.Errorf("got %v", err)
	}
	if records, _, err := m.NextRun(); err != nil || records[0].Time != 3 {
		t.Errorf("got %v, %v", records, err)
	}
}

func TestMergeOfNothing(t *testing.T) {
	if _, _, err := record.Merge([]*slices{}, nil).NextRun(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want io.EOF", err)
	}
}

func TestMergeRunStopsAtTheCallersError(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	err := record.Merge([]*slices{{batches: [][]record.Record{{{Time: 1}, {Time: 2}, {Time: 3}}}}}, nil).Run(
		func(*record.Record, *record.None) error {
			if n++; n == 2 {
				return stop
			}
			return nil
		})
	if err != stop || n != 2 {
		t.Errorf("%d records, then %v", n, err)
	}
}

func TestMergeDoesNotSpinOnEmptyBatches(t *testing.T) {
	m := record.Merge([]emptyBatches{{}}, nil)
	if _, _, err := m.NextRun(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v, want io.ErrNoProgress", err)
	}
	if _, _, err := m.NextRun(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want io.EOF", err)
	}
}

type emptyBatches struct{}

func (emptyBatches) Next() (batch, error) { return batch{}, nil }

// bursts yields the same batch forever with rising times, like a processor that is busy for a
// while.
type bursts struct {
	buf  [256]record.Record
	time uint64
	gap  uint64
	left int
}

func (b *bursts) Next() (batch, error) {
	if b.left--; b.left < 0 {
		return batch{}, io.EOF
	}
	for i := range b.buf {
		if b.time++; b.time%16 == 0 {
			b.time += b.gap
		}
		b.buf[i].Time = b.time
	}
	return record.Plain(b.buf[:]), nil
}

func TestMergeDoesNotAllocate(t *testing.T) {
	m := record.Merge([]*bursts{{gap: 16, left: 1 << 20}, {gap: 17, left: 1 << 20}}, nil)
	n := testing.AllocsPerRun(1000, func() {
		if _, _, err := m.NextRun(); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per run, want 0", n)
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, k := range []int{1, 2, 8, 64} {
		b.Run(string(rune('0'+k/10))+string(rune('0'+k%10))+"streams", func(b *testing.B) {
			streams := make([]*bursts, k)
			for i := range streams {
				streams[i] = &bursts{gap: uint64(16*(k-1) + i), left: 1 << 30}
			}
			m := record.Merge(streams, nil)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				records, _, _ := m.NextRun()
				n += len(records)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mev/s")
		})
	}
}

// TestThrough checks that runs pass a function in time order, and that the function may change
// records, drop some, or drop a whole run.
func TestThrough(t *testing.T) {
	streams := []*slices{
		{batches: [][]record.Record{{{Time: 1}, {Time: 2}}, {{Time: 7}}}},
		{batches: [][]record.Record{{{Time: 3}, {Time: 5}, {Time: 6}}}},
	}
	var seen []uint64
	m := record.Merge(streams, nil).Through(func(records []record.Record, entries []record.None) ([]record.Record,
		[]record.None) {
		for i := range records {
			seen = append(seen, records[i].Time)
			records[i].Task = int32(records[i].Time)
		}
		b := choice.Filter(choice.Of(&record.Options{Tasks: []int32{2, 6}}),
			record.Batch[record.None]{Records: records, Entries: entries})
		return b.Records, b.Entries
	})
	var got []int32
	for r := range m.All() {
		got = append(got, r.Task)
	}
	if d := cmp.Diff([]uint64{1, 2, 3, 5, 6, 7}, seen); d != "" {
		t.Errorf("seen (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int32{2, 6}, got); d != "" || m.Err() != nil {
		t.Errorf("%v (-want +got):\n%s", m.Err(), d)
	}
}
