package trcfile

import (
	"fmt"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// Source is a parsed file.
type Source struct {
	Text   string
	File   *grammar.File
	Errors diag.List
}

// Parse parses a file. Its mistakes are in the result.
func Parse(name string, text []byte) *Source {
	f, errs := grammar.Parse(name, text)
	return &Source{Text: string(text), File: f, Errors: errs}
}

// check rejects an update file with mistakes.
func (s *Source) check() error {
	if err := s.Errors.Err(); err != nil {
		return err
	}
	if !s.File.IsUpdate { // the parser rejects operators there, but not a file without any
		return diag.List{{Pos: s.File.Pos, Code: grammar.CodeUpdate,
			Msg: fmt.Sprintf("expected %q as the first line of an update file", Header)}}
	}
	return nil
}

// lines returns the range of the lines of a stanza, including the last newline.
func (s *Source) lines(st *grammar.Stanza) (begin, end int) {
	begin = strings.LastIndexByte(s.Text[:st.Pos.Offset], '\n') + 1
	end = st.End.Offset
	if i := strings.IndexByte(s.Text[end:], '\n'); i >= 0 && (end == 0 || s.Text[end-1] != '\n') {
		end += i + 1
	}
	return begin, end
}

// stanza returns the lines of a stanza for a template file: without the operator, from column 1 on.
func (s *Source) stanza(st *grammar.Stanza) string {
	begin, end := s.lines(st)
	text := strings.TrimLeft(s.Text[begin:end], " \t")
	text = strings.TrimLeft(strings.TrimPrefix(text, "+"), " \t")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// Extract returns the stanzas of hook ids as an update file that adds them: trcupdate -x. missing
// holds the ids that the file lacks.
func (s *Source) Extract(ids []uint16) (text []byte, missing []uint16) {
	text = append(text, Header+"\n"...)
	for _, id := range ids {
		found := false
		for _, st := range s.File.Stanzas {
			if st.Hook.Value == id {
				text = append(append(text, "+ "...), s.stanza(st)...)
				found = true
			}
		}
		if !found {
			missing = append(missing, id)
		}
	}
	return text, missing
}
