// Package trcfiles reads the files that complete a recording of AIX: templates, layouts, and rules
// for unpublished details.
package trcfiles

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"sync"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/archive"
)

// stanzaLine matches the beginning of a template, or of an update file.
var stanzaLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:\x{FEFF})?(?:(?:\+[ \t]*)?[0-9A-Fa-f]{3,4}[ \t]+[0-9]+\.[0-9]+[ \t\r\n\\]` +
		`|\* /etc/trcfmt|-[ \t]*[0-9A-Fa-f]{3,4}[ \t]*$)`)
})

// IsTemplates reports whether a file holds templates of AIX, regardless of its name.
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
	const enough = 256 << 10 // the comment at the start of /etc/trcfmt has 20 KiB
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

// ReadPacked is ReadTemplateFile for a file that may be packed. It is for files that are not
// rewritten.
func ReadPacked(name string) ([]byte, error) {
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

// ReadPlainTemplates is ReadTemplateFile for a file that is rewritten. A packed file is an error.
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

// HoldsTemplates reports whether a file that begins with text holds templates. In a damaged file a
// NUL byte may be anywhere, and is only a mistake of a template. Binary files, and tar archives of
// templates, have one in the first line.
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

// ReadTemplates reads files of templates. The error is about the first unreadable file. Mistakes in
// the files are in the list, and stanzas with mistakes are skipped.
func ReadTemplates(names []string) ([]*grammar.File, diag.List, error) {
	var files []*grammar.File
	var all diag.List
	for _, name := range names {
		text, err := ReadPacked(name)
		if err != nil {
			return nil, nil, err
		}
		f, errs := grammar.Parse(name, text)
		all = append(all, errs...)
		f.Stanzas = slices.DeleteFunc(f.Stanzas, func(s *grammar.Stanza) bool { return s.Broken })
		files = append(files, f)
	}
	return files, all, nil
}

// Stanzas returns the templates of files, or the built-in ones without a file. It also returns the
// mistakes of skipped templates.
func Stanzas(names []string) ([]*grammar.Stanza, diag.List, error) {
	files, errs, err := ReadTemplates(names)
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		files = []*grammar.File{compiler.Builtin()}
	}
	var all []*grammar.Stanza
	for _, f := range files {
		all = append(all, f.Stanzas...)
	}
	return all, errs, nil
}

// ReadTemplateFile reads a file of templates. If it is too large, it reads as much as the parser
// needs to reject it.
func ReadTemplateFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("%s: a directory, not a file of templates", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, grammar.MaxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// Load compiles the templates of files, with the built-in ones. It returns the mistakes in the
// files, and the templates whose events have no fields. The error is about an unreadable file.
func Load(names []string, rules compiler.Options) (result *compiler.Result, mistakes, unusable []error, err error) {
	files, errs, err := ReadTemplates(names)
	if err != nil {
		return nil, nil, nil, err
	}
	result, diags := compiler.Compile("", rules, append([]*grammar.File{compiler.Builtin()}, files...)...)
	for _, e := range errs.Worst(diag.Error) {
		mistakes = append(mistakes, e)
	}
	for _, d := range diags.Worst(diag.Error) {
		mistakes = append(mistakes, d)
	}
	for _, t := range result.Templates {
		if len(t.Clashes) > 0 && t.Events[0].Values() == nil { // its events have no fields
			unusable = append(unusable, t.Clashes[0])
		}
	}
	return result, mistakes, unusable, nil
}
