package perf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// pipe is the beginning of a recording that was written to a pipe.
type pipe struct {
	is        bool
	described int64 // offset of the first sample, after the description of the recording
	// live returns the state of the streams of a walk. If the recording has ended, live is nil.
	live func(context.Context) *record.Live
}

// preamble reads the records of a pipe up to the first sample: attributes, features, names. It
// waits for them.
func (r *Recording) preamble(f *File) error {
	lease := r.memory.Lease()
	defer lease.End()
	s := r.newSource(f, lease)
	defer s.close()
	defer r.nameBPF(f)
	r.pipe.described = f.to
	for w := &s.windows[fromFile]; ; {
		w.keep = w.at
		x, err := s.outer()
		for err == nil && s.left > 0 { // tracing data
			if err = s.skip(w); errors.Is(err, record.ErrPending) {
				err = r.await()
			} else if errors.Is(err, ErrTruncated) { // openTracing has reported it
				s.passAll(w)
				err = nil
			}
		}
		switch {
		case errors.Is(err, record.ErrPending):
			if err := r.await(); err != nil {
				return err
			}
			continue
		case err != nil:
			return nil // the stream of the file will report the damage
		case x.kind == SampleKind || x.kind == Compressed || x.kind == Compressed2:
			r.pipe.described = x.place
			return nil
		}
		if f.grow != nil {
			f.Size = s.reached()
		}
		r.describe(f, x)
	}
}

// hasTold reports whether a file ends in its tracing data. openTracing has then reported this
// damage.
func (r *Recording) hasTold(s *source) bool {
	return r.pipe.is && s.left > 0 && s.behind == TracingData && s.position() <= r.pipe.described
}

// nameUpdate is the kind of EVENT_UPDATE that names an attribute.
const nameUpdate = 2

// describe reads a record that describes the recording.
func (r *Recording) describe(f *File, x raw) {
	b := x.body
	switch {
	case x.kind == HeaderAttr && len(b) >= leastAttr:
		a := r.order.attr(b)
		size := int(a.Size)
		if size < leastAttr || size > len(b) {
			r.damage.Note(f.Path, x.place, 0, fmt.Errorf("an attribute of %d bytes: %w", size, ErrCorrupt))
			return
		}
		var ids []uint64
		for b = b[size:]; len(b) >= 8; b = b[8:] {
			ids = append(ids, r.order.u64(b))
		}
		if len(r.attrs) < maxAttrs {
			r.addAttr(a, ids)
		}
	case x.kind == HeaderFeature:
		r.featureRecord(f, x)
	case x.kind == TracingData:
		r.openTracing(f, section{x.place + headerSize + int64(len(b)), int64(r.order.u32(b))})
	case x.kind == EventUpdate && len(b) > 16 && r.order.u64(b) == nameUpdate:
		if e := r.byID.find(r.order.u64(b[8:])); e != nil {
			e.Name = strings.TrimRight(string(b[16:]), "\x00")
		}
	case x.kind == HeaderEventType && len(b) > 8:
		r.nameType(r.order.u64(b), string(terminated(b[8:])))
	}
}

// nameType names the attribute of a config, as pipes of Linux 3 do. If attributes of several types
// have this config, the right one is not recorded, and nameType names none of them.
func (r *Recording) nameType(config uint64, name string) {
	var of []*Event
	for _, e := range r.attrs {
		if e.Attr.Config == config {
			of = append(of, e)
		}
	}
	if slices.ContainsFunc(of, func(e *Event) bool { return e.Attr.Type != of[0].Attr.Type }) {
		return
	}
	for _, e := range of {
		e.Name = name
	}
}

// isLate reports whether a record describes the recording but is not used, since it comes after the
// first sample of a pipe.
func (r *Recording) isLate(x raw) bool {
	if !r.pipe.is || x.place <= r.pipe.described {
		return false
	}
	switch x.kind {
	case HeaderAttr, HeaderEventType, TracingData:
		return true
	case EventUpdate:
		return len(x.body) > 16 && r.order.u64(x.body) == nameUpdate
	case HeaderFeature:
		return len(x.body) > 8
	}
	return false
}
