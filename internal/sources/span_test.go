package sources

import (
	"context"
	"io"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/record"
)

// timesStream is a stream of records at given times.
type timesStream struct {
	times []uint64
	since uint64
	read  *int
}

func (s *timesStream) Next() (record.Batch[record.None], error) {
	for len(s.times) > 0 && s.times[0] < s.since {
		s.times = s.times[1:]
	}
	n := min(len(s.times), 4)
	if n == 0 {
		return record.Batch[record.None]{}, io.EOF
	}
	records := make([]record.Record, n)
	for i, t := range s.times[:n] {
		records[i].Time = t
	}
	s.times = s.times[n:]
	*s.read += n
	return record.Plain(records), nil
}

// TestEnds: the first and the last record are found in any recording. Only few of many records are
// read.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		time := rapid.OneOf(rapid.Uint64Range(0, 50), rapid.Uint64Range(1e9, 1e12), rapid.Uint64(),
			rapid.Just(uint64(math.MaxUint64)))
		streams := rapid.SliceOfN(rapid.SliceOfN(time, 0, 80), 0, 4).Draw(t, "streams")
		var all []uint64
		for _, s := range streams {
			slices.Sort(s)
			all = append(all, s...)
		}
		read := 0
		merge := func(o record.Options) *record.Merger[record.None] {
			var list []*timesStream
			for _, s := range streams {
				list = append(list, &timesStream{s, o.Since, &read})
			}
			return record.Merge(list, nil)
		}
		s := ends[record.None]{ctx: context.Background(), merge: merge, most: rapid.IntRange(1, 40).Draw(t, "most")}
		s.there = min(s.most, rapid.IntRange(1, 40).Draw(t, "there"))
		s.is = func(*record.Record, *record.None) bool { return true }
		first, last, ok, err := s.find()
		if err != nil || ok != (len(all) > 0) {
			t.Fatalf("%v, %v", ok, err)
		}
		if ok && (first != slices.Min(all) || last != slices.Max(all)) {
			t.Fatalf("%d to %d, want %d to %d", first, last, slices.Min(all), slices.Max(all))
		}
	})
}

// TestEndsReadLittle: only some of many records are read.
func TestEndsReadLittle(t *testing.T) {
	var times []uint64
	for i := range 10 * uint64(mostBefore) {
		times = append(times, i*1000)
	}
	read := 0
	_, last, _, err := Ends(t.Context(), func(o record.Options) *record.Merger[record.None] {
		at, _ := slices.BinarySearch(times, o.Since)
		return record.Merge([]*timesStream{{times[at:], o.Since, &read}}, nil)
	}, func(*record.Record, *record.None) bool { return true }, false)
	if want := times[len(times)-1]; last != want || err != nil || read > len(times)/4 {
		t.Errorf("%d, want %d; %d of %d records are read; %v", last, want, read, len(times), err)
	}
}
