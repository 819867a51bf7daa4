// Package metadata reads the descriptions of Common Trace Format traces: the TSDL of version 1.8
// and the JSON of version 2 (docs/spec/ctf.md 1.1, 2 and 4). Both become one model, [Trace].
package metadata

// A Trace describes a trace: its clocks, and the streams with their events.
type Trace struct {
	Version     int    // 1 for TSDL, 2 for JSON
	UUID        string // as text, in lower case; empty if there is none
	Name        Name
	BigEndian   bool // byte order of integers that have no order of their own; TSDL only
	Environment []Variable
	Header      *Class // of packets; nil if packets have none
	Clocks      []*Clock
	Streams     []*Stream
	Attributes  []Attribute // of the trace class, by namespace; in version 2 only, like the attributes of other classes
}

// A Name identifies a trace, stream, event or clock beyond its number. Every part may be empty.
type Name struct{ Namespace, Name, UID string }

// A Variable is a fact about the place where a trace was made, such as hostname.
type Variable struct {
	Name   string
	Text   string
	Number int64
	IsText bool
}

// Variable returns a variable of the environment. If there is none, it returns the zero value.
func (t *Trace) Variable(name string) Variable {
	for _, v := range t.Environment {
		if v.Name == name {
			return v
		}
	}
	return Variable{}
}

// A Clock counts cycles.
type Clock struct {
	ID          string // the name to which fields refer
	Name        Name   // UID is the UUID of TSDL
	Description string
	Frequency   uint64 // in Hz
	Precision   uint64 // in cycles
	Accuracy    uint64 // in cycles; version 2 only
	// Seconds and Cycles are the distance from the origin to the clock's zero.
	Seconds, Cycles int64
	// Unix reports that the origin is the Unix epoch. Otherwise times of two clocks can be compared
	// only if the origins have the same name.
	Unix       bool
	Origin     Name
	Attributes []Attribute
}

// SameOrigin reports whether times of two clocks count from one origin (docs/spec/ctf.md 7.5).
func (c *Clock) SameOrigin(d *Clock) bool {
	switch {
	case c == d || c.Unix && d.Unix:
		return true
	case c.Unix || d.Unix:
		return false
	case c.Origin != (Name{}) || d.Origin != (Name{}):
		return c.Origin == d.Origin
	}
	return c.Name.UID != "" && c.Name == d.Name
}

// A Stream describes the packets and events of data stream files.
type Stream struct {
	ID            uint64
	Name          Name
	Clock         *Clock // of its times; nil if events have none
	PacketContext *Class
	EventHeader   *Class
	EventContext  *Class // the context of all its events
	Events        []*Event
	Attributes    []Attribute
	at            int // its place in the text
}

// An Event describes the events with one number.
type Event struct {
	ID      uint64
	Name    Name
	Level   int // from 0, an emergency, to 14, debugging; NoLevel
	URI     string
	Context *Class
	Payload *Class
	// Attributes also contain the level and the URI.
	Attributes []Attribute
	at         int // its place in the text
}

// NoLevel is the level of an event without a level.
const NoLevel = -1

// A Scope is one of the structures of a packet and its events.
type Scope uint8

// The scopes, in the order in which they are read.
const (
	PacketHeader Scope = iota
	PacketContext
	EventHeader
	EventContext    // of the stream
	SpecificContext // of the event
	Payload
	Scopes // their number
)

// scopes returns the roots of a stream, and of an event if e is not nil.
func (t *Trace) scopes(s *Stream, e *Event) (roots [Scopes]*Class) {
	roots[PacketHeader] = t.Header
	if s != nil {
		roots[PacketContext], roots[EventHeader], roots[EventContext] = s.PacketContext, s.EventHeader, s.EventContext
	}
	if e != nil {
		roots[SpecificContext], roots[Payload] = e.Context, e.Payload
	}
	return roots
}
