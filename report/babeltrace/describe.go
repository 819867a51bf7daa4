package babeltrace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// line prints a line of metadata.
func (d *detailed) line(depth int, format string, args ...any) {
	fmt.Fprintf(&d.out, "%*s", depth, "")
	fmt.Fprintf(&d.out, format+"\n", args...)
}

func (d *detailed) yes(depth int, what string, on bool) {
	word := "No"
	if on {
		word = "Yes"
	}
	d.line(depth, "%s: %s", what, word)
}

// describe prints the metadata of a trace.
func (d *detailed) describe(t *ctf.Trace) {
	d.line(0, "Trace class:")
	d.attributes(2, t.Attributes)
	for _, s := range slices.SortedFunc(slices.Values(t.Streams),
		func(a, b *metadata.Stream) int { return cmp.Compare(a.ID, b.ID) }) {
		d.streamClass(t, s)
	}
}

// named returns the name of a class in a heading.
func named(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" `%s`", name)
}

func (d *detailed) streamClass(t *ctf.Trace, s *metadata.Stream) {
	name := ""
	if d.StreamClassName {
		name = named(s.Name.Name)
	}
	d.line(2, "Stream class%s (ID %s):", name, groups(s.ID))
	d.attributes(4, s.Attributes)
	has := func(r metadata.Role) bool { return hasRole(s.PacketContext, r) }
	d.yes(4, "Supports packets", true)
	begins, ends := s.Clock != nil && has(metadata.Timestamp), s.Clock != nil && has(metadata.EndTimestamp)
	d.yes(4, "Packets have beginning default clock snapshot", begins)
	d.yes(4, "Packets have end default clock snapshot", ends)
	if d.yes(4, "Supports discarded events", has(metadata.Discarded)); has(metadata.Discarded) {
		d.yes(4, "Discarded events have default clock snapshots", begins && ends)
	}
	if d.yes(4, "Supports discarded packets", has(metadata.SequenceNumber)); has(metadata.SequenceNumber) {
		d.yes(4, "Discarded packets have default clock snapshots", begins && ends)
	}
	if s.Clock != nil {
		d.clock(t, s.Clock)
	}
	d.scope(4, "Packet context field class", s.PacketContext, t, s, nil)
	d.scope(4, "Event common context field class", s.EventContext, t, s, nil)
	for _, e := range slices.SortedFunc(slices.Values(s.Events),
		func(a, b *metadata.Event) int { return cmp.Compare(a.ID, b.ID) }) {
		d.eventClass(t, s, e)
	}
}

// hasRole reports whether a field of a scope has a role.
func hasRole(c *metadata.Class, r metadata.Role) bool {
	return c != nil && slices.ContainsFunc(c.Members,
		func(m metadata.Member) bool { return slices.Contains(m.Class.Roles, r) })
}

func (d *detailed) clock(t *ctf.Trace, c *metadata.Clock) {
	d.line(4, "Default clock class:")
	unix := c.Unix || t.Version == 1 && t.Namespace() != ""
	for _, x := range [...][2]string{{"Namespace", c.Name.Namespace}, {"Name", c.Name.Name}, {"UID", c.Name.UID}} {
		if x[1] != "" && (x[0] == "Name" || !d.Old && d.ID) {
			d.line(6, "%s: %s", x[0], x[1])
		}
	}
	d.attributes(6, c.Attributes)
	if c.Description != "" {
		d.line(6, "Description: %s", c.Description)
	}
	d.line(6, "Frequency (Hz): %s", grouped(int64(c.Frequency)))
	if t.Version == 1 || c.Precision > 0 {
		d.line(6, "Precision (cycles): %s", grouped(int64(c.Precision)))
	}
	if c.Accuracy > 0 {
		d.line(6, "Accuracy (cycles): %s", groups(c.Accuracy))
	}
	from := " from origin"
	if d.Old {
		from = ""
	}
	d.line(6, "Offset%s (s): %s", from, grouped(c.Seconds))
	d.line(6, "Offset%s (cycles): %s", from, grouped(c.Cycles))
	switch {
	case d.Old:
		d.yes(6, "Origin is Unix epoch", unix)
		if c.Name.UID != "" && d.ID {
			d.line(6, "UUID: %s", c.Name.UID)
		}
	case unix:
		d.line(6, "Origin: Unix epoch")
	}
}

func (d *detailed) eventClass(t *ctf.Trace, s *metadata.Stream, e *metadata.Event) {
	d.line(4, "Event class%s (ID %s):", named(e.Name.Name), groups(e.ID))
	d.attributes(6, e.Attributes)
	if e.Level != metadata.NoLevel {
		d.line(6, "Log level: %s", levelWords[e.Level])
	}
	if e.URI != "" {
		d.line(6, "EMF URI: %s", e.URI)
	}
	d.scope(6, "Specific context field class", e.Context, t, s, e)
	d.scope(6, "Payload field class", e.Payload, t, s, e)
}

// levelWords are the names of log levels, by number.
var levelWords = [...]string{"Emergency", "Alert", "Critical", "Error", "Warning", "Notice", "Info", "Debug (system)",
	"Debug (program)", "Debug (process)", "Debug (module)", "Debug (unit)", "Debug (function)", "Debug (line)", "Debug"}

// scope prints the class of a scope. The class may be nil. Fields that only decoding needs are
// omitted.
func (d *detailed) scope(depth int, what string, c *metadata.Class, t *ctf.Trace, s *metadata.Stream,
	e *metadata.Event) {
	if c == nil {
		return
	}
	own := *c
	own.Members = slices.DeleteFunc(slices.Clone(c.Members),
		func(m metadata.Member) bool { return len(m.Class.Roles) > 0 })
	if len(own.Members) == 0 && len(c.Members) > 0 {
		return
	}
	w := &classes{detailed: d, trace: t.Trace, stream: s, event: e}
	w.field(depth, what, &own)
}
