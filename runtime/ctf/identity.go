package ctf

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// identity identifies a stream, and orders streams whose events have the same time
// (docs/spec/ctf.md 7.5).
type identity struct {
	space, name, uuid string // of the trace
	class             uint64
	// number is the number of the stream, or the position of its file in the trace.
	number uint64
}

// compare orders identities as babeltrace2 2.1 does.
func (a identity) compare(b identity) int {
	return cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.name, b.name), cmp.Compare(a.uuid, b.uuid),
		cmp.Compare(a.class, b.class), cmp.Compare(a.number, b.number))
}

// compareUUID orders identities as babeltrace2 2.0 does: traces without a UUID come last.
func (a identity) compareUUID(b identity) int {
	none := func(id identity) int {
		if id.uuid == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(none(a), none(b)), cmp.Compare(a.uuid, b.uuid), cmp.Compare(a.name, b.name),
		cmp.Compare(a.class, b.class), cmp.Compare(a.number, b.number))
}

// sortStreams sets the order of streams.
func (r *Recording) sortStreams(compare func(a, b identity) int) {
	slices.SortStableFunc(r.chains, func(a, b *chain) int { return compare(a.identity, b.identity) })
	for i, c := range r.chains {
		c.index = int32(i)
	}
}

// OrderByUUID orders traces whose events have the same time by their UUIDs, as babeltrace2 2.0
// does. By default, they are ordered by name, as in 2.1. It must be called before events are read.
// It does nothing for a followed recording.
func (r *Recording) OrderByUUID() {
	if r.watch == nil {
		r.sortStreams(identity.compareUUID)
	}
}

// identify completes the identity of the stream of a file from its first packet. It reports whether
// files of the same UUID, class and number are one stream.
func (r *Recording) identify(f *File, id *identity) bool {
	s := r.surveyor(f)
	defer s.Close()
	if s.start() != nil || s.enter() != nil {
		return false
	}
	r.checkUUID(s)
	if id.class = s.class.ID; s.m.bits[streamNumber] == 0 {
		return false
	}
	id.number = s.m.values[streamNumber]
	return s.pk.timed && id.uuid != ""
}

// checkUUID warns if the UUID of the first packet differs from the UUID of the metadata.
// babeltrace2 ignores the difference (docs/spec/ctf.md 1).
func (r *Recording) checkUUID(s *Stream) {
	const magic = 4 // bytes
	sig := s.file.trace.signature()
	if len(sig) <= magic || len(s.win.buf) < len(sig) || bytes.Equal(s.win.buf[magic:len(sig)], sig[magic:]) {
		return
	}
	at := diag.Position{Filename: path.Join(r.damage.Dir, s.file.Path), Offset: magic}
	r.warn(diag.New(at, diag.Warning, metadata.CodeMetadata,
		"the UUID of the first packet is %x, not the UUID of the metadata", s.win.buf[magic:len(sig)]))
}

// traceNames returns the names of the traces: see [Recording.TraceName].
func (r *Recording) traceNames() map[*Trace]string {
	uids, names := map[string]int{}, map[*Trace]string{}
	for _, t := range r.traces {
		uids[t.uid()]++
	}
	for _, t := range r.traces {
		names[t] = t.name(t.uid() == "" || uids[t.uid()] == 1)
	}
	return names
}

// name returns the name of a trace. If the trace is alone, the name includes its path.
func (t *Trace) name(alone bool) string {
	var parts []string
	if v := t.Variable("hostname"); v.IsText {
		parts = append(parts, v.Text)
	}
	if below := t.Below(); below != "." && alone {
		parts = append(parts, below)
	}
	return strings.Join(parts, "/")
}

// TraceName returns the name that babeltrace2 gives a trace: its host and its path below the
// directory that was opened. Traces of one UUID, such as the archives of a session, are one trace
// without a path.
func (r *Recording) TraceName(t *Trace) string {
	return t.name(!slices.ContainsFunc(r.traces, func(x *Trace) bool {
		return x != t && x.uid() != "" && x.uid() == t.uid()
	}))
}

// Namespace returns the namespace of the names in a trace. Traces of LTTng also have one if their
// TSDL cannot declare it.
func (t *Trace) Namespace() string {
	if t.Version == 1 && strings.HasPrefix(t.Variable("tracer_name").Text, "lttng") {
		return "lttng.org,2009"
	}
	return t.Name.Namespace
}

// Identity identifies a trace. Folders with one UUID are one trace. So are folders of version 2
// whose trace classes have the same names and UID.
func (t *Trace) Identity() string { return cmp.Or(t.uid(), t.Path) }

// uid returns the identity that all folders of one trace share. It is empty if the trace has none.
func (t *Trace) uid() string {
	if t.Version == 2 && t.Name.UID != "" {
		return t.Name.Namespace + "\x00" + t.Name.Name + "\x00" + t.Name.UID
	}
	return t.UUID
}

// Class returns the number of the class of the stream, and ID its own number: the recorded one, or
// the position of its file in the trace.
func (s *Stream) Class() uint64 { return s.chain.identity.class }

// ID returns the number of the stream: see [Stream.Class].
func (s *Stream) ID() uint64 { return s.chain.identity.number }
