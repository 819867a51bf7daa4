package sql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/runtime/record"
)

// eventTable is a table of the events of one kind, or of all events.
type eventTable struct {
	db     *Database
	list   []Column
	rules  []rule
	from   []origin       // origins of the columns that all events have
	fields map[string]int // indexes of the columns of fields, by name in lower case
	stacks []int          // indexes of the columns of frames
	events []event        // events of the kind; nil for all
}

// mostFields is SQLite's limit of columns, minus the columns that all tables have.
const mostFields = 1990

// newTable returns a table with the columns that all tables of events have.
func newTable(db *Database) *eventTable {
	t := &eventTable{db: db, fields: map[string]int{}}
	t.add(Column{"recording", "TEXT", "the recording"}, byRecording, fromConstant)
	for _, c := range fixed {
		t.add(c.Column, c.rule, c.from)
	}
	return t
}

func (t *eventTable) add(c Column, on rule, from origin) {
	t.list, t.rules, t.from = append(t.list, c), append(t.rules, on), append(t.from, from)
}

// newKind returns the table of a kind of event.
func newKind(db *Database, events []event) (relation, error) {
	t := newTable(db)
	t.events = events
	omitted, exits := 0, false
	for i := range events {
		r, err := t.open(context.Background(), events[i].source, newBounds(), nil)
		if err != nil {
			return nil, err
		}
		if r.Exits() && !exits {
			exits = true
			t.add(Column{"exit", "INTEGER", "1 for the return from the function"}, noRule, fromNumber)
		}
		for typ := range r.Types() {
			if t.is(events[i].source, typ) {
				omitted += t.learn(typ)
			}
		}
	}
	if omitted > 0 {
		db.warn(fmt.Errorf("%s: %d fields are beyond the columns that a table can have", events[0].name, omitted))
	}
	return t, nil
}

// newEvents returns the table of all events.
func newEvents(db *Database) (relation, error) {
	t := newTable(db)
	t.add(Column{"system", "TEXT", "the system of the event"}, noRule, fromConstant)
	t.add(Column{"name", "TEXT", "the name of the event"}, byName, fromConstant)
	labels, exits := false, false
	for i := range db.sources {
		r, err := db.sources[i].Open(record.Options{})
		if err != nil {
			return nil, err
		}
		labels, exits = labels || r.Labels(), exits || r.Exits()
	}
	if labels {
		t.add(Column{"label", "TEXT", "its usual name"}, noRule, fromConstant)
	}
	if exits {
		t.add(Column{"exit", "INTEGER", "1 for returns from functions"}, noRule, fromNumber)
	}
	t.add(Column{"lost", "INTEGER", "events lost before it; -1 if their number is not known"}, noRule, fromLost)
	t.add(Column{"text", "TEXT", "the text of the event"}, noRule, fromText)
	return t, nil
}

// columns implements relation.
func (t *eventTable) columns() []Column { return t.list }

// rule implements relation.
func (t *eventTable) rule(column int) rule {
	if column < len(t.rules) {
		return t.rules[column]
	}
	return noRule
}

// is reports whether a type belongs to the kind.
func (t *eventTable) is(source int, typ *tracec.Type) bool {
	if t.events == nil {
		return true
	}
	return slices.ContainsFunc(t.events, func(e event) bool {
		return e.source == source && e.system == typ.System && e.name == typ.Name
	})
}

// learn adds a column for each field of a type. It returns the number of omitted fields.
func (t *eventTable) learn(typ *tracec.Type) (omitted int) {
	for _, f := range t.named(typ) {
		doc, kind := f.Decl(), typeNames[kindOf(f.Form())]
		i, known := t.fields[fold(f.Name)]
		switch {
		case known && t.list[i].Type != kind:
			t.list[i].Type = "TEXT"
		case known:
		case len(t.fields) == mostFields:
			omitted++
		default:
			t.fields[fold(f.Name)] = len(t.list)
			t.list = append(t.list, Column{f.Name, kind, doc})
			if f.NeedsThreads(typ) {
				t.stacks = append(t.stacks, len(t.list)-1)
			}
		}
	}
	return omitted
}

// named returns the columns of the fields of a type with their names in SQL.
func (t *eventTable) named(typ *tracec.Type) []columns.Column {
	list := columns.Members(typ)
	if data, ok := columns.Data(typ); ok {
		list = append(list, data)
	}
	taken := map[string]bool{"exit": true}
	for _, c := range t.list[:len(t.rules)] {
		taken[c.Name] = true
	}
	for i := range list {
		name := plain(list[i].Name)
		if name == "" || taken[fold(name)] {
			name = "field_" + name
		}
		try := name
		for n := 2; taken[fold(try)]; n++ {
			try = fmt.Sprintf("%s_%d", name, n)
		}
		taken[fold(try)] = true
		list[i].Name = try
	}
	return list
}

