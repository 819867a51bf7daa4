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

// lossyStream has records of which some are too short and some come after lost ones. It can be cut.
type lossyStream struct {
	list []record.Record
	part *record.Part // nil: all of it
	at   int
	size int // of batches
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

// TestSlicesOfLosses: what was lost before short records counts before the next one of their stream, in whichever slice that is. A callback that ends everything by what was
// lost ends it at the same record.
func TestSlicesOfLosses(t *testing.T) {
	type filled struct {
		*decoder
		*Binding[none]
	}
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
		cut := func(o record.Options) []record.Slice[none] {
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
			sum := Stats{}
			err := InSlices(t.Context(), Parallel{Records: record.Options{Workers: workers}}, nil, recorded(hostBig, twoEvents()...), cut,
				func(src Source, like *Binding[none]) (*Binding[none], filled, error) {
					d, b := &decoder{}, new(Binding[none])
					d.First = func(r *record.Record, x *none) error {
						if r.Lost == stop {
							return record.ErrStop
						}
						d.log = append(d.log, fmt.Sprint(string(r.Data), r.Lost))
						return nil
					}
					b.Like(like)
					return b, filled{d, b}, b.Bind(src, Options[none]{}, d.part())
				}, func(f filled) error {
					sum.Short += f.Stats.Short
					got = append(got, f.log...)
					return nil
				})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(sum.Short))
			if workers == 1 {
				want = got
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d, %d workers, stop at %d (-one worker +several):\n%s", seed, workers, stop, d)
			}
		}
	}
}
