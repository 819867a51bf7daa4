package bind

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// lossyStream has records of which some are too short and some follow losses. It can be cut.
type lossyStream struct {
	list []record.Record
	part *record.Part // nil: the whole stream
	at   int
	size int // of batches, in records
}

func (s *lossyStream) Next() (record.Batch[none], error) {
	var batch []record.Record
	for p := s.part; len(batch) < s.size && s.at < len(s.list) && (p == nil || !p.Ended); s.at++ {
		r := s.list[s.at]
		if p == nil {
			batch = append(batch, r)
			continue
		}
		if here := (record.Place{At: int64(s.at), Lost: r.Lost}); r.Time >= p.First {
			if !p.Begun || p.Begin == record.AtEnd {
				p.Begun, p.Begin = true, here
			}
			if p.Last > 0 && r.Time >= p.Last {
				p.Ended, p.End = true, here
				break
			}
			batch = append(batch, r)
		}
	}
	if len(batch) > 0 {
		return record.Plain(batch), nil
	}
	if p := s.part; p != nil && !p.Ended {
		if !p.Begun {
			p.Begun, p.Begin = true, record.AtEnd
		}
		p.Ended, p.End = true, record.AtEnd
	}
	return record.Batch[none]{}, io.EOF
}

// TestParallelLosses: losses before short records count for the next record of their stream,
// whichever slice it is in. A loop that stops after a number of losses stops at the same record.
func TestParallelLosses(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		lists := make([][]record.Record, 1+r.IntN(4))
		short, lost := r.IntN(100), 1+r.IntN(20)
		for i := range lists {
			time := uint64(r.IntN(200))
			for n := range r.IntN(150) {
				x := record.Record{ID: 5, Time: time, Data: fmt.Appendf(nil, "%c%03d", 'a'+i, n)}
				if r.IntN(100) < short {
					x.Data = nil
				}
				if r.IntN(lost) == 0 {
					x.Lost = int64(r.IntN(8)) - 1 // LostUnknown, 0 or a number
				}
				lists[i] = append(lists[i], x)
				time += uint64(r.IntN(10))
			}
		}
		stop, size, batch := int64(1<<62), 20+float64(r.IntN(200)), 1+r.IntN(9)
		if r.IntN(3) == 0 {
			stop = int64(r.IntN(12))
		}
		cut := func(o record.Options, _ bool) []record.Slice[none] {
			cuts := []*record.Cut{nil}
			if o.Parallel() > 1 {
				var all []record.Sample
				for time := range uint64(1000) {
					all = append(all, record.Sample{Time: time, Size: 1})
				}
				cuts = record.Cuts(all, int64(size))
			}
			return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[none] {
				list := make([]*lossyStream, len(lists))
				for i := range lists {
					if list[i] = (&lossyStream{list: slices.Clone(lists[i]), size: batch}); c != nil {
						list[i].part = c.Part()
					}
				}
				return record.Merge(list, nil)
			})
		}
		var want []string
		for _, workers := range []int{1, 2, 5} {
			var got []string
			d := decoderOf(t, Container[none]{Source: recorded(hostBig, twoEvents()...), Slices: cut})
			s := Slicing{Records: record.Options{Workers: workers}}
			err := Parallel(t.Context(), d, s, func(_ *Decoder[none], list events) (got []string, err error) {
				for r := range list {
					if r.Lost == stop {
						break
					}
					got = append(got, fmt.Sprint(string(r.Data), r.Lost))
				}
				return got, nil
			}, func(slice []string) error { got = append(got, slice...); return nil })
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(d.Stats()))
			if workers == 1 {
				want = got
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d, %d workers, stop at %d (-one worker +several):\n%s", seed, workers, stop, d)
			}
		}
	}
}
