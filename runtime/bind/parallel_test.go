package bind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// cutStream has a record for each of some times, and fails after the last. It can be cut.
type cutStream struct {
	name  byte
	times []uint64
	err   error
	part  *record.Part // nil: all of it
	at    int
}

func (s *cutStream) Next() (record.Batch[none], error) {
	for s.part != nil && !s.part.Begun && s.at < len(s.times) && s.times[s.at] < s.part.First {
		s.at++
	}
	place, end := record.Place{At: int64(s.at)}, s.at == len(s.times)
	if end {
		place = record.AtEnd
	}
	if p := s.part; p != nil {
		begun := p.Begun
		if !begun {
			p.Begun, p.Begin = true, place
		}
		if end || p.Last > 0 && s.times[s.at] >= p.Last {
			p.Ended, p.End = true, place
			if !end || !begun { // it fails for the slice before
				return record.Batch[none]{}, io.EOF
			}
		}
	}
	if end {
		return record.Batch[none]{}, s.err
	}
	t := s.times[s.at]
	s.at++
	return record.Plain([]record.Record{{ID: 5, Time: t, Data: fmt.Appendf(nil, "%c%02d-", s.name, t)}}), nil
}

// cutRecording is three streams, two of which fail.
func cutRecording(o record.Options, each bool) []record.Slice[none] {
	streams := func(c *record.Cut) (list []*cutStream) {
		for i, n := range []int{90, 40, 61} {
			s := &cutStream{name: byte('a' + i), err: []error{io.EOF, errors.New("disk on fire"), errors.New("no such\nblock")}[i]}
			for t := range n {
				s.times = append(s.times, uint64(t))
			}
			if c != nil {
				s.part = c.Part()
			}
			list = append(list, s)
		}
		return list
	}
	if each {
		return record.Slices[none](streams(nil))
	}
	cuts := []*record.Cut{nil}
	if o.Parallel() > 1 {
		var all []record.Sample
		for t := range uint64(90) {
			all = append(all, record.Sample{Time: t, Size: 1})
		}
		cuts = record.Cuts(all, 10)
	}
	return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[none] { return record.Merge(streams(c), nil) })
}

// TestSlicesOfStreamsThatFail: a stream that fails costs that stream, with any number of workers: the calls are the same, and so is the error. That of a callback or of
// end ends everything.
func TestSlicesOfStreamsThatFail(t *testing.T) {
	enough := errors.New("enough")
	for _, each := range []bool{false, true} {
		for _, stop := range []struct {
			at    string
			err   error
			inEnd bool
		}{{}, {at: "a70-", err: enough}, {at: "a50-", err: record.ErrStop}, {at: "a10-", err: record.ErrStop}, {at: "b39-", err: enough, inEnd: true}, {at: "b39-", err: record.ErrStop, inEnd: true}} {
			var want []string
			wantErr := ""
			for _, workers := range []int{1, 2, 5} {
				var got []string
				err := InSlices(t.Context(), Parallel{Records: record.Options{Workers: workers}, Streams: each}, nil, recorded(hostBig, twoEvents()...),
					func(o record.Options) []record.Slice[none] { return cutRecording(o, each) },
					func(src Source, like *Binding[none]) (*Binding[none], *decoder, error) {
						d, b := &decoder{}, new(Binding[none])
						d.First = func(r *record.Record, x *none) error {
							if string(r.Data) == stop.at && !stop.inEnd {
								return stop.err
							}
							d.log = append(d.log, string(r.Data))
							return nil
						}
						b.Like(like)
						return b, d, b.Bind(src, Options[none]{}, d.part())
					}, func(d *decoder) error {
						got = append(got, d.log...)
						if stop.inEnd && strings.Contains(strings.Join(d.log, " "), stop.at) {
							return stop.err
						}
						return nil
					})
				text := fmt.Sprint(err)
				if workers == 1 {
					want, wantErr = got, text
				}
				d := cmp.Diff(want, got)
				if stop.inEnd || stop.err == enough { // before what ends everything more or fewer slices are passed on
					d = ""
				}
				if d != "" || text != wantErr && !stop.inEnd {
					t.Errorf("each %v, %+v, %d workers: error %q, want %q (-one worker +several):\n%s", each, stop, workers, text, wantErr, d)
				}
				if stop.err == nil && (len(got) != 90+40+61 || text != "disk on fire\nno such\nblock") {
					t.Errorf("each %v, %d workers: %d records, error %q", each, workers, len(got), text)
				}
				if stop.err == enough && !errors.Is(err, enough) || errors.Is(err, record.ErrStop) {
					t.Errorf("each %v, %+v, %d workers: error %v", each, stop, workers, err)
				}
			}
		}
	}
}

// TestSlicesBeginOnce: there is a Decoder for each slice, the one that says what is read among them.
func TestSlicesBeginOnce(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var begun, ended atomic.Int32
		err := InSlices(t.Context(), Parallel{Records: record.Options{Workers: workers}, Streams: true}, nil, recorded(hostBig, twoEvents()...),
			func(o record.Options) []record.Slice[none] { return cutRecording(o, true) },
			func(src Source, like *Binding[none]) (*Binding[none], int32, error) {
				d, b := &decoder{}, new(Binding[none])
				d.First = func(*record.Record, *none) error { return nil }
				b.Like(like)
				return b, begun.Add(1), b.Bind(src, Options[none]{}, d.part())
			}, func(n int32) error { ended.Add(n); return nil })
		if begun, ended := begun.Load(), ended.Load(); begun != 3 || ended != 1+2+3 || err == nil {
			t.Errorf("%d workers: %d begun, the sum of those that ended is %d, error %v", workers, begun, ended, err)
		}
	}
}

// TestSlicesEndWithTheContext: that it is done ends everything.
func TestSlicesEndWithTheContext(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		err := InSlices(ctx, Parallel{Records: record.Options{Workers: workers}}, nil, recorded(hostBig, twoEvents()...),
			func(o record.Options) []record.Slice[none] {
				return []record.Slice[none]{{Open: func(*record.Cut) *record.Merger[none] {
					return record.Merge([]*endlessStream{{ctx: o.Context}}, nil)
				}}}
			},
			func(src Source, like *Binding[none]) (*Binding[none], int, error) {
				d, b := &decoder{}, new(Binding[none])
				d.First = func(r *record.Record, x *none) error {
					if r.Time == 100 {
						cancel()
					}
					return nil
				}
				b.Like(like)
				return b, 0, b.Bind(src, Options[none]{}, d.part())
			}, func(int) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// endlessStream goes on until its context is done.
type endlessStream struct {
	ctx  context.Context
	time uint64
}

func (s *endlessStream) Next() (record.Batch[none], error) {
	s.time++
	return record.Plain([]record.Record{{ID: 5, Time: s.time, Data: []byte("1234")}}), s.ctx.Err()
}
