package facts

import "encoding/json"

// List is the events that a recording or a file describes: tracec list.
type List struct {
	Recording
	Events []Event `json:"events"`
}

// An Event is an event type of a List. It has fields on request.
type Event struct {
	System string  `json:"system,omitempty"`
	Name   string  `json:"name"`
	Label  string  `json:"label,omitempty"` // label of a hook of AIX
	ID     *int64  `json:"id,omitempty"`
	Format string  `json:"format,omitempty"` // format of a marker of LTTng
	Kind   string  `json:"kind,omitempty"`   // kind of a symbol of uftrace
	Fields []Field `json:"fields,omitzero"`
	// Attributes is an object that CTF 2 attaches to the event. It is present if Fields are.
	Attributes json.RawMessage `json:"attributes,omitempty"`

	// Line is the same in the text format of the system, with the lines of fields.
	Line []byte `json:"-"`
}

// Field is a field of an Event. Offset and size are absent if they vary.
type Field struct {
	Name   string `json:"name"`
	Type   string `json:"type,omitempty"`
	Offset *int64 `json:"offset,omitempty"`
	Size   *int64 `json:"size,omitempty"`
	Signed bool   `json:"signed"`
	// Attributes is an object that CTF 2 attaches to the field. TypeAttributes is the object of its
	// type.
	Attributes     json.RawMessage `json:"attributes,omitempty"`
	TypeAttributes json.RawMessage `json:"type_attributes,omitempty"`
}
