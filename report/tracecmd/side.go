package tracecmd

import (
	"fmt"
	"strings"

	"github.com/tracec/tracec/compiler/contract"
	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/layout"
)

// Side returns the formats for a comparison, which compiles only formats that differ. Files that
// are not formats are damage.
func (d *Descriptions) Side(name string) *contract.Side {
	s := &contract.Side{Name: name, IDs: true, Unit: ir.Unit{
		Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Source: name, Target: d.Target,
	}}
	formats := make([]*ftrace.Format, 0, len(d.Files))
	for i := range d.Files {
		src := &d.Files[i]
		f, ok := ftrace.ParseFormat(src.System, string(src.Text))
		if !ok {
			d.Damage = append(d.Damage, fmt.Errorf("%s: not a format file with a name and an ID", src.Name))
			continue
		}
		formats = append(formats, f)
	}
	layouts := layout.Describe(formats, d.Target.BigEndian, d.Target.WordSize)
	s.Recorded = bind.Sources(layouts)
	for i, f := range formats {
		s.Events = append(s.Events, contract.Event{
			Layout: layouts[i], Text: printFormat(f.Text), Plain: !strings.Contains(f.Text, "__print_"),
			Source: withoutID(f.Text), Type: typesOf(f),
			Compile: func() *ir.Event {
				ev, _ := compiler.CompileEvent(f.System, f.Name, []byte(f.Text), d.Target)
				return ev
			},
		})
	}
	return s
}

// withoutID returns the text of a format file without the line of the id, which differs between
// kernels.
func withoutID(text string) string {
	at := strings.Index(text, "\nID:")
	if at < 0 {
		return text
	}
	_, after, _ := strings.Cut(text[at+1:], "\n")
	return text[:at+1] + after
}

// printFormat returns the unparsed print fmt.
func printFormat(text string) string {
	_, after, _ := strings.Cut(text, "\nprint fmt:")
	return strings.TrimSpace(after)
}

func typesOf(f *ftrace.Format) func(string) string {
	return func(name string) string {
		if field := f.Field(name); field != nil {
			return field.Type
		}
		return ""
	}
}