// kindOf returns the kind of the values of a form.
func kindOf(f columns.Form) valueKind {
	switch f {
	case columns.SignedForm, columns.UnsignedForm:
		return integers
	case columns.FloatForm:
		return reals
	case columns.BytesForm:
		return blobs
	}
	return texts
}

// scan implements relation.
func (t *eventTable) scan(s *scan) error {
	if s.bounds.nothing() {
		return nil
	}
	for i := range t.db.sources {
		if !allows(s.bounds.recording, t.db.sources[i].Name) {
			continue
		}
		more, err := t.scanSource(s, i)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// scanSource scans the events of one source.
func (t *eventTable) scanSource(s *scan, source int) (more bool, err error) {
	if t.events != nil && !slices.ContainsFunc(t.events, func(e event) bool { return e.source == source }) {
		return true, nil
	}
	r, err := t.open(s.ctx, source, s.bounds, s.used)
	if err != nil {
		return false, err
	}
	more = true
	var plans []plan // by Type.Number
	for ev := range r.All() {
		n := ev.Type.Number
		if n >= len(plans) || !plans[n].made {
			plans = append(plans, make([]plan, max(0, n+1-len(plans)))...)
			plans[n] = t.plan(s, source, ev.Type)
		}
		p := &plans[n]
		if p.other || !s.bounds.passes(ev.Record) {
			continue
		}
		for i := range p.fillers {
			p.fillers[i].put(ev)
		}
		if more = s.end(); !more {
			break
		}
	}
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	if err := r.Err(); err != nil && !errors.Is(err, record.ErrNoCPU) && !errors.Is(err, record.ErrNoTask) {
		t.db.warn(fmt.Errorf("%s: %w", t.db.sources[source].Name, err))
	}
	return more, nil
}

// open returns a reader of the events of a source.
func (t *eventTable) open(ctx context.Context, source int, b bounds, used []bool) (*tracec.Reader, error) {
	var opts []tracec.Option
	if patterns := t.patterns(source, b.name); patterns != nil {
		opts = append(opts, tracec.WithEvents(patterns...))
	}
	if used != nil && t.needsThreads(used) {
		opts = append(opts, tracec.WithThreads())
	}
	return t.db.sources[source].Open(b.records(ctx), opts...)
}

// needsThreads reports whether a used column is known only to readers with threads.
func (t *eventTable) needsThreads(used []bool) bool {
	for i, from := range t.from {
		if used[i] && (from == fromTask || from == fromProcess || from == fromComm) {
			return true
		}
	}
	return slices.ContainsFunc(t.stacks, func(i int) bool { return used[i] })
}

// patterns returns the patterns that select the kinds of events of a source, or nil for all. It
// also returns nil for a name that the catalog lacks, which may be a hook without a template.
func (t *eventTable) patterns(source int, names [][]string) (list []string) {
	events := t.events
	if events == nil && len(names) > 0 && t.db.catalog.has(slices.Concat(names...)) {
		for _, e := range t.db.catalog.entries {
			for _, ev := range e.events {
				if ev.source == source && allows(names, plain(ev.name)) {
					events = append(events, ev)
				}
			}
		}
	}
	for _, e := range events {
		if e.source == source {
			text := pattern(cmp.Or(e.label, e.name))
			if e.system != "" {
				text = pattern(e.system) + ":" + text
			}
			list = append(list, text)
		}
	}
	return list
}

// pattern returns a pattern of package tracec that matches a name, and perhaps others, since
// separators cannot be escaped.
func pattern(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case strings.ContainsRune(`*?[]\`, r):
			b.WriteString(`\` + string(r))
		case strings.ContainsRune(",:/ \t\n\uFFFD", r):
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plan describes how to fill the used columns from events of a type.
type plan struct {
	made    bool
	other   bool // the type belongs to another kind
	fillers []filler
}

func (t *eventTable) plan(s *scan, source int, typ *tracec.Type) plan {
	p := plan{made: true, other: !t.is(source, typ)}
	if p.other {
		return p
	}
	constants := map[string]string{
		"recording": t.db.sources[source].Name, "system": plain(typ.System), "name": plain(typ.Name),
		"label": plain(typ.Label),
	}
	var fields []columns.Column
	if t.events != nil {
		fields = t.named(typ)
	}
	for i, c := range t.list {
		if !s.used[i] {
			continue
		}
		f := filler{to: &s.batch.columns[i]}
		if i < len(t.from) {
			f.from, f.constant = t.from[i], constants[c.Name]
			if typ.Exit {
				f.number = 1
			}
		} else if at := slices.IndexFunc(fields, func(d columns.Column) bool { return fold(d.Name) == fold(c.Name) }); at >= 0 {
			f.column, f.from = &fields[at], fromField[f.to.kind]
		}
		p.fillers = append(p.fillers, f)
	}
	return p
}

// fromField is the origin of the values of a field, by the kind of the column.
var fromField = [...]origin{integers: fromInteger, reals: fromFloat, texts: fromBytes, blobs: fromBytes}
