package lttng

import (
	"fmt"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// MaxBytes limits the length of a format in bytes. A format is stored in an event, and the size of
// an event has 32 bits.
const MaxBytes = 64 << 10

// MaxFields limits the conversions of a format. They were arguments of a C function, and compilers
// guarantee only 127 arguments.
const MaxFields = 1024

// The codes. They are stable: tools may select by them.
const (
	CodeConversion = "lttng-conversion" // a conversion that markers do not have, such as %f or %5d
	CodeLimit      = "lttng-limit"      // the format is too long or has too many fields
)

var parser = sync.OnceValue(func() *participle.Parser[Format] {
	return participle.MustBuild[Format](participle.Lexer(formatLexer{}))
})

// Parse parses a format. The name is used for positions only. The error is a [diag.Diagnostic], or
// a [diag.List] with one for each wrong conversion. A format with an error is useless as a whole,
// because readers of that time misread it as well.
func Parse(name, text string) (*Format, error) {
	if len(text) > MaxBytes {
		return nil, diag.Diagnostic{Pos: lexer.Position{Filename: name, Line: 1, Column: 1}, Code: CodeLimit,
			Msg: fmt.Sprintf("a format of %d bytes: at most %d are read", len(text), MaxBytes)}
	}
	f, err := parser().ParseString(name, text)
	if err == nil {
		return limited(name, f)
	}
	switch all := faults(name, text); len(all) {
	case 0:
		return nil, diag.Diagnostic{Pos: lexer.Position{Filename: name, Line: 1, Column: 1}, Code: CodeConversion,
			Msg: err.Error()}
	case 1:
		return nil, all[0]
	default:
		return nil, all
	}
}

// maxFaults limits the number of errors for one format.
const maxFaults = 20

// faults returns an error for each invalid conversion.
func faults(name, text string) (list diag.List) {
	t := &tokens{text: text, pos: lexer.Position{Filename: name, Line: 1, Column: 1}}
	for len(list) < maxFaults {
		tok, err := t.Next()
		if err != nil || tok.EOF() {
			break
		}
		if tok.Type != tokBad {
			continue
		}
		e := diag.Diagnostic{Pos: tok.Pos, Code: CodeConversion, Msg: "the format ends within a conversion"}
		if rest := text[tok.Pos.Offset:]; rest != "" {
			e.Msg = fmt.Sprintf("%.10q is not a conversion of markers: want d i u o x X c s p with h, l, ll, L, z, Z or t", rest)
		}
		list = append(list, e)
	}
	return list
}

// limited rejects a format with more fields than any program has.
func limited(name string, f *Format) (*Format, error) {
	fields := 0
	for _, item := range f.Items {
		if item.Conversion != nil {
			fields++
		}
	}
	if fields > MaxFields {
		return nil, diag.Diagnostic{Pos: lexer.Position{Filename: name, Line: 1, Column: 1}, Code: CodeLimit,
			Msg: fmt.Sprintf("a format of %d fields: at most %d are read", fields, MaxFields)}
	}
	return f, nil
}
