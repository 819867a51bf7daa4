package metadata

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

// CodeMetadata is the code of messages about metadata that has a meaning that no trace can have.
const CodeMetadata = "ctf-metadata"

// maxClasses bounds the classes of a trace. A type may hold another twice, and that another twice.
const maxClasses = 1 << 20

// ReadTSDL reads metadata of version 1.8. The name is used for positions only. The error is a
// [diag.List]. What it is about, such as an event, is left out of the trace, which is nil if
// nothing is left.
func ReadTSDL(name, text string) (*Trace, error) {
	file, err := tsdl.Parse(name, text)
	r := &reader{trace: &Trace{Version: 1}, types: &scope{}, budget: maxClasses, begin: diag.Position{Filename: name, Line: 1, Column: 1}}
	if list, ok := err.(diag.List); ok {
		r.errors = list
	}
	r.order(file) // which types need before the trace is declared
	for _, d := range file.Declarations {
		if d.Block == nil {
			r.entry(d.Entry, r.types)
			continue
		}
		switch b := d.Block; b.Kind {
		case "trace":
			r.traceBlock(b)
		case "env":
			r.environment(b)
		case "clock":
			r.clock(b)
		case "stream":
			r.stream(b)
		case "event":
			r.event(b)
		}
	}
	if !r.traced {
		r.errors = append(r.errors, diag.New(r.begin, diag.Error, CodeMetadata, "there is no trace block"))
		return nil, r.errors
	}
	r.adopt()
	r.clocks()
	r.byName()
	r.link()
	if len(r.errors) > 0 {
		return r.trace, r.errors
	}
	return r.trace, nil
}

// reader makes a Trace of declarations or fragments.
type reader struct {
	trace  *Trace
	types  *scope
	budget int // of classes
	errors diag.List
	traced bool // there is a trace block
	events []*declared
	begin  diag.Position // of the text
}

// declared is an event before its stream is known.
type declared struct {
	pos    diag.Position
	event  *Event
	stream *uint64 // nil for the only one
}

// report adds an error.
func (r *reader) report(pos diag.Position, format string, args ...any) {
	if len(r.errors) < tsdl.MaxErrors {
		r.errors = append(r.errors, diag.New(pos, diag.Error, CodeMetadata, format, args...))
	}
}

// order finds the byte order of the trace.
func (r *reader) order(file *tsdl.File) {
	for _, d := range file.Declarations {
		if d.Block == nil || d.Block.Kind != "trace" {
			continue
		}
		for _, e := range d.Block.Entries {
			if s := e.Setting; s != nil && len(s.Path) == 1 && s.Path[0] == "byte_order" && s.Value != nil {
				switch word(s.Value) {
				case "be", "network":
					r.trace.BigEndian = true
				case "le":
				default:
					r.report(s.Pos, "the byte order of a trace is le or be, not %s", diag.Quote(word(s.Value)))
				}
				return
			}
		}
	}
}

// word is a value that is a name or a text.
func word(v *tsdl.Value) string {
	if v.Text != nil {
		return *v.Text
	}
	if v.Number != "" {
		return v.Sign + v.Number
	}
	return strings.Join(v.Path, ".")
}

// unsigned reads a number that is not negative.
func (r *reader) unsigned(v *tsdl.Value) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimRight(v.Number, "uUlL"), 0, 64)
	if v.Number == "" || err != nil || v.Sign == "-" && n != 0 {
		r.report(v.Pos, "%s is no number from 0 to 2^64-1", diag.Quote(word(v)))
		return 0, false
	}
	return n, true
}

// signed reads a number of 64 bits with a sign. The result has its bits.
func (r *reader) signed(v *tsdl.Value) (int64, bool) {
	n, err := strconv.ParseInt(v.Sign+strings.TrimRight(v.Number, "uUlL"), 0, 64)
	if v.Number == "" || err != nil {
		r.report(v.Pos, "%s is no number of 64 bits with a sign", diag.Quote(word(v)))
		return 0, false
	}
	return n, true
}

// truth reads a truth value.
func (r *reader) truth(v *tsdl.Value) bool {
	switch word(v) {
	case "true", "TRUE", "1":
		return true
	case "false", "FALSE", "0":
		return false
	}
	r.report(v.Pos, "%s is neither true nor false", diag.Quote(word(v)))
	return false
}
