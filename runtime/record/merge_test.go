package record_test

import (
	"errors"
	"io"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// slices is a stream over prepared batches that reuses one buffer, as real streams do.
type slices struct {
	batches [][]record.Record
	buf     []record.Record
	err     error
}

func (s *slices) Next() ([]record.Record, error) {
	if len(s.batches) == 0 {
		if s.err != nil {
			return nil, s.err
		}
		return nil, io.EOF
	}
	for i := range s.buf {
		s.buf[i] = record.Record{Time: 0xdead} // what an earlier batch held is gone
	}
	s.buf = append(s.buf[:0], s.batches[0]...)
	s.batches = s.batches[1:]
	return s.buf, nil
}

func TestMergeEqualsStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, want := drawStreams(t, true)
		sort.SliceStable(want, func(i, j int) bool { return want[i].Time < want[j].Time })
		checkMerge(t, streams, want)
	})
}

// The order for streams that go backwards is "always the smallest head": an independent O(n·k) merge.
func TestMergeTakesSmallestHead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, all := drawStreams(t, false)
		heads := make([][]record.Record, 10)
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

func drawStreams(t *rapid.T, sorted bool) (make func() []record.Stream, all []record.Record) {
	times := rapid.OneOf(rapid.Uint64Range(0, 8), rapid.Uint64Range(0, 1000), rapid.Uint64())
	parts := rapid.SliceOfN(rapid.SliceOf(times), 0, 9).Draw(t, "streams")
	size := rapid.IntRange(1, 5).Draw(t, "batch size")
	cut := func() []record.Stream {
		streams := []record.Stream{}
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

func checkMerge(t *rapid.T, streams func() []record.Stream, want []record.Record) {
	var got []record.Record
	err := record.NewMerger(streams()).Run(func(r *record.Record) error {
		got = append(got, *r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("Run (-want +got):\n%s", d)
	}
	got = nil
	for m := record.NewMerger(streams()); ; {
		r, err := m.Next()
		if err != nil {
			break
		}
		got = append(got, *r)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("Next (-want +got):\n%s", d)
	}
}

func TestMergeGoesOnAfterAFailedStream(t *testing.T) {
	broken := errors.New("disk on fire")
	m := record.NewMerger([]record.Stream{
		&slices{batches: [][]record.Record{{{Time: 1}, {Time: 5}}}},
		&slices{batches: [][]record.Record{{{Time: 2}}}, err: broken},
		&slices{err: broken},
	})
	var times []uint64
	failed := 0
	for {
		r, err := m.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if failed++; failed > 2 {
				t.Fatal(err)
			}
			continue
		}
		times = append(times, r.Time)
	}
	if d := cmp.Diff([]uint64{1, 2, 5}, times); d != "" || failed != 2 {
		t.Errorf("%d errors, want 2; times (-want +got):\n%s", failed, d)
	}
}

func TestMergeReportsEveryStreamThatFailsAtOnce(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	m := record.NewMerger([]record.Stream{&slices{err: first}, &slices{err: second}, &slices{batches: [][]record.Record{{{Time: 3}}}}})
	if _, err := m.Next(); !errors.Is(err, first) || !errors.Is(err, second) {
		t.Errorf("got %v", err)
	}
	if r, err := m.Next(); err != nil || r.Time != 3 {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestMergeOfNothing(t *testing.T) {
	if _, err := record.NewMerger(nil).Next(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want io.EOF", err)
	}
}

func TestMergeRunStopsAtTheCallersError(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	err := record.NewMerger([]record.Stream{&slices{batches: [][]record.Record{{{Time: 1}, {Time: 2}, {Time: 3}}}}}).Run(
		func(*record.Record) error {
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
	m := record.NewMerger([]record.Stream{emptyBatches{}})
	if _, err := m.NextRun(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v, want io.ErrNoProgress", err)
	}
	if _, err := m.NextRun(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want io.EOF", err)
	}
}

type emptyBatches struct{}

func (emptyBatches) Next() ([]record.Record, error) { return nil, nil }

// bursts yields the same batch for ever with times that go on, as a processor does that is busy for a while.
type bursts struct {
	buf  [256]record.Record
	time uint64
	gap  uint64
	left int
}

func (b *bursts) Next() ([]record.Record, error) {
	if b.left--; b.left < 0 {
		return nil, io.EOF
	}
	for i := range b.buf {
		if b.time++; b.time%16 == 0 {
			b.time += b.gap
		}
		b.buf[i].Time = b.time
	}
	return b.buf[:], nil
}

func TestMergeDoesNotAllocate(t *testing.T) {
	m := record.NewMerger([]record.Stream{&bursts{gap: 16, left: 1 << 20}, &bursts{gap: 17, left: 1 << 20}})
	n := testing.AllocsPerRun(1000, func() {
		if _, err := m.NextRun(); err != nil {
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
			streams := make([]record.Stream, k)
			for i := range streams {
				streams[i] = &bursts{gap: uint64(16*(k-1) + i), left: 1 << 30}
			}
			m := record.NewMerger(streams)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				run, _ := m.NextRun()
				n += len(run)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mev/s")
		})
	}
}
