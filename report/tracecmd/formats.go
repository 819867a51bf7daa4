package tracecmd

import (
	"cmp"
	"fmt"
	"slices"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/ftrace"
)

// ParseFormats reads the layout in format files. bad holds the names of files that are not format
// files.
func ParseFormats(sources []compiler.Source) (formats []*ftrace.Format, bad []string) {
	for _, s := range sources {
		file, _ := grammar.Parse(s.Name, s.Text)
		if file == nil || file.Name == "" {
			bad = append(bad, s.Name)
			continue
		}
		f := &ftrace.Format{System: s.System, Name: file.Name, ID: file.ID, Text: string(s.Text)}
		common := file.Common()
		for i, fd := range file.Fields {
			f.Fields = append(f.Fields, ftrace.Field{
				Name: fd.Name, Type: fd.Type, Decl: fd.Decl, Offset: fd.Offset, Size: fd.Size, Signed: fd.Signed,
				Common: i < common,
			})
		}
		formats = append(formats, f)
	}
	return formats, bad
}

// ListFormats lists events by system and name: id, system:name and, on request, the fields with
// their offset in the record in bytes.
func ListFormats(formats []*ftrace.Format, match func(system, name string) bool, o *report.ListOptions) error {
	formats = slices.Clone(formats)
	slices.SortStableFunc(formats, func(a, b *ftrace.Format) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for _, f := range formats {
		if !match(f.System, f.Name) {
			continue
		}
		e := &facts.Event{System: f.System, Name: f.Name, ID: facts.Number(f.ID),
			Line: fmt.Appendf(nil, "%5d  %s:%s\n", f.ID, f.System, f.Name)}
		if o.Fields {
			addFields(e, f)
		}
		if err := o.Each(e); err != nil {
			return err
		}
	}
	return nil
}

func addFields(e *facts.Event, f *ftrace.Format) {
	e.Fields = []facts.Field{}
	ev := &ir.Event{} // the event with the requested facts
	for _, fd := range f.Fields {
		if !fd.Common {
			ev.Fields = append(ev.Fields, &ir.Field{Name: fd.Name, Offset: fd.Offset})
		}
	}
	names := ev.FieldNames()
	for _, fd := range f.Fields {
		if fd.Common {
			continue
		}
		sign := "unsigned"
		if fd.Signed {
			sign = "signed"
		}
		name, decl := cmp.Or(names[len(e.Fields)], fd.Name), fd.Decl
		if name != fd.Name {
			decl += ", called " + name
		}
		e.Fields = append(e.Fields, facts.Field{
			Name: name, Type: fd.Type, Offset: facts.Number(fd.Offset), Size: facts.Number(fd.Size), Signed: fd.Signed,
		})
		e.Line = fmt.Appendf(e.Line, "       %4d +%-4d %-8s  %s\n", fd.Offset, fd.Size, sign, decl)
	}
}
