package ctf

import (
	"cmp"
	"slices"
	"strings"
)

// identity identifies a stream, and orders streams whose events have the same time
// (docs/spec/ctf.md 7.5).
type identity struct {
	uuid  string // of the trace
	trace string // its name
	class uint64
	// number is the number of the stream, or the position of its file in the trace.
	number uint64
}

// compare orders identities. Traces without a UUID come last.
func (a identity) compare(b identity) int {
	none := func(id identity) int {
		if id.uuid == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(none(a), none(b)), cmp.Compare(a.uuid, b.uuid), cmp.Compare(a.trace, b.trace),
		cmp.Compare(a.class, b.class), cmp.Compare(a.number, b.number))
}

// identify identifies the stream of a file by its first packet. ok reports that files of the same
// identity are one stream. It is false if packets have no number of their stream.
func (r *Recording) identify(f *File) (id identity, ok bool) {
	id = identity{uuid: f.trace.UUID, trace: r.TraceName(f.trace), number: uint64(slices.Index(f.trace.files, f))}
	if len(r.files) == 1 {
		return id, false
	}
	s := r.surveyor(f)
	defer s.Close()
	if s.start() != nil || s.enter() != nil {
		return id, false
	}
	if id.class = s.class.ID; s.m.bits[streamNumber] == 0 {
		return id, false
	}
	id.number = s.m.values[streamNumber]
	return id, s.pk.timed && id.uuid != ""
}

// TraceName returns the name that babeltrace2 gives a trace: its host and its path. Traces of one
// UUID, such as the archives of a session, are one trace without a path.
func (r *Recording) TraceName(t *Trace) string {
	var parts []string
	if v := t.Variable("hostname"); v.IsText {
		parts = append(parts, v.Text)
	}
	alone := !slices.ContainsFunc(r.traces, func(x *Trace) bool {
		return x != t && x.UUID != "" && x.UUID == t.UUID
	})
	if t.Path != "." && alone {
		parts = append(parts, t.Path)
	}
	return strings.Join(parts, "/")
}
