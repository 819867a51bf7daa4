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
	Label  string  `json:"label,omitempty"` // of a hook of AIX
	ID     *int64  `json:"id,omitempty"`
	Format string  `json:"format,omitempty"` // of a marker of LTTng
	Kind   string  `json:"kind,omitempty"`   // of a symbol of uftrace
	Fields []Field `json:"fields,omitzero"`
	// Attributes are what CTF 2 attaches to the event: an object. They come with the fields.
	Attributes json.RawMessage `json:"attributes,omitempty"`

	// Line is the same for people, as the system has it, with the lines of fields.
	Line []byte `json:"-"`
}

// Field is one of an Event. Where values have no fixed place or size these are absent.
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
