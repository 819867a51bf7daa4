package metadata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// ReadJSON reads metadata of version 2: a JSON text sequence of fragments (RFC 7464). The name is
// used for positions only. The error is a [diag.List]. What it is about is left out of the trace,
// which is nil if nothing is left. A last fragment without an end is not read: more may be written.
func ReadJSON(name string, text []byte) (*Trace, error) {
	r := &jsonReader{
		reader:  reader{trace: &Trace{Version: 2}, budget: maxClasses, begin: diag.Position{Filename: name, Line: 1, Column: 1}},
		aliases: map[string]json.RawMessage{},
	}
	at := r.begin
	for len(text) > 0 {
		fragment := text
		if i := bytes.IndexByte(text[1:], separator); i >= 0 {
			fragment = text[:1+i]
		}
		r.pos = at
		r.fragment(bytes.TrimPrefix(fragment, []byte{separator}))
		at.Advance(string(fragment))
		text = text[len(fragment):]
	}
	if !r.traced {
		r.report(r.begin, "there is no preamble")
		return nil, r.errors
	}
	r.adopt()
	r.link()
	if len(r.errors) > 0 {
		return r.trace, r.errors
	}
	return r.trace, nil
}

// separator begins each fragment.
const separator = 0x1e

// jsonReader makes a Trace of fragments.
type jsonReader struct {
	reader
	pos     diag.Position // of the fragment
	aliases map[string]json.RawMessage
}

// fragment is an object of the sequence. Each type has some of the properties.
type fragment struct {
	Type       string          `json:"type"`
	Extensions json.RawMessage `json:"extensions"`
	Version    json.Number     `json:"version"`

	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	UID       string `json:"uid"`

	fragmentClasses
	fragmentClock
	Environment map[string]any                        `json:"environment"`
	Attributes  map[string]map[string]json.RawMessage `json:"attributes"`
}

// fragmentClasses are the properties with field classes and numbers of classes.
type fragmentClasses struct {
	Field           json.RawMessage `json:"field-class"`
	PacketHeader    json.RawMessage `json:"packet-header-field-class"`
	PacketContext   json.RawMessage `json:"packet-context-field-class"`
	EventHeader     json.RawMessage `json:"event-record-header-field-class"`
	EventContext    json.RawMessage `json:"event-record-common-context-field-class"`
	SpecificContext json.RawMessage `json:"specific-context-field-class"`
	Payload         json.RawMessage `json:"payload-field-class"`
	ID              json.RawMessage `json:"id"`
	StreamID        uint64          `json:"data-stream-class-id"`
	DefaultClock    *string         `json:"default-clock-class-id"`
}

// fragmentClock are the properties of a clock.
type fragmentClock struct {
	Frequency   uint64 `json:"frequency"`
	Description string `json:"description"`
	Precision   uint64 `json:"precision"`
	Offset      struct {
		Seconds int64  `json:"seconds"`
		Cycles  uint64 `json:"cycles"`
	} `json:"offset-from-origin"`
	Origin json.RawMessage `json:"origin"`
}

// fragment reads one fragment.
func (r *jsonReader) fragment(text []byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return
	}
	var f fragment
	if err := r.decode(text, &f); err != nil {
		return
	}
	if e := bytes.TrimSpace(f.Extensions); len(e) > 0 && string(e) != "{}" {
		r.report(r.pos, "a %s with extensions, whose meaning is unknown: %s", f.Type, diag.Quote(string(e)))
		return
	}
	if !r.traced && f.Type != "preamble" {
		r.report(r.pos, "a %s before the preamble", f.Type)
	}
	switch f.Type {
	case "preamble":
		r.preamble(&f, text)
	case "field-class-alias":
		r.aliases[f.Name] = f.Field
	case "trace-class":
		r.traceClass(&f)
	case "clock-class":
		r.clockClass(&f)
	case "data-stream-class":
		r.streamClass(&f)
	case "event-record-class":
		r.eventClass(&f)
	default:
		r.report(r.pos, "a fragment of type %s, whose meaning is unknown", diag.Quote(f.Type))
	}
}

// decode decodes JSON. It reports an error with its place in the fragment.
func (r *jsonReader) decode(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(to)
	if err == nil {
		return nil
	}
	offset := int64(0)
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typ):
		offset = typ.Offset
	}
	at := r.pos
	at.Advance(string(text[:min(max(offset, 0), int64(len(text)))]))
	r.report(at, "%s", strings.TrimPrefix(err.Error(), "json: "))
	return err
}

func (r *jsonReader) preamble(f *fragment, text []byte) {
	if r.traced {
		r.report(r.pos, "a second preamble")
		return
	}
	if f.Version != "2" {
		r.report(r.pos, "the version is %s: 2 is read", f.Version)
		return
	}
	r.traced = true
	var id struct {
		UUID []uint16 `json:"uuid"` // bytes would be base64
	}
	if r.decode(text, &id) != nil || id.UUID == nil {
		return
	}
	var b strings.Builder
	for i, x := range id.UUID {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b.WriteByte('-')
		}
		fmt.Fprintf(&b, "%02x", x)
	}
	if r.trace.UUID = b.String(); len(r.trace.UUID) != 36 {
		r.report(r.pos, "a UUID is 16 bytes")
		r.trace.UUID = ""
	}
}

