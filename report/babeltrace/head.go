package babeltrace

import (
	"strconv"

	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// head writes the part of a line between its time and its fields. It has facts about the trace and
// the event, and the event's name (docs/spec/ctf.md 7.1). All events of a type share it.
type head struct {
	text  []byte
	names bool
	// apart reports whether the line begins with a time that has a name. A comma then follows the
	// time.
	apart bool
	// facts reports whether there are facts other than the name of the trace.
	facts bool
}

// appendHead appends the part of lines of an event between time and fields.
func appendHead(dst []byte, rec *ctf.Recording, e *ctf.Event, o *Options, paint style.Style) []byte {
	h := &head{text: dst, names: o.Names.Header}
	h.apart = h.names && e.Stream.Clock != nil
	t, f := e.Trace(), &o.Fields
	if name := rec.TraceName(t); f.Trace {
		h.begin("trace")
		h.text = append(h.text, name...)
		if h.names {
			h.text = append(h.text, ", "...)
		}
	}
	h.variable(f.Hostname, "trace:hostname", t, "hostname")
	h.variable(f.Domain, "trace:domain", t, "domain")
	h.variable(f.Procname, "trace:procname", t, "procname")
	h.variable(f.VPID, "trace:vpid", t, "vpid")
	if f.LogLevel && e.Level != metadata.NoLevel {
		h.fact("loglevel", level(e.Level))
	}
	if f.EMF && e.URI != "" {
		h.fact("model.emf.uri", e.URI)
	}
	if h.facts && !h.names {
		h.text = append(h.text, ' ')
	}
	h.begin("name")
	h.text = paint.Append(h.text, style.Event, e.Name.Name)
	if h.names {
		return append(h.text, ", "...)
	}
	return append(h.text, ": "...)
}

// begin appends the text before a fact: the comma and the name.
func (h *head) begin(name string) {
	if h.apart {
		h.text = append(h.text, ", "...)
	}
	if h.names {
		h.text = append(append(h.text, name...), " = "...)
	}
}

func (h *head) fact(name, text string) {
	h.begin(name)
	if h.facts && !h.names {
		h.text = append(h.text, ':')
	}
	h.text, h.facts = append(h.text, text...), true
}

// variable appends a variable of the environment, if it is wanted and the trace has it. A vpid is a
// number.
func (h *head) variable(wanted bool, name string, t *ctf.Trace, variable string) {
	v := t.Variable(variable)
	switch {
	case !wanted || v.Name == "" || v.IsText == (variable == "vpid"):
	case v.IsText:
		h.fact(name, v.Text)
	default:
		h.fact(name, "("+strconv.FormatInt(v.Number, 10)+")")
	}
}
