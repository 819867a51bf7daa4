package metadata

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

// CodeMetadata is the code of messages about metadata whose meaning is impossible for a trace.
// CodeCut is the code of messages about a last fragment or packet without its end.
const (
	CodeMetadata = "ctf-metadata"
	CodeCut      = "ctf-cut"
)

// maxDepth bounds the levels of classes: a type may contain another, and that one another.
const maxDepth = tsdl.MaxNesting

// reader makes a Trace from declarations or fragments.
type reader struct {
	trace    *Trace
	name     string // of the file
	text     string
	lines    []int // offsets of lines, found for the first message
	budget   int   // budget for classes
	errors   diag.List
	failed   int // number of errors, kept or not
	warned   int
	traced   bool // there is a trace block, or a preamble
	streams  map[uint64]*Stream
	events   []*declared
	headerAt int // the place of the description of the packet header
	// headless reports that the description of the packet header has errors, so that no packet can
	// be read.
	headless bool
	unusable int // number of streams with errors
}

// newReader returns a reader of a text. The budget bounds the classes of a trace by the length of
// the text, because a type may contain another twice, and that one another twice.
func newReader(version int, name, text string) reader {
	return reader{trace: &Trace{Version: version}, name: name, text: text, budget: 1<<16 + len(text)/8,
		streams: map[uint64]*Stream{}}
}

// declared is an event before its stream is known.
type declared struct {
	at     int // offset in the text
	event  *Event
	stream *uint64 // nil for the only stream
}

// report adds an error about the text at an offset.
func (r *reader) report(at int, format string, args ...any) {
	r.reportAs(CodeMetadata, at, format, args...)
}

// reportAs is report with a code.
func (r *reader) reportAs(code string, at int, format string, args ...any) {
	if r.failed++; r.failed <= tsdl.MaxErrors {
		r.errors = append(r.errors, diag.New(r.position(at), diag.Error, code, format, args...))
	}
}

// warn adds a warning about a part of the metadata that is ignored.
func (r *reader) warn(at int, format string, args ...any) {
	if r.warned++; r.warned <= tsdl.MaxErrors {
		r.errors = append(r.errors, diag.New(r.position(at), diag.Warning, CodeMetadata, format, args...))
	}
}

// position returns the line and the column of an offset.
func (r *reader) position(at int) diag.Position {
	if r.lines == nil {
		r.lines = []int{0}
		for i := range len(r.text) {
			if r.text[i] == '\n' {
				r.lines = append(r.lines, i+1)
			}
		}
	}
	at = min(at, len(r.text))
	line := sort.SearchInts(r.lines, at+1)
	return diag.Position{Filename: r.name, Offset: at, Line: line, Column: 1 +
		utf8.RuneCountInString(r.text[r.lines[line-1]:at])}
}

// finish resolves the parts that need all declarations, and returns the results.
func (r *reader) finish(resolve ...func()) (*Trace, error) {
	r.adopt()
	for _, do := range resolve {
		do()
	}
	if r.headless {
		r.trace.Streams = nil
	}
	r.link()
	r.unread()
	return r.result(r.trace)
}

// unread warns of fields of headers that nothing reads: they have no role, and no reference leads
// to them.
func (r *reader) unread() {
	used := map[*Class]bool{}
	refer := func(c *Class) {
		if c.From != nil {
			for _, f := range c.From.Fields {
				used[f] = true
			}
		}
	}
	for _, s := range r.trace.Streams {
		for _, e := range s.Events {
			e.Context.each(refer)
			e.Payload.each(refer)
		}
		for _, root := range [...]*Class{r.trace.Header, s.PacketContext, s.EventHeader, s.EventContext} {
			root.each(refer)
		}
	}
	warn := func(root *Class, at int) {
		root.each(func(c *Class) {
			for _, m := range c.Members {
				x := m.Class
				compound := x.Kind == Struct || x.Kind == Variant || x.Kind == Optional
				if len(x.Roles) == 0 && !used[x] && !compound {
					r.warn(at, "the field %s of a header has no meaning, and is not shown", diag.Quote(m.Name))
				}
			}
		})
	}
	warn(r.trace.Header, r.headerAt)
	for _, s := range r.trace.Streams {
		warn(s.EventHeader, s.at)
	}
}

