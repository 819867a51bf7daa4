package ctf

import (
	"bytes"
	"encoding/json"

	"github.com/tracec/tracec"
)

// jsonForm writes metadata of version 2 (docs/spec/ctf.md 4).
type jsonForm struct{ bytes.Buffer }

func (f *jsonForm) bytes() []byte { return f.Bytes() }

// fields holds the properties of an object. encoding/json sorts their names.
type fields map[string]any

// fragment appends an object to the sequence.
func (f *jsonForm) fragment(kind string, properties fields) {
	properties["type"] = kind
	text, err := json.MarshalIndent(properties, "", " ")
	if err != nil {
		panic(err) // cannot fail for maps, texts and numbers
	}
	f.WriteByte(0x1e)
	f.Write(text)
	f.WriteByte('\n')
}

func (f *jsonForm) trace(w *writer) {
	var uuid []int
	for _, b := range w.uuid {
		uuid = append(uuid, int(b))
	}
	f.fragment("preamble", fields{"version": 2, "uuid": uuid})
	environment := fields{}
	for _, v := range w.environment() {
		environment[v.name] = v.value
	}
	f.fragment("trace-class", fields{"environment": environment, "packet-header-field-class": structure(
		member("magic", number(32, "packet-magic-number")),
		member("uuid", fields{"type": "static-length-blob", "length": 16, "roles": []string{"metadata-stream-uuid"}}),
		member("stream_id", number(32, "data-stream-class-id")),
		member("stream_instance_id", number(64, "data-stream-id")),
	)})
}

func (f *jsonForm) clock(w *writer) {
	clock := fields{"id": "clock", "name": "clock", "frequency": 1_000_000_000, "description": w.clockText()}
	if seconds, ns, known := w.origin(); known {
		clock["origin"], clock["offset-from-origin"] = "unix-epoch", fields{"seconds": seconds, "cycles": ns}
	}
	f.fragment("clock-class", clock)
}

func (f *jsonForm) stream(class int, context bool) {
	packet := []fields{
		member("timestamp_begin", number(64, "default-clock-timestamp")),
		member("timestamp_end", number(64, "packet-end-default-clock-timestamp")),
		member("content_size", number(64, "packet-content-length")),
		member("packet_size", number(64, "packet-total-length")),
		member("packet_seq_num", number(64, "packet-sequence-number")),
		member("events_discarded", number(64, "discarded-event-record-counter-snapshot")),
	}
	if class == cpuStreams {
		packet = append(packet, member("cpu_id", number(32)))
	}
	s := fields{
		"id": class, "default-clock-class-id": "clock", "packet-context-field-class": structure(packet...),
		"event-record-header-field-class": structure(member("id", number(32, "event-record-class-id")),
			member("timestamp", number(64, "default-clock-timestamp"))),
	}
	if context {
		id := number(32)
		id["type"] = "fixed-length-signed-integer"
		s["event-record-common-context-field-class"] = structure(member("vpid", id), member("vtid", id),
			member("procname", fields{"type": "null-terminated-string"}))
	}
	f.fragment("data-stream-class", s)
}

func (f *jsonForm) event(e *event, class int) {
	f.fragment("event-record-class", fields{
		"id": e.id, "data-stream-class-id": class, "name": e.name,
		"payload-field-class": structure(jsonMembers(e.fields)...),
	})
}

// number returns the class of an unsigned integer with roles.
func number(bits int, roles ...string) fields {
	n := fields{"type": "fixed-length-unsigned-integer", "length": bits, "byte-order": "little-endian", "alignment": 8}
	if len(roles) > 0 {
		n["roles"] = roles
	}
	return n
}

func member(name string, class fields) fields { return fields{"name": name, "field-class": class} }

func structure(members ...fields) fields {
	if members == nil {
		members = []fields{}
	}
	return fields{"type": "structure", "member-classes": members}
}

func jsonMembers(list []*class) (members []fields) {
	names := names(list, false)
	for i, name := range names {
		c := list[i]
		if c.kind != tracec.List {
			members = append(members, member(name, jsonClass(c)))
			continue
		}
		length, counted := lengthBefore(list, names, i)
		if !counted {
			members = append(members, member(length, number(32)))
		}
		elements := fields{"type": "dynamic-length-blob", "length-field-location": fields{"path": []string{length}}}
		if !c.opaque {
			elements["type"], elements["element-field-class"] = "dynamic-length-array", jsonClass(listed(c))
		}
		members = append(members, member(name, elements))
	}
	return members
}

// jsonClass returns a field class. A list is in a structure of its own, with its length.
func jsonClass(c *class) fields {
	switch c.kind {
	case tracec.Float:
		f := number(8 * c.size)
		f["type"] = "fixed-length-floating-point-number"
		return f
	case tracec.Text:
		return fields{"type": "null-terminated-string"}
	case tracec.Struct:
		return structure(jsonMembers(c.members)...)
	}
	n := number(8 * c.size)
	if c.kind == tracec.Int {
		n["type"] = "fixed-length-signed-integer"
	}
	if c.hex {
		n["preferred-display-base"] = 16
	}
	if labels := c.mappings(); len(labels) > 0 {
		mappings := fields{}
		for _, m := range labels {
			var ranges [][2]json.Number
			for _, v := range m.values {
				ranges = append(ranges, [2]json.Number{json.Number(c.number(v)), json.Number(c.number(v))})
			}
			mappings[m.name] = ranges
		}
		n["mappings"] = mappings
	}
	return n
}
