package trcrpt

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/report/facts"
)

// addFields adds the values of a template to the facts about its hook. A value whose size differs
// between environments, such as a word, has its largest size.
func addFields(e *facts.Event, t *compiler.Template) {
	e.Fields = []facts.Field{}
	var order []string
	widest := map[string]*ir.Datum{}
	for _, ev := range t.Events {
		for _, d := range ev.Values {
			switch w := widest[d.Name]; {
			case w == nil:
				order = append(order, d.Name)
				fallthrough
			case w.Type.Size < d.Type.Size:
				widest[d.Name] = d
			}
		}
	}
	for _, name := range order {
		d := widest[name]
		f := facts.Field{Name: name, Type: kindOf(d), Signed: d.Type.Signed}
		line := fmt.Appendf(nil, "    %-24s %s", name, f.Type)
		if d.Type.Size > 0 {
			f.Size = facts.Number(int64(d.Type.Size))
			line = fmt.Appendf(line, ", size %d", d.Type.Size)
		}
		switch {
		case d.Repeated:
			line = append(line, ", any number of times"...)
		case d.Optional:
			line = append(line, ", not in every event"...)
		}
		e.Fields, e.Line = append(e.Fields, f), append(append(e.Line, line...), '\n')
	}
}

// kindOf returns the usual name of the kind of a value.
func kindOf(d *ir.Datum) string {
	switch {
	case d.Text:
		return "text"
	case d.Type == ir.Type{}:
		return "bytes"
	case d.Float:
		return "float"
	case d.Type.Signed:
		return "signed"
	}
	return "unsigned"
}
