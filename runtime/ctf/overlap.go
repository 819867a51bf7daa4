package ctf

import (
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/tracec/tracec/runtime/record"
)

// An Overlap is the time in which all streams of a trace are active, both ends included, in
// nanoseconds from the origin of its clock.
type Overlap struct{ From, To int64 }

// Overlaps returns the overlap of the streams of each trace, in the order of [Recording.Traces].
// Traces of one UUID are one trace. A stream is active from the begin of its first packet to the
// end of its last. Overlaps reads the headers of all packets. An error names a stream whose packets
// have no times, or two streams of a trace that have no time in common.
func (r *Recording) Overlaps() ([]Overlap, error) {
	type found struct {
		Overlap
		from, to *chain // the one that begins last, and the one that ends first
	}
	known := map[string]*found{}
	for _, c := range r.chains {
		x, err := r.extent(c)
		if err != nil {
			return nil, err
		}
		f := known[c.files[0].trace.Identity()]
		if f == nil {
			known[c.files[0].trace.Identity()] = &found{x, c, c}
			continue
		}
		if x.From > f.From {
			f.From, f.from = x.From, c
		}
		if x.To < f.To {
			f.To, f.to = x.To, c
		}
	}
	list := make([]Overlap, len(r.traces))
	for i, t := range r.traces {
		f := known[t.Identity()]
		if f == nil { // without a stream
			continue
		}
		if f.From > f.To {
			return nil, fmt.Errorf("%s and %s have no time in common: one ends before the other begins",
				r.pathOf(f.to.files[0]), r.pathOf(f.from.files[0]))
		}
		list[i] = f.Overlap
	}
	return list, nil
}

// pathOf returns the path of a file, for messages.
func (r *Recording) pathOf(f *File) string { return path.Join(r.damage.Dir, f.Path) }

// extent returns the time in which a stream is active.
func (r *Recording) extent(c *chain) (x Overlap, err error) {
	s := r.surveyor(c.files[0])
	defer s.Close()
	s.packets.list = c.list
	none := fmt.Errorf("%s: it has no intact packet", r.pathOf(c.files[0]))
	switch err := s.start(); {
	case errors.Is(err, io.EOF):
		return x, none
	case err != nil:
		return x, err
	}
	t := c.files[0].trace
	begun, ended := false, false
	for {
		err := s.nextPacket()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return x, err
		}
		from, to := s.moment(timestamp), s.moment(endTimestamp)
		if !from.Known || !to.Known {
			return x, fmt.Errorf("%s: its packets have no times of begin and end", r.pathOf(s.file))
		}
		if !begun {
			begun, x.From = true, from.Time
		}
		// A program that died left its last packet without an end (docs/spec/ctf.md 6.4).
		ended, x.To = s.m.values[endTimestamp] > 0 && !t.lateEnds, to.Time
	}
	if !begun {
		return x, none
	}
	if t.lateBegins || !ended {
		first, last, err := r.ends(c)
		if t.lateBegins && err == nil {
			x.From = first
		}
		if !ended && err == nil {
			x.To = last
		}
		return x, err
	}
	return x, nil
}

// ends returns the times of the first and the last event of a stream.
func (r *Recording) ends(c *chain) (first, last int64, err error) {
	s := r.stream(c, &record.Options{})
	defer s.Close()
	s.harm.quiet = true
	for n := 0; ; n++ {
		b, err := s.Next()
		if len(b.Records) == 0 || err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return first, last, err
		}
		base := b.Entries[0].Event.Base()
		if n == 0 {
			first = base + int64(b.Records[0].Time)
		}
		last = base + int64(b.Records[len(b.Records)-1].Time)
	}
}
