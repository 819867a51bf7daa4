package metadata

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// ReadJSON reads metadata of version 2: a JSON text sequence of fragments (RFC 7464). The name is
// used for positions only. The error is a [diag.List]. The parts with errors are left out of the
// trace, which is nil if nothing is left. A last fragment without its end has an error with
// CodeCut.
//
// Recorders wrote fragments before version 2 was final. Their properties are read if they can have
// only one meaning: see earlier.
func ReadJSON(name, text string) (*Trace, error) {
	r := &jsonReader{reader: newReader(2, name, text), aliases: map[string]*Class{}}
	for at := 0; at < len(text); {
		n := strings.IndexByte(text[at+1:], separator) + 1
		if n == 0 {
			n = len(text) - at
		}
		if r.fragment(strings.TrimRight(text[at:at+n], " \t\r\n"), at); r.refused {
			break
		}
		at += n
	}
	if !r.traced {
		if len(r.errors) == 0 {
			r.report(0, "the preamble is missing")
		}
		return r.result(nil)
	}
	return r.finish()
}

// separator is the first byte of each fragment.
const separator = 0x1e

// jsonReader makes a Trace of fragments.
type jsonReader struct {
	reader
	aliases map[string]*Class // nil for a class with errors
	classed bool              // there is a trace class
	refused bool              // the preamble has errors: later fragments may have another meaning
}

// fragment reads the fragment that begins at an offset.
func (r *jsonReader) fragment(text string, at int) {
	if begin := strings.TrimLeft(text, "\x1e \t\r\n"); len(begin) < len(text) {
		at += len(text) - len(begin)
		text = begin
	}
	if text == "" {
		return
	}
	n, err := parse(text, at)
	if wrong := (*placed)(nil); errors.As(err, &wrong) {
		r.reportAs(wrong.code, wrong.at, "%s", wrong.msg)
		return
	}
	o := r.object(n, "a fragment")
	if o == nil {
		return
	}
	kind := o.string("type")
	o.what = fmt.Sprintf("a fragment of type %s", diag.Quote(kind))
	if !r.traced && kind != "preamble" {
		r.report(at, "%s comes before the preamble", o.what)
	}
	attributes, before := o.attributes(), r.failed
	keep := r.read(o, kind, attributes)
	if keep == nil {
		return
	}
	if o.end(); r.failed == before {
		keep()
		return
	}
	switch kind {
	case "preamble":
		r.refused = true
	case "data-stream-class":
		r.unusable++
	case "trace-class":
		if r.headless = r.headless || o.node.member("extensions") != nil; !r.headless {
			keep() // the rest of the fragment has no meaning for decoding
		}
	}
}

// read reads the properties of a fragment. It returns a function that keeps it, or nil if the type
// is unknown. The model has no preamble and no aliases, so their attributes are dropped.
func (r *jsonReader) read(o *object, kind string, attributes *node) (keep func()) {
	switch kind {
	case "preamble":
		return r.preamble(o)
	case "field-class-alias":
		return r.alias(o)
	case "trace-class":
		return r.traceClass(o, attributes)
	case "clock-class":
		return r.clockClass(o, attributes)
	case "data-stream-class":
		return r.streamClass(o, attributes)
	case "event-record-class":
		return r.eventClass(o, attributes)
	}
	r.report(o.node.at, "%s, whose meaning is unknown", o.what)
	return nil
}

func (r *jsonReader) preamble(o *object) func() {
	if v := o.need("version", '0'); v != nil && v.text != "2" {
		r.report(v.at, "the version is %s: 2 is read", v.text)
	}
	uuid := r.uuid(o)
	if r.traced {
		r.report(o.node.at, "a second preamble")
	}
	return func() { r.traced, r.trace.UUID = true, uuid }
}

// uuid reads a UUID. The result is empty if it is missing.
func (r *jsonReader) uuid(o *object) string {
	n := o.of("uuid", '[')
	if n == nil {
		return ""
	}
	if len(n.elements) != 16 {
		r.report(n.at, "a UUID of %d bytes: it has 16", len(n.elements))
		return ""
	}
	var b strings.Builder
	for i, e := range n.elements {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b.WriteByte('-')
		}
		x := r.uint(e, "a byte of a UUID")
		if x > 255 {
			r.report(e.at, "a byte of a UUID is %d", x)
		}
		fmt.Fprintf(&b, "%02x", x)
	}
	return b.String()
}

// alias builds a class once. Its uses are copies.
func (r *jsonReader) alias(o *object) func() {
	name := o.need("name", '"')
	c := r.need(o, "field-class", "a field class", 0)
	if name != nil {
		if _, ok := r.aliases[name.text]; ok {
			r.report(name.at, "another field class is called %s", diag.Quote(name.text))
			return func() {}
		}
		r.aliases[name.text] = nil
	}
	return func() { r.aliases[name.text] = c }
}

