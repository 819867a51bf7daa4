package record_test

import (
	"context"
	"errors"
	"io"
	"math"
	"sort"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// appearing is a batch that can be read from a certain time on.
type appearing struct {
	at      time.Duration
	records []record.Record
	seen    time.Time
}

// growing is a stream whose batches appear while it is read. Times of records are nanoseconds since
// begin.
type growing struct {
	live    *record.Live
	begin   time.Time
	batches []appearing
	end     time.Duration // of the recording
	seen    time.Time
	err     error // instead of io.EOF
	asked   int
}

func (g *growing) Live() *record.Live { return g.live }
func (g *growing) Seen() time.Time    { return g.seen }

func (g *growing) Next() (batch, error) {
	g.asked++
	g.look()
	now := time.Since(g.begin)
	switch {
	case len(g.batches) > 0 && now >= g.batches[0].at:
		b := g.batches[0]
		g.batches, g.seen = g.batches[1:], b.seen
		return record.Plain(b.records), nil
	case len(g.batches) > 0 || now < g.end:
		return batch{}, record.ErrPending
	case g.err != nil:
		return batch{}, g.err
	}
	return batch{}, io.EOF
}

// look marks the batches that have appeared as seen.
func (g *growing) look() {
	for i := range g.batches {
		if b := &g.batches[i]; b.seen.IsZero() && time.Since(g.begin) >= b.at {
			b.seen = time.Now()
		}
	}
}

// sleeper waits without knowing about coming records.
func sleeper(delay time.Duration) *record.Live {
	return &record.Live{Delay: delay, Wait: func(d time.Duration) error {
		time.Sleep(d)
		return nil
	}}
}

func at(ms ...int) (records []record.Record) {
	for _, t := range ms {
		records = append(records, record.Record{Time: uint64(t) * uint64(time.Millisecond)})
	}
	return records
}

// show returns records that appear at a time. All times are in milliseconds.
func show(when int, times ...int) appearing {
	return appearing{at: time.Duration(when) * ms, records: at(times...)}
}

const ms = time.Millisecond

// Records that appear within Delay arrive in time order, once, and not much later than Delay.
func TestLiveMergeIsInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		delay := time.Duration(rapid.IntRange(1, 50).Draw(rt, "delay")) * ms
		parts, want := drawAppearing(rt, delay)
		var got []record.Record
		var slowest time.Duration
		var err error
		live := sleeper(delay)
		synctest.Test(t, func(*testing.T) {
			streams, begin := make([]*growing, len(parts)), time.Now()
			for i := range parts {
				streams[i] = &growing{live: live, begin: begin, end: time.Second, batches: parts[i]}
			}
			sleep := live.Wait
			live.Wait = func(d time.Duration) error {
				defer func() {
					for _, g := range streams { // including streams that are not read
						g.look()
					}
				}()
				return sleep(d)
			}
			err = record.Merge(streams, nil).EachRun(func(run []record.Record, _ []record.None) error {
				got = append(got, run...)
				slowest = max(slowest, time.Since(begin)-time.Duration(run[0].Time))
				return nil
			})
		})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			rt.Errorf("error %v, merged (-want +got):\n%s", err, diff)
		}
		if live.Late() != 0 {
			rt.Errorf("%d are late", live.Late())
		}
		if slowest > 3*delay+2*ms { // until it shows, until it is read, until others have been read
			rt.Errorf("a record passes %v after its time, with a delay of %v", slowest, delay)
		}
	})
}

// drawAppearing draws streams whose records appear after their times, by at most delay, and all
// records in order.
func drawAppearing(t *rapid.T, delay time.Duration) (parts [][]appearing, all []record.Record) {
	parts = make([][]appearing, rapid.IntRange(1, 40).Draw(t, "streams"))
	for i := range parts {
		var now, shown time.Duration
		for range rapid.IntRange(0, 8).Draw(t, "batches") {
			now += time.Duration(rapid.Int64Range(0, int64(60*ms)).Draw(t, "gap"))
			first := now
			b := appearing{}
			for range rapid.IntRange(1, 4).Draw(t, "records") {
				b.records = append(b.records, record.Record{Time: uint64(now), Stream: int32(i), ID: uint32(len(all))})
				all = append(all, b.records[len(b.records)-1])
				now += time.Duration(rapid.Int64Range(0, int64(delay/4)).Draw(t, "step"))
			}
			last := time.Duration(b.records[len(b.records)-1].Time)
			shown = max(shown, time.Duration(rapid.Int64Range(int64(last), int64(first+delay)).Draw(t, "shown")))
			b.at = shown
			parts[i] = append(parts[i], b)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Time < all[j].Time })
	return parts, all
}

// Records that appear later than Delay pass at once and are counted.
func TestLiveMergeCountsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		live := sleeper(20 * ms)
		begin := time.Now()
		a := &growing{live: live, begin: begin, end: 300 * ms,
			batches: []appearing{show(10, 10), show(40, 40), show(100, 100)}}
		b := &growing{live: live, begin: begin, end: 300 * ms, batches: []appearing{show(75, 5, 30, 60)}}
		var times []uint64
		m := record.Merge([]*growing{a, b}, nil)
		for r := range m.All() {
			times = append(times, r.Time/uint64(ms))
			if now := time.Since(begin); r.Stream == 1 && r.Time < uint64(40*ms) && now > 90*ms {
				t.Errorf("the late record of %d waits until %v", r.Time/uint64(ms), now)
			}
		}
		if diff := cmp.Diff([]uint64{10, 40, 5, 30, 60, 100}, times); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
		if m.Err() != nil || live.Late() != 2 {
			t.Errorf("%d are late, error %v; want 2", live.Late(), m.Err())
		}
	})
}

