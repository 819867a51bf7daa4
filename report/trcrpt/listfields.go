package trcrpt

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/report/facts"
)

// addFields adds the values of a template to the facts about its hook. The size of a value may
// differ between environments, as for a word. The largest size is listed.
func addFields(e *facts.Event, t *compiler.Template) {
	e.Fields = []facts.Field{}
	var order []string
	widest := map[string]ir.Leaf{}
	for _, ev := range t.Events {
		for _, d := range ev.Leaves() {
			switch w := widest[d.Path]; {
			case w.Field == nil:
				order = append(order, d.Path)
				fallthrough
			case w.Size < d.Size:
				widest[d.Path] = d
			}
		}
	}
	for _, name := range order {
		d := widest[name]
		f := facts.Field{Name: name, Type: kindOf(d.Field), Signed: d.Signed}
		line := fmt.Appendf(nil, "    %-24s %s", name, f.Type)
		if d.Size > 0 {
			f.Size = facts.Number(int64(d.Size))
			line = fmt.Appendf(line, ", size %d", d.Size)
		}
		switch {
		case d.Repeated:
			line = append(line, ", any number of times"...)
		case d.Optional:
			line = append(line, ", not in every event"...)
		}
		for _, label := range d.Labels {
			line = fmt.Appendf(line, ", also %s", grammar.QuoteField(label))
		}
		e.Fields, e.Line = append(e.Fields, f), append(append(e.Line, line...), '\n')
	}
}

// kindOf returns the usual name of the kind of a value.
func kindOf(f *ir.Field) string {
	switch {
	case f.Text:
		return "text"
	case f.Kind == ir.Bytes:
		return "bytes"
	case f.Kind == ir.Float:
		return "float"
	case f.Signed:
		return "signed"
	}
	return "unsigned"
}