func (r *jsonReader) traceClass(o *object, attributes *node) func() {
	name, environment := o.names(), r.environment(o)
	before := r.failed
	header := r.scope(o, "packet-header-field-class", PacketHeader)
	r.headless = r.headless || r.failed > before
	if uuid := r.uuid(o); uuid != "" && uuid != r.trace.UUID { // in drafts
		r.report(o.node.at, "the UUID of the trace class is not the UUID of the preamble")
	}
	if r.classed || len(r.trace.Streams) > 0 {
		r.report(o.node.at, "a second trace class, or one after a data stream class")
	}
	return func() {
		r.classed, r.headerAt = true, o.node.at
		r.trace.Name, r.trace.Environment, r.trace.Header = name, environment, header
		r.trace.Attributes = attributes.parts()
	}
}

func (r *jsonReader) environment(o *object) (list []Variable) {
	n := o.of("environment", '{')
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		v := Variable{Name: m.name}
		switch m.value.kind {
		case '"':
			v.Text, v.IsText = m.value.text, true
		case '0':
			v.Number = r.int(m.value, m.name)
		default:
			r.report(m.value.at, "%s of the environment is %s: it is an integer or a string", diag.Quote(m.name),
				nodeKinds[m.value.kind])
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (r *jsonReader) clockClass(o *object, attributes *node) func() {
	c := &Clock{Name: o.names(), Description: o.string("description"), Precision: o.uint("precision", 0),
		Accuracy: o.uint("accuracy", 0), Attributes: attributes.parts()}
	if uuid := r.uuid(o); uuid != "" { // in drafts, where the name is the identity
		c.Name.UID, c.ID = uuid, c.Name.Name
	}
	if o.has("id") || c.ID == "" {
		if id := o.need("id", '"'); id != nil {
			c.ID = id.text
		}
	}
	if f := o.need("frequency", '0'); f != nil {
		if c.Frequency = r.uint(f, "frequency"); c.Frequency == 0 {
			r.report(f.at, "a clock of 0 Hz")
		}
	}
	r.offset(o, c)
	r.origin(o, c)
	return func() { r.addClock(c, o.node.at) }
}

func (r *jsonReader) offset(o *object, c *Clock) {
	n := o.of("offset-from-origin", '{')
	if n == nil {
		return
	}
	x := r.object(n, "an offset")
	if s := x.of("seconds", '0'); s != nil {
		c.Seconds = r.int(s, "seconds")
	}
	cycles := x.uint("cycles", 0)
	if c.Cycles = int64(cycles); cycles >= c.Frequency && c.Frequency > 0 {
		r.report(n.at, "an offset of %d cycles, with a frequency of %d Hz", cycles, c.Frequency)
	}
	x.end()
}

func (r *jsonReader) origin(o *object, c *Clock) {
	n := o.get("origin")
	switch {
	case n == nil:
	case n.kind == '"' && n.text == "unix-epoch":
		c.Unix = true
	case n.kind == '{':
		x := r.object(n, "an origin")
		c.Origin = Name{Namespace: x.string("namespace")}
		if name, uid := x.need("name", '"'), x.need("uid", '"'); name != nil && uid != nil {
			c.Origin.Name, c.Origin.UID = name.text, uid.text
		}
		x.end()
	default:
		r.report(n.at, `an origin is "unix-epoch", or a name and a uid`)
	}
}

func (r *jsonReader) streamClass(o *object, attributes *node) func() {
	s := &Stream{ID: o.uint("id", 0), Name: o.names(), Attributes: attributes.parts(), at: o.node.at}
	if id := o.of(o.called("default-clock-class-id"), '"'); id != nil {
		if s.Clock = clockOf(r.trace, id.text); s.Clock == nil {
			r.report(id.at, "no clock class is called %s", diag.Quote(id.text))
		}
	}
	s.PacketContext = r.scope(o, "packet-context-field-class", PacketContext)
	s.EventHeader = r.scope(o, "event-record-header-field-class", EventHeader)
	s.EventContext = r.scope(o, "event-record-common-context-field-class", EventContext)
	for _, root := range []*Class{s.PacketContext, s.EventHeader} {
		root.each(func(c *Class) {
			if !slices.Contains(c.Roles, Timestamp) && !slices.Contains(c.Roles, EndTimestamp) {
				return
			}
			if c.Clock = s.Clock; s.Clock == nil {
				r.report(o.node.at, "%s has times and no default-clock-class-id", o.what)
			}
		})
	}
	return func() { r.addStream(s, o.node.at) }
}

func (r *jsonReader) eventClass(o *object, attributes *node) func() {
	e := &Event{ID: o.uint("id", 0), Name: o.names(), Level: NoLevel, Attributes: attributes.parts()}
	stream := o.uint("data-stream-class-id", 0)
	e.Context = r.scope(o, "specific-context-field-class", SpecificContext)
	e.Payload = r.scope(o, "payload-field-class", Payload)
	r.eventAttributes(e, attributes)
	return func() { r.events = append(r.events, &declared{at: o.node.at, event: e, stream: &stream}) }
}
