package bind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// cutStream has a record for each of some times, and fails after the last one. It can be cut.
type cutStream struct {
	name  byte
	times []uint64
	err   error
	part  *record.Part // nil: the whole stream
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
			if !end || !begun { // the stream fails for the previous slice
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

// cutRecording consists of three streams, two of which fail.
func cutRecording(o record.Options, each bool) []record.Slice[none] {
	streams := func(c *record.Cut) (list []*cutStream) {
		for i, n := range []int{90, 40, 61} {
			err := []error{io.EOF, errors.New("disk on fire"), errors.New("no such\nblock")}[i]
			s := &cutStream{name: byte('a' + i), err: err}
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

// cuttable returns a container with these streams.
func cuttable() Container[none] {
	return Container[none]{Source: recorded(hostBig, twoEvents()...), Slices: cutRecording}
}

// gather returns the data of the events of a slice. It leaves the loop at the event with the data
// stop.
func gather(list events, stop string) (got []string, found bool) {
	for r := range list {
		if string(r.Data) == stop {
			return got, true
		}
		got = append(got, string(r.Data))
	}
	return got, false
}

// TestParallelStreamsThatFail: a stream that fails affects only itself, with any number of workers.
// The events and the error are the same. An error of each or end ends everything.
func TestParallelStreamsThatFail(t *testing.T) {
	enough := errors.New("enough")
	type stop struct {
		at    string
		err   error // of each; nil: it only leaves its loop
		inEnd bool
	}
	for _, streams := range []bool{false, true} {
		for _, stop := range []stop{
			{}, {at: "a70-", err: enough}, {at: "a50-", err: record.ErrStop}, {at: "a10-", err: record.ErrStop},
			{at: "a50-"},
			{at: "a00-"}, {at: "b39-", err: enough, inEnd: true}, {at: "b39-", err: record.ErrStop, inEnd: true},
		} {
			var want []string
			wantErr := ""
			for _, workers := range []int{1, 2, 5} {
				d := decoderOf(t, cuttable())
				var got []string
				each := func(_ *Decoder[none], list events) ([]string, error) {
					if stop.inEnd {
						data, _ := gather(list, "")
						return data, nil
					}
					data, found := gather(list, stop.at)
					if found {
						return data, stop.err
					}
					return data, nil
				}
				s := Slicing{record.Options{Workers: workers}, streams}
				err := Parallel(t.Context(), d, s, each, func(data []string) error {
					got = append(got, data...)
					if stop.inEnd && slices.Contains(data, stop.at) {
						return stop.err
					}
					return nil
				})
				text := fmt.Sprint(err)
				if workers == 1 {
					want, wantErr = got, text
				}
				diff := cmp.Diff(want, got)
				if stop.inEnd || stop.err == enough { // the number of slices before the end varies
					diff = ""
				}
				if diff != "" || text != wantErr && !stop.inEnd || d.Err() != err {
					t.Errorf("streams %v, %+v, %d workers: error %q, want %q (-one worker +several):\n%s",
						streams, stop, workers, text, wantErr, diff)
				}
				if stop.at == "" && (len(got) != 90+40+61 || text != "disk on fire\nno such\nblock") {
					t.Errorf("streams %v, %d workers: %d records, error %q", streams, workers, len(got), text)
				}
				if stop.err == enough && !errors.Is(err, enough) || errors.Is(err, record.ErrStop) {
					t.Errorf("streams %v, %+v, %d workers: error %v", streams, stop, workers, err)
				}
			}
		}
	}
}

// TestParallelEach covers the ways in which each may use its loop. Every result is passed to end,
// except the result that comes with an error.
func TestParallelEach(t *testing.T) {
	enough := errors.New("enough")
	all := func(list events) []string { got, _ := gather(list, ""); return got }
	second := func(got []string) bool { return got[0] == "b00-" } // of the streams a, b and c
	for _, tt := range []struct {
		name string
		each func(list events) ([]string, error)
		ends []int // the number of records in each call of end
		err  string
	}{
		{"reads all", func(list events) ([]string, error) {
			return all(list), nil
		}, []int{90, 40, 61}, "disk on fire\nno such\nblock"},
		{"leaves its loop", func(list events) ([]string, error) {
			got, _ := gather(list, "b10-")
			return got, nil
		}, []int{90, 10}, "<nil>"},
		{"never loops", func(list events) ([]string, error) { return make([]string, 7), nil }, []int{7}, "<nil>"},
		{"stops after its loop", func(list events) ([]string, error) {
			got := all(list)
			if second(got) {
				return got, fmt.Errorf("that is %w", record.ErrStop)
			}
			return got, nil
		}, []int{90, 40}, "disk on fire"},
		{"fails in its loop", func(list events) ([]string, error) {
			got, found := gather(list, "b10-")
			if found {
				return got, enough
			}
			return got, nil
		}, []int{90}, "enough"},
		{"fails after its loop", func(list events) ([]string, error) {
			got := all(list)
			if second(got) {
				return got, enough
			}
			return got, nil
		}, []int{90}, "disk on fire\nenough"},
		{"loops twice", func(list events) ([]string, error) {
			got, found := gather(list, "b10-")
			if found {
				all(list)
			}
			return got, nil
		}, []int{90}, errAgain.Error()},
		{"loops twice and stops", func(list events) ([]string, error) {
			return append(all(list), all(list)...), record.ErrStop
		}, nil, errAgain.Error()},
	} {
		for _, workers := range []int{1, 4} {
			d := decoderOf(t, cuttable())
			var ends []int
			each := func(_ *Decoder[none], list events) ([]string, error) { return tt.each(list) }
			end := func(got []string) error { ends = append(ends, len(got)); return nil }
			err := Parallel(t.Context(), d, Slicing{record.Options{Workers: workers}, true}, each, end)
			if diff := cmp.Diff(tt.ends, ends); diff != "" || fmt.Sprint(err) != tt.err {
				t.Errorf("%s, %d workers: error %v, want %q (-want +got):\n%s", tt.name, workers, err, tt.err, diff)
			}
		}
	}
}

// TestParallelClones: each gets its own Decoder, with the entry during its loop and the statistics
// after it. The statistics of all slices are added up. d.Events can be used afterwards.
func TestParallelClones(t *testing.T) {
	d := decoderOf(t, container(func(record.Options) []*feed[none] {
		stream := func() *feed[none] {
			return plain(io.EOF, []record.Record{of(1, "a"), {ID: 5}, {ID: 7}, of(2, "b"), {ID: 5}})
		}
		return []*feed[none]{stream(), stream(), stream()}
	}))
	var mu sync.Mutex
	clones := map[*Decoder[none]]bool{d: true}
	err := Parallel(t.Context(), d, Slicing{Streams: true}, func(c *Decoder[none], list events) (Stats, error) {
		mu.Lock()
		defer mu.Unlock()
		if clones[c] {
			t.Error("a Decoder has two slices")
		}
		clones[c] = true
		for range list {
			if c.Entry() == nil {
				t.Error("no entry")
			}
			for range c.Events(t.Context(), record.Options{}) {
				t.Error("an event of a loop within a loop")
			}
			if c.Err() != errLoop {
				t.Error(c.Err())
			}
		}
		if c.Entry() != nil {
			t.Error("an entry after the loop")
		}
		return c.Stats(), nil
	}, func(s Stats) error {
		if s != (Stats{Other: 1, Short: 2}) {
			t.Errorf("a slice: %+v", s)
		}
		return nil
	})
	if err != nil || d.Stats() != (Stats{Other: 3, Short: 6}) || len(clones) != 4 {
		t.Errorf("%d Decoders, %+v, error %v", len(clones), d.Stats(), err)
	}
	for range d.Events(t.Context(), record.Options{}) {
		break
	}
	if d.Err() != nil || d.Stats() != (Stats{}) {
		t.Error(d.Err(), d.Stats())
	}
}

// endless is a container of streams that continue until their context is done.
func endless(n int) Container[none] {
	src := recorded(hostBig, twoEvents()...)
	return Container[none]{Source: src, Slices: func(o record.Options, each bool) []record.Slice[none] {
		var streams []*endlessStream
		for range n {
			streams = append(streams, &endlessStream{ctx: o.Context})
		}
		if each {
			return record.Slices[none](streams)
		}
		return []record.Slice[none]{{Open: func(*record.Cut) *record.Merger[none] {
			return record.Merge(streams,
				nil)
		}}}
	}}
}

// TestParallelContext: a done context ends everything. This is an error, whatever each returns.
func TestParallelContext(t *testing.T) {
	enough := errors.New("enough")
	for _, workers := range []int{1, 3} {
		for _, result := range []error{nil, enough, record.ErrStop} {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			d := decoderOf(t, endless(1))
			s := Slicing{Records: record.Options{Workers: workers}}
			err := Parallel(ctx, d, s, func(_ *Decoder[none], list events) (int, error) {
				for r := range list {
					if r.Time == 100 {
						cancel()
					}
				}
				return 0, result
			}, func(int) error { t.Error("the result of a part of a slice"); return nil })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d workers, each returns %v: %v", workers, result, err)
			}
		}
	}
}

// TestParallelEndsStreams: if one slice ends everything, slices that are read at the same time end
// as well.
func TestParallelEndsStreams(t *testing.T) {
	enough := errors.New("enough")
	for _, want := range []error{nil, enough} {
		var begun sync.WaitGroup
		begun.Add(3)
		d, s := decoderOf(t, endless(3)), Slicing{record.Options{Workers: 3}, true}
		err := Parallel(t.Context(), d, s, func(_ *Decoder[none], list events) (int, error) {
			for r := range list {
				if r.Time == 1 {
					begun.Done()
				}
				if r.Stream == 0 {
					begun.Wait()
					return 0, want
				}
			}
			return 0, nil
		}, func(int) error { return nil })
		if err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// endlessStream continues until its context is done.
type endlessStream struct {
	ctx  context.Context
	time uint64
}

func (s *endlessStream) Next() (record.Batch[none], error) {
	s.time++
	return record.Plain([]record.Record{{ID: 5, Time: s.time, Data: []byte("1234")}}), s.ctx.Err()
}