// All loops wait. Loops in stream order wait as well: otherwise they would never reach the second
// stream.
func TestLiveLoops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, loop := range map[string]func([]*growing, func([]record.Record, []record.None) error) error{
			"InStreamOrder": func(s []*growing, fn func([]record.Record, []record.None) error) error {
				return record.InStreamOrder(s, fn)
			},
			"Slices": func(s []*growing, fn func([]record.Record, []record.None) error) error {
				return record.InSlices(t.Context(), record.Slices[record.None](s), 2,
					func(_ int, s record.Slice[record.None]) (struct{}, error) {
						return struct{}{}, s.Merge().EachRun(fn)
					}, func(struct{}) error { return nil })
			},
			"Only": func(s []*growing, fn func([]record.Record, []record.None) error) error {
				return errors.Join(record.Only(s[0], 7).EachRun(fn), record.Only(s[1], 8).EachRun(fn))
			},
		} {
			begin, live := time.Now(), sleeper(5*ms)
			a := &growing{live: live, begin: begin, end: 90 * ms, batches: []appearing{show(10, 10), show(70, 40, 70)}}
			b := &growing{live: live, begin: begin, end: 90 * ms, batches: []appearing{show(50, 50)}}
			var times []uint64
			err := loop([]*growing{a, b}, func(run []record.Record, _ []record.None) error {
				for _, r := range run {
					times = append(times, r.Time/uint64(ms))
				}
				return nil
			})
			if name == "Only" {
				sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
			}
			want := []uint64{10, 50, 40, 70} // 40 appears with 70, after a delay
			if name == "Only" {
				want = []uint64{10, 40, 50, 70}
			}
			if diff := cmp.Diff(want, times); err != nil || diff != "" {
				t.Errorf("%s: error %v, order (-want +got):\n%s", name, err, diff)
			}
			if asked := a.asked + b.asked; asked > 100 {
				t.Errorf("%s: streams are asked %d times in 90 ms", name, asked)
			}
		}
	})
}

// A stream that fails is reported once and the others continue. An added stream is read as well.
func TestLiveMergeGrowsAndFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, live := time.Now(), sleeper(5*ms)
		broken := errors.New("broken")
		a := &growing{live: live, begin: begin, end: 20 * ms, batches: []appearing{show(10, 10)}, err: broken}
		c := &growing{live: live, begin: begin, end: 60 * ms, batches: []appearing{show(45, 45)}}
		b := &growing{live: live, begin: begin, end: 80 * ms, batches: []appearing{show(30, 30), show(75, 75)}}
		m := record.Merge([]*growing{a, b}, nil)
		var got []record.Record
		err := m.EachRun(func(run []record.Record, _ []record.None) error {
			got = append(got, run...)
			if run[0].Time == uint64(30*ms) {
				m.Add(c)
			}
			return nil
		})
		want := append(append(append(at(10), at(30)...), at(45)...), at(75)...)
		for i, stream := range []int32{0, 1, 2, 1} {
			want[i].Stream = stream
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("merged (-want +got):\n%s", diff)
		}
		if !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		if run, _, err := m.NextRun(); run != nil || err != io.EOF {
			t.Errorf("after the end: %v, %v", run, err)
		}
	})
}

// The end of a context ends a merge that waits, and is reported once.
func TestLiveMergeEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*ms)
		defer cancel()
		live := &record.Live{Delay: time.Hour, Wait: func(d time.Duration) error {
			select {
			case <-ctx.Done():
			case <-time.After(d):
			}
			return ctx.Err()
		}}
		closed := 0
		g := &growing{live: live, begin: time.Now(), end: math.MaxInt64}
		m := record.Merge([]*growing{g}, func() { closed++ })
		begin := time.Now()
		err := m.EachRun(func([]record.Record, []record.None) error { return nil })
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 50*ms || closed != 1 {
			t.Errorf("after %v: %v, closed %d times", time.Since(begin), err, closed)
		}
	})
}

// Ready never waits and loses nothing. It reports available records.
func TestLiveReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, live := time.Now(), sleeper(5*ms)
		a := &growing{live: live, begin: begin, end: 40 * ms,
			batches: []appearing{show(10, 10), show(10, 11), show(30, 30)}, err: io.ErrUnexpectedEOF}
		m := record.Merge([]*growing{a}, nil)
		var got []string
		for {
			now := time.Since(begin)
			ready := m.Ready()
			if time.Since(begin) != now {
				t.Fatal("Ready waits")
			}
			run, _, err := m.NextRun()
			if err == io.EOF {
				break
			}
			what := "waits"
			if ready {
				what = "ready"
			}
			if waited := time.Since(begin) != now; waited == ready {
				t.Errorf("ready %v, waited %v", ready, waited)
			}
			if err != nil {
				got = append(got, what+" "+err.Error())
				continue
			}
			got = append(got, what+" "+time.Duration(run[0].Time).String())
		}
		if diff := cmp.Diff([]string{"waits 10ms", "ready 11ms", "waits 30ms", "waits unexpected EOF"},
			got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
