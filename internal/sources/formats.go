package sources

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// Formats holds format files of ftrace, and their machine.
type Formats struct {
	Files  []compiler.Source
	Target ir.Target
	Damage []error // damage of recordings, and files that are not formats
}

// Catalog returns the event types of the formats.
func (d *Formats) Catalog(inputs string) *selection.Catalog {
	c := &selection.Catalog{Recording: inputs, Noun: "event"}
	for _, f := range d.Files {
		c.Events = append(c.Events, selection.Name{System: f.System, Name: FormatName(f.Text)})
	}
	return c
}

// Take adds the formats of a recording. It returns their machine.
func (d *Formats) Take(rec *ftrace.Recording) ir.Target {
	info := rec.Info()
	for _, f := range rec.Formats() {
		d.Files = append(d.Files, compiler.Source{
			System: f.System, Name: path.Join(filepath.ToSlash(info.Name), f.System, f.Name), Text: []byte(f.Text),
		})
	}
	rec.Types() // load the types, since formats are compiled after the recording is closed
	return recorded.Target(rec)
}

// FormatName returns the name of the event in a format file.
func FormatName(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// Choose keeps the events that match. Of several with the same name it keeps the first, and the
// others are damage.
func (d *Formats) Choose(match func(system, name string) bool) {
	seen := map[string]string{}
	d.Files = slices.DeleteFunc(d.Files, func(f compiler.Source) bool {
		name := FormatName(f.Text)
		if !match(f.System, name) {
			return true
		}
		key := f.System + ":" + name
		if first, again := seen[key]; again {
			d.Damage = append(d.Damage, fmt.Errorf("%s: %s is described twice, already in %s", f.Name, key, first))
			return true
		}
		seen[key] = f.Name
		return false
	})
}

// Describe compiles the formats. source is their name in generated files.
func (d *Formats) Describe(source string) *Description {
	unit, messages := compiler.Compile(source, d.Files, d.Target)
	return &Description{Unit: unit, Messages: messages, LeftOut: d.Damage}
}

// describeFTrace compiles the formats of a recording.
func describeFTrace(r record.Recording, events pattern.List) *Description {
	rec := r.(*ftrace.Recording)
	var d Formats
	d.Target = d.Take(rec)
	catalog := d.Catalog(rec.Name())
	events = catalog.In(events)
	d.Choose(func(system, name string) bool { return events.Matches(system, name, "") })
	out := d.Describe(rec.Name())
	out.Catalog, out.Noun, out.Parts = catalog, "events", "fields"
	out.Nothing = fmt.Errorf("%s: the recording describes no event", rec.Name())
	return out
}
