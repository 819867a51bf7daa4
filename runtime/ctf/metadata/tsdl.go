package metadata

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

// ReadTSDL reads metadata of version 1.8. The name is used for positions only. The error is a
// [diag.List]. The parts with errors, such as events, are left out of the trace, which is nil if
// nothing is left.
func ReadTSDL(name, text string) (*Trace, error) {
	r := &tsdlReader{reader: newReader(1, name, text), types: &scope{}, scalars: map[string]*Class{}}
	r.order(tsdl.First(text, "trace")) // types need it before the trace is declared
	err := tsdl.Parse(name, text, r.declaration)
	if list, ok := err.(diag.List); ok {
		r.errors = append(r.errors, list...)
	}
	if !r.traced {
		if len(r.errors) == 0 {
			r.report(0, "the trace block is missing")
		}
		return r.result(nil)
	}
	return r.finish(r.clocks, r.byName)
}

// tsdlReader makes a Trace from declarations.
type tsdlReader struct {
	reader
	types   *scope            // outside of all braces
	scalars map[string]*Class // by their texts
}

func (r *tsdlReader) declaration(d *tsdl.Declaration) {
	if d.Block == nil {
		r.entry(d.Entry, r.types)
		return
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
	default:
		r.warn(b.Pos.Offset, "a %s block is not read", b.Kind)
	}
}

// order finds the byte order of the trace.
func (r *tsdlReader) order(trace *tsdl.Block) {
	if trace == nil {
		return
	}
	for _, e := range trace.Entries {
		if s := e.Setting; s != nil && len(s.Target.Path) == 1 && s.Target.Path[0] == "byte_order" && s.Value != nil {
			switch word(s.Value) {
			case "be", "network":
				r.trace.BigEndian = true
			case "le":
			default:
				r.report(s.Pos.Offset, "the byte order of a trace is le or be, not %s", diag.Quote(word(s.Value)))
			}
			return
		}
	}
	r.report(trace.Pos.Offset, "the trace block has no byte order")
}

// word returns a value that is a name or a text.
func word(v *tsdl.Value) string {
	if v.Text != nil {
		return string(*v.Text)
	}
	if v.Number != "" {
		return v.Sign + v.Number
	}
	return strings.Join(v.Path, ".")
}

// unsigned reads a number that is not negative.
func (r *tsdlReader) unsigned(v *tsdl.Value) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimRight(v.Number, "uUlL"), 0, 64)
	if v.Number == "" || err != nil || v.Sign == "-" && n != 0 {
		r.report(v.Pos.Offset, "%s is not a number from 0 to 2^64-1", diag.Quote(word(v)))
		return 0, false
	}
	return n, true
}

// signed reads a signed number of 64 bits. The result has its bits.
func (r *tsdlReader) signed(v *tsdl.Value) (int64, bool) {
	n, err := strconv.ParseInt(v.Sign+strings.TrimRight(v.Number, "uUlL"), 0, 64)
	if v.Number == "" || err != nil {
		r.report(v.Pos.Offset, "%s is not a signed 64-bit number", diag.Quote(word(v)))
		return 0, false
	}
	return n, true
}

// truth reads a truth value.
func (r *tsdlReader) truth(v *tsdl.Value) bool {
	switch word(v) {
	case "true", "TRUE", "1":
		return true
	case "false", "FALSE", "0":
		return false
	}
	r.report(v.Pos.Offset, "%s is neither true nor false", diag.Quote(word(v)))
	return false
}