func (r *jsonReader) traceClass(f *fragment) {
	t := r.trace
	t.Name = Name{Namespace: f.Namespace, Name: f.Name, UID: f.UID}
	for _, k := range sortedKeys(f.Environment) {
		v := Variable{Name: k}
		switch x := f.Environment[k].(type) {
		case string:
			v.Text, v.IsText = x, true
		case json.Number:
			n, err := x.Int64()
			if err != nil {
				r.report(r.pos, "%s of the environment is no integer of 64 bits", k)
				continue
			}
			v.Number = n
		default:
			r.report(r.pos, "%s of the environment is neither an integer nor a text", k)
			continue
		}
		t.Environment = append(t.Environment, v)
	}
	t.Header = r.root(f.PacketHeader, "packet-header-field-class")
}

func (r *jsonReader) clockClass(f *fragment) {
	c := &Clock{
		Name: Name{Namespace: f.Namespace, Name: f.Name, UID: f.UID}, Description: f.Description, Frequency: f.Frequency, Precision: f.Precision,
		Seconds: f.Offset.Seconds, Cycles: int64(f.Offset.Cycles),
	}
	if r.decode(f.ID, &c.ID) != nil {
		return
	}
	if c.Frequency == 0 || f.Offset.Cycles >= c.Frequency {
		r.report(r.pos, "clock %s: a frequency of %d Hz with an offset of %d cycles", c.ID, c.Frequency, f.Offset.Cycles)
		return
	}
	switch o := bytes.TrimSpace(f.Origin); {
	case len(o) == 0:
	case string(o) == `"unix-epoch"`:
		c.Unix = true
	default:
		if r.decode(o, &c.Origin) != nil {
			return
		}
	}
	r.trace.Clocks = append(r.trace.Clocks, c)
}

// id reads the number of a class, which is 0 if it has none.
func (r *jsonReader) id(f *fragment) (id uint64, ok bool) {
	if len(f.ID) == 0 {
		return 0, true
	}
	return id, r.decode(f.ID, &id) == nil
}

func (r *jsonReader) streamClass(f *fragment) {
	s := &Stream{Name: Name{Namespace: f.Namespace, Name: f.Name, UID: f.UID}}
	var ok bool
	if s.ID, ok = r.id(f); !ok {
		return
	}
	if streamOf(r.trace, s.ID) != nil {
		r.report(r.pos, "another data stream class has the number %d", s.ID)
		return
	}
	if f.DefaultClock != nil {
		for _, c := range r.trace.Clocks {
			if c.ID == *f.DefaultClock {
				s.Clock = c
			}
		}
		if s.Clock == nil {
			r.report(r.pos, "no clock class is called %s", diag.Quote(*f.DefaultClock))
			return
		}
	}
	errors := len(r.errors)
	s.PacketContext = r.root(f.PacketContext, "packet-context-field-class")
	s.EventHeader = r.root(f.EventHeader, "event-record-header-field-class")
	s.EventContext = r.root(f.EventContext, "event-record-common-context-field-class")
	if len(r.errors) > errors {
		return
	}
	for _, root := range []*Class{s.PacketContext, s.EventHeader} {
		root.each(func(c *Class) {
			for _, role := range c.Roles {
				if role == Timestamp || role == EndTimestamp {
					c.Clock = s.Clock
				}
			}
		})
	}
	r.trace.Streams = append(r.trace.Streams, s)
}

func (r *jsonReader) eventClass(f *fragment) {
	e := &Event{Name: Name{Namespace: f.Namespace, Name: f.Name, UID: f.UID}, Level: NoLevel}
	var ok bool
	if e.ID, ok = r.id(f); !ok {
		return
	}
	errors := len(r.errors)
	e.Context = r.root(f.SpecificContext, "specific-context-field-class")
	e.Payload = r.root(f.Payload, "payload-field-class")
	r.attributes(e, f.Attributes)
	if len(r.errors) > errors {
		return
	}
	r.events = append(r.events, &declared{pos: r.pos, event: e, stream: &f.StreamID})
}

// levels are the names of log levels in CTF 2. Their numbers are those of TSDL.
var levels = []string{
	"emergency", "alert", "critical", "error", "warning", "notice", "info", "debug:system", "debug:program", "debug:process",
	"debug:module", "debug:unit", "debug:function", "debug:line", "debug",
}

// attributes reads the log level and the URI, which two tracers put into namespaces of their own.
func (r *jsonReader) attributes(e *Event, all map[string]map[string]json.RawMessage) {
	for _, namespace := range []string{"babeltrace.org,2020", "lttng.org,2009"} {
		a := all[namespace]
		var level string
		if x := a["log-level"]; len(x) > 0 && json.Unmarshal(x, &level) == nil {
			for i, name := range levels {
				if name == level {
					e.Level = i
				}
			}
		}
		if x := a["emf-uri"]; len(x) > 0 {
			_ = json.Unmarshal(x, &e.URI) // attributes may be anything
		}
	}
}

// root reads the class of a scope, which is a structure.
func (r *jsonReader) root(text json.RawMessage, property string) *Class {
	if len(text) == 0 {
		return nil
	}
	c := r.class(text, property, 0)
	if c != nil && c.Kind != Struct {
		r.report(r.pos, "%s is no structure", property)
		return nil
	}
	return c
}
