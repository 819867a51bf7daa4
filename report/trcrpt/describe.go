package trcrpt

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
)

// Templates are the selected templates of files, compiled as one. They describe the events of AIX
// recordings, which do not describe their own.
type Templates struct {
	Chosen   []*compiler.Template
	Messages diag.List
	source   string
}

// Described returns the template files for a recording of a system, and the rules for compiling
// them. names is nil for other systems, and for a recording that is opened without templates.
func Described(job *report.Job, src *sources.Source) (names []string, rules compiler.Options, err error) {
	if src == nil || src.Name != "aix" || len(job.Opening.Templates) == 0 {
		return nil, rules, nil
	}
	o, err := newOptions(job)
	if err == nil {
		rules = o.Rules.Compile
	}
	return job.Opening.Templates, rules, err
}

// DescribeTemplates compiles the templates of files that match globs. option is the option of the
// globs. source is the name of the files in generated files. Templates with mistakes are skipped.
func DescribeTemplates(
	source string, names []string, rules compiler.Options, option string, globs []string,
) (*Templates, error) {
	match, err := trcfiles.Matcher(globs)
	if err != nil {
		return nil, err
	}
	files, errs, err := trcfiles.ReadTemplates(names)
	if err != nil {
		return nil, err
	}
	var stanzas []*grammar.Stanza
	for _, f := range files {
		stanzas = append(stanzas, f.Stanzas...)
	}
	if err := trcfiles.StanzaCatalog(strings.Join(names, " "), stanzas).CheckEvents(option, globs); err != nil {
		return nil, err
	}
	t := &Templates{source: source, Messages: errs}
	// As in reports, $DEFAULT runs the built-in template unless the user has a template 008.
	// Built-in templates are not selected.
	files = append([]*grammar.File{compiler.Builtin()}, files...)
	result, diags := compiler.Compile(source, rules, files...)
	t.Messages = append(t.Messages, diags...)
	for _, x := range result.Templates {
		if slices.Contains(names, x.Stanza.Pos.Filename) && (match == nil || match(x.Stanza.Hook.Text, x.Label)) {
			t.Chosen = append(t.Chosen, x)
			t.Messages = append(t.Messages, x.Clashes...)
		}
	}
	t.Messages.Sort()
	t.Messages = slices.Compact(t.Messages) // every template that calls a function repeats its mistakes
	return t, nil
}

// Unit returns the templates that can be structs, for package gen.
func (t *Templates) Unit() *ir.Unit {
	usable := slices.DeleteFunc(slices.Clone(t.Chosen), func(x *compiler.Template) bool { return !generated(x) })
	return compiler.Hooks(t.source, usable)
}

// Usable reports whether a selected template can be a struct.
func (t *Templates) Usable() bool { return slices.ContainsFunc(t.Chosen, generated) }

func generated(t *compiler.Template) bool { return len(t.Clashes) == 0 && t.Events[0].HasText }

// Dump prints the IR of the templates, in both word sizes.
func (t *Templates) Dump(w io.Writer) error {
	part := compiler.Result{Source: t.source, Templates: t.Chosen}
	for _, hook64 := range []bool{false, true} {
		if err := part.Unit(hook64).Dump(w); err != nil {
			return err
		}
	}
	return nil
}

// Summary returns a line for each template, and a line with the number of templates that have only
// fixed offsets.
func (t *Templates) Summary() (lines []string) {
	resolved := 0
	for _, x := range t.Chosen {
		how := "pointer at run time"
		if x.Resolved {
			resolved++
			how = "fixed offsets"
		}
		lines = append(lines, fmt.Sprintf("%s %q: %s, %d values", x.Stanza.Hook.Text, x.Label, how,
			len(x.Events[0].Values())))
	}
	return append(lines, fmt.Sprintf("%d templates, %d resolved to fixed offsets", len(t.Chosen), resolved))
}
