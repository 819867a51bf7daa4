package trcrpt

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/archive"
)

// stanzaLine is the beginning of a template, or of an update file.
var stanzaLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:\x{FEFF})?(?:(?:\+[ \t]*)?[0-9A-Fa-f]{3,4}[ \t]+[0-9]+\.[0-9]+[ \t\r\n\\]` +
		`|\* /etc/trcfmt|-[ \t]*[0-9A-Fa-f]{3,4}[ \t]*$)`)
})

// IsTemplates reports whether a file holds templates of AIX. Names do not matter.
func IsTemplates(name string) bool {
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	r, err := unpacked(f, st.Size())
	if err != nil {
		return false
	}
	defer r.Close()
	const enough = 256 << 10 // the comment at the head of /etc/trcfmt has 20 KiB
	text, err := io.ReadAll(io.LimitReader(r, enough))
	return (err == nil || len(text) > 0) && HoldsTemplates(text)
}

// unpacked reads a file, or the contents of a packed file.
func unpacked(f io.ReaderAt, size int64) (io.ReadCloser, error) {
	head := make([]byte, 8)
	n, _ := f.ReadAt(head, 0)
	if p := archive.PackingOf(head[:n]); p != nil {
		return p.Open(f, size, 0)
	}
	return io.NopCloser(io.NewSectionReader(f, 0, size)), nil
}

// readPacked is ReadTemplateFile for a file that may be packed: one that is not written again.
func readPacked(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return ReadTemplateFile(name)
	}
	r, err := unpacked(f, st.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, grammar.MaxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// ReadPlainTemplates is ReadTemplateFile for a file that is written again: one that is packed is an
// error.
func ReadPlainTemplates(name string) ([]byte, error) {
	text, err := ReadTemplateFile(name)
	if err != nil {
		return nil, err
	}
	if p := archive.PackingOf(text); p != nil {
		return nil, fmt.Errorf("%s: packed by %s; unpack it first", name, p.Name)
	}
	return text, nil
}

// HoldsTemplates reports whether a file that begins with text holds templates. A NUL byte, which a
// damaged file may have anywhere, is one mistake of a template. Binary files, and tar archives of
// templates, have one in what would be their first line.
func HoldsTemplates(text []byte) bool {
	at := stanzaLine().FindIndex(text)
	if at == nil {
		return false
	}
	line, _, _ := bytes.Cut(text[:at[0]], []byte("\n"))
	return bytes.IndexByte(line, 0) < 0 || line[0] == '*' // a comment
}

// Divide separates files of templates from other inputs.
func Divide(names []string) (templates, others []string) {
	for _, name := range names {
		if IsTemplates(name) {
			templates = append(templates, name)
		} else {
			others = append(others, name)
		}
	}
	return templates, others
}

// Vetted holds the findings about files of templates.
type Vetted struct {
	Messages                      diag.List // all of them, sorted
	Clashes                       diag.List // why gen makes no structs of templates; the report needs no structs
	Templates, Resolved, Unusable int
}

// Summary returns the numbers in a line.
func (v *Vetted) Summary() string {
	return fmt.Sprintf("%d templates, %d resolved to fixed offsets, %d unusable", v.Templates, v.Resolved, v.Unusable)
}

// Write prints the messages of at least the given severity, and their numbers. When quiet, it
// prints only the number of errors. The error is report.ErrDamaged if there is a mistake.
func (v *Vetted) Write(out io.Writer, least diag.Severity, quiet bool) error {
	var text []byte
	if quiet {
		text = fmt.Appendf(text, "%d mistakes\n", len(v.Messages.Worst(diag.Error)))
	} else {
		for _, d := range v.Messages.Worst(least) {
			text = append(text, d.Error()...)
			text = append(text, '\n')
		}
	}
	if _, err := out.Write(append(append(text, v.Summary()...), '\n')); err != nil {
		return err
	}
	if len(v.Messages.Worst(diag.Error)) > 0 {
		return report.ErrDamaged
	}
	return nil
}

// Vet finds all mistakes of the templates in files that match globs. option is the option of the
// globs.
func Vet(names []string, rules compiler.Options, option string, globs []string) (*Vetted, error) {
	v := &Vetted{}
	match, err := Matcher(globs)
	if err != nil {
		return nil, err
	}
	var files []*grammar.File
	var all []*grammar.Stanza
	for _, name := range names {
		text, err := readPacked(name)
		if err != nil {
			return nil, err
		}
		f, errs := grammar.Parse(name, text)
		v.Messages = append(v.Messages, errs...)
		good := f.Stanzas[:0:0]
		all = append(all, f.Stanzas...)
		for _, s := range f.Stanzas {
			chosen := chooses(match, s)
			if chosen {
				v.Templates++
			}
			if !s.Broken {
				good = append(good, s)
			} else if chosen {
				v.Unusable++
			}
		}
		f.Stanzas = good
		files = append(files, f)
	}
	if err := StanzaCatalog(strings.Join(names, " "), all).CheckEvents(option, globs); err != nil {
		return nil, err
	}
	// Built-in templates are part of every report, so their use is not a mistake.
	files = append([]*grammar.File{compiler.Builtin()}, files...)
	result, _ := compiler.Compile("", rules, files...)
	for _, d := range compiler.Vet(rules, files...) {
		if slices.Contains(names, d.Pos.Filename) {
			v.Messages = append(v.Messages, d)
		}
	}
	if match != nil {
		v.Messages = slices.DeleteFunc(v.Messages, func(d diag.Diagnostic) bool {
			i := slices.IndexFunc(all, func(s *grammar.Stanza) bool {
				return s.Pos.Filename == d.Pos.Filename && s.Pos.Line <= d.Pos.Line && d.Pos.Line <= s.End.Line
			})
			return i < 0 || !chooses(match, all[i])
		})
	}
	for _, t := range result.Templates { // templates that gen skips
		if chooses(match, t.Stanza) && slices.Contains(names, t.Stanza.Pos.Filename) {
			v.Clashes = append(v.Clashes, t.Clashes...)
		}
	}
	v.Clashes.Sort()
	v.Clashes = slices.Compact(v.Clashes) // every calling template repeats a function's clashes
	v.Messages.Sort()
	for _, t := range result.Templates {
		if t.Resolved && chooses(match, t.Stanza) && slices.Contains(names, t.Stanza.Pos.Filename) {
			v.Resolved++
		}
	}
	return v, nil
}

// chooses reports whether globs, if there are any, choose a template.
func chooses(match func(name, label string) bool, s *grammar.Stanza) bool {
	n := hookName(s.Hook.Value, strings.TrimPrefix(s.Label, "@"))
	return match == nil || match(n.Name, n.Alias)
}

// ListTemplates lists the ids and labels of the templates in a file, as trcrpt -j does. On request
// it lists their values.
func ListTemplates(job *report.Job, o *report.ListOptions) error {
	name := job.Path
	rules, err := TemplateRules(name, &job.Opening)
	if err != nil {
		return err
	}
	files, errs, err := ReadTemplates([]string{name})
	if err != nil {
		return err
	}
	if err := StanzaCatalog(name, files[0].Stanzas).CheckEvents("-e", o.Events); err != nil {
		return err
	}
	match, err := Matcher(o.Events)
	if err != nil {
		return err
	}
	events := List(files[0].Stanzas, match)
	if o.Fields {
		result, _ := compiler.Compile(name, rules, compiler.Builtin(), files[0]) // vet reports mistakes
		for _, e := range events {
			addFields(e, result.Hook(uint16(*e.ID)))
		}
	}
	if err := o.All(events); err != nil {
		return err
	}
	fails := errs.Worst(diag.Error)
	for _, e := range fails {
		job.Warn(e)
	}
	if len(fails) > 0 {
		return report.ErrDamaged
	}
	return nil
}