// result returns a trace with the messages about it.
func (r *reader) result(t *Trace) (*Trace, error) {
	if len(r.errors) == 0 {
		return t, nil
	}
	r.errors.Sort()
	if more := r.failed - tsdl.MaxErrors; more > 0 {
		r.errors = append(r.errors, diag.New(diag.Position{Filename: r.name}, diag.Error, CodeMetadata,
			"%d more errors", more))
	}
	return t, r.errors
}

// take takes a class out of the budget.
func (r *reader) take(at int) bool {
	r.budget--
	return r.within(at)
}

// within reports whether the budget suffices. The first excess is an error.
func (r *reader) within(at int) bool {
	if r.budget >= 0 {
		return true
	}
	if r.budget > exhausted {
		r.report(at, "the types have too many parts for a text of %d bytes", len(r.text))
		r.budget = exhausted
	} else {
		r.failed++ // so that parts without a class are left out
	}
	return false
}

// exhausted is a budget whose end has been reported.
const exhausted = -1 << 30

// copied returns a copy of a class, or nil beyond the budget.
func (r *reader) copied(c *Class, at int) *Class {
	if c = c.clone(&r.budget); !r.within(at) {
		return nil
	}
	return c
}

// holds makes child a part of c. It returns false, and adds an error, if there are too many levels.
func (r *reader) holds(c, child *Class, at int) bool {
	if c.depth = max(c.depth, child.depth+1); c.depth <= maxDepth {
		return true
	}
	r.report(at, "more than %d levels of types", maxDepth)
	return false
}

// root checks that the class of a scope is a structure.
func (r *reader) root(c *Class, name string, at int) *Class {
	if c != nil && c.Kind != Struct {
		r.report(at, "%s is not a structure", name)
		return nil
	}
	return c
}

// addStream adds a stream.
func (r *reader) addStream(s *Stream, at int) {
	if r.streams[s.ID] != nil {
		r.report(at, "another stream has the number %d", s.ID)
		return
	}
	r.streams[s.ID] = s
	r.trace.Streams = append(r.trace.Streams, s)
}

// addClock adds a clock.
func (r *reader) addClock(c *Clock, at int) {
	if clockOf(r.trace, c.ID) != nil {
		r.report(at, "another clock is called %s", diag.Quote(c.ID))
		return
	}
	if len(r.trace.Clocks) == maxClocks {
		r.report(at, "more than %d clocks", maxClocks)
		return
	}
	r.trace.Clocks = append(r.trace.Clocks, c)
}

// maxClocks bounds the clocks of a trace. Fields search for their clock one by one.
const maxClocks = 1000

// clockOf returns the clock with a name, or nil.
func clockOf(t *Trace, id string) *Clock {
	if i := slices.IndexFunc(t.Clocks, func(c *Clock) bool { return c.ID == id }); i >= 0 {
		return t.Clocks[i]
	}
	return nil
}

// adopt adds the events to their streams.
func (r *reader) adopt() {
	taken := map[[2]uint64]bool{}
	for _, d := range r.events {
		id := uint64(0)
		if d.stream != nil {
			id = *d.stream
		} else if len(r.trace.Streams) == 1 {
			id = r.trace.Streams[0].ID
		}
		s, name := r.streams[id], diag.Quote(d.event.Name.Name)
		switch {
		case s == nil && r.unusable > 0: // it may be one of them
			continue
		case s == nil && r.trace.Version == 1 && (d.stream == nil || len(r.trace.Streams) == 0):
			s = &Stream{ID: id}
			r.addStream(s, d.at)
		case s == nil:
			r.report(d.at, "event %s belongs to stream %d, which is not declared", name, id)
			continue
		}
		if key := [2]uint64{id, d.event.ID}; taken[key] {
			r.report(d.at, "event %s: another event of stream %d has the number %d", name, id, d.event.ID)
			continue
		} else {
			taken[key] = true
		}
		d.event.at = d.at
		s.Events = append(s.Events, d.event)
	}
}

// quoted returns names with dots between them, for messages.
func quoted(names []string) string { return diag.Quote(strings.Join(names, ".")) }
