package metadata

import (
	"slices"

	"github.com/tracec/tracec/grammar/diag"
)

// clocks resolves the names of clocks.
func (r *tsdlReader) clocks() {
	for _, s := range r.trace.Streams {
		roots := r.trace.scopes(s, nil)
		for _, root := range roots {
			root.each(r.clockOf)
		}
		for _, e := range s.Events {
			e.Context.each(r.clockOf)
			e.Payload.each(r.clockOf)
		}
	}
}

func (r *tsdlReader) clockOf(c *Class) {
	if c.clock == nil {
		return
	}
	if c.Clock = clockOf(r.trace, c.clock.name); c.Clock == nil {
		r.report(c.clock.at, "no clock is called %s", diag.Quote(c.clock.name))
	}
}

// headerRoles, contextRoles and eventRoles are the meanings of names in TSDL (docs/spec/ctf.md
// 5.1).
var (
	headerRoles = map[string]Role{"magic": Magic, "uuid": MetadataUUID, "stream_id": StreamClassID,
		"stream_instance_id": StreamID}
	contextRoles = map[string]Role{
		"timestamp_begin": Timestamp, "timestamp_end": EndTimestamp, "content_size": ContentSize,
		"packet_size":      PacketSize,
		"events_discarded": Discarded, "packet_seq_num": SequenceNumber,
	}
	eventRoles = map[string]Role{"id": EventClassID, "timestamp": Timestamp}
)

// byName gives the fields of TSDL their roles, and streams their clocks.
func (r *tsdlReader) byName() {
	t := r.trace
	r.top(t.Header, headerRoles, r.headerAt)
	for _, s := range t.Streams {
		r.top(s.PacketContext, contextRoles, s.at)
		r.deep(s.EventHeader, eventRoles, s.at)
		r.streamClock(s)
	}
}

// streamClock finds the clock to which the times of a stream map. If they map to none, it is the
// only clock, or a clock of 1 GHz if there is no clock.
func (r *tsdlReader) streamClock(s *Stream) {
	var times []*Class
	for _, root := range []*Class{s.PacketContext, s.EventHeader} {
		root.each(func(c *Class) {
			if c.Clock != nil && s.Clock == nil {
				s.Clock = c.Clock
			}
			if slices.Contains(c.Roles, Timestamp) || slices.Contains(c.Roles, EndTimestamp) {
				times = append(times, c)
			}
		})
	}
	for _, c := range times {
		if c.Clock == nil {
			c.Clock = r.onlyClock(s)
		}
	}
}

func (r *tsdlReader) onlyClock(s *Stream) *Clock {
	if s.Clock != nil {
		return s.Clock
	}
	switch len(r.trace.Clocks) {
	case 0:
		r.trace.Clocks = []*Clock{{ID: "default", Name: Name{Name: "default"}, Frequency: 1_000_000_000}}
	case 1:
	default:
		r.report(0, "stream %d: its times map to no clock, and there are several", s.ID)
	}
	s.Clock = r.trace.Clocks[0]
	return s.Clock
}

// top gives roles to the members of a structure. at is the place of the structure's block.
func (r *tsdlReader) top(c *Class, roles map[string]Role, at int) {
	if c == nil {
		return
	}
	for i, m := range c.Members {
		role, ok := roles[m.Name]
		if !ok {
			continue
		}
		if why := unfit(m.Class, role, i); why != "" {
			r.warn(at, "the field %s is %s", diag.Quote(m.Name), why)
		}
		if fits(m.Class, role) {
			m.Class.Roles = append(m.Class.Roles, role)
		}
	}
}

// unfit returns the reason why a member of a structure should not have a role.
func unfit(c *Class, role Role, position int) string {
	switch {
	case !fits(c, role) && role == MetadataUUID:
		return "not a UUID, which is an array of 16 bytes"
	case !fits(c, role):
		return "no integer, and has no meaning"
	case c.Kind == Int && c.Signed:
		return "an integer with a sign"
	case role == Magic && (c.Bits != 32 || position > 0):
		return "not a magic number, which is the first field and has 32 bits"
	}
	return ""
}

// fits reports whether a field can have a role. A UUID has 16 bytes. Fields of other roles are
// integers.
func fits(c *Class, role Role) bool {
	if role == MetadataUUID {
		return c.From == nil && c.Length == 16 && (c.Kind == Text || c.Kind == Array && c.Element.Kind == Int &&
			c.Element.Bits == 8)
	}
	return c.Kind == Int
}

// deep gives roles to the integers of a structure, its structures and variants.
func (r *tsdlReader) deep(c *Class, roles map[string]Role, at int) {
	c.each(func(c *Class) {
		if c.Kind == Struct {
			r.top(c, roles, at)
		}
	})
}
