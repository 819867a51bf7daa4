package trcrpt

import (
	"fmt"
	"io"
	"slices"
	"strings"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
)

// Vetted holds the findings about files of templates.
type Vetted struct {
	Messages                      diag.List // all messages, sorted
	Clashes                       diag.List // reasons for templates without a struct in gen; reports need no structs
	Templates, Resolved, Unusable int
}

// Summary returns a line with the numbers of templates and messages.
func (v *Vetted) Summary() string {
	return fmt.Sprintf("%d templates, %d resolved to fixed offsets, %d unusable", v.Templates, v.Resolved, v.Unusable)
}

// Write prints the messages of at least the given severity, and their numbers. If quiet is set, it
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
	match, err := trcfiles.Matcher(globs)
	if err != nil {
		return nil, err
	}
	var files []*grammar.File
	var all []*grammar.Stanza
	for _, name := range names {
		text, err := trcfiles.ReadPacked(name)
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
	if err := trcfiles.StanzaCatalog(strings.Join(names, " "), all).CheckEvents(option, globs); err != nil {
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
	for _, t := range result.Templates { // templates without a struct in gen
		if chooses(match, t.Stanza) && slices.Contains(names, t.Stanza.Pos.Filename) {
			v.Clashes = append(v.Clashes, t.Clashes...)
		}
	}
	v.Clashes.Sort()
	v.Clashes = slices.Compact(v.Clashes) // every template that calls a function repeats its clashes
	v.Messages.Sort()
	for _, t := range result.Templates {
		if t.Resolved && chooses(match, t.Stanza) && slices.Contains(names, t.Stanza.Pos.Filename) {
			v.Resolved++
		}
	}
	return v, nil
}

// chooses reports whether the globs select a template. Without globs all are selected.
func chooses(match func(name, label string) bool, s *grammar.Stanza) bool {
	n := trcfiles.NameOf(s.Hook.Value, strings.TrimPrefix(s.Label, "@"))
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
	files, errs, err := trcfiles.ReadTemplates([]string{name})
	if err != nil {
		return err
	}
	if err := trcfiles.StanzaCatalog(name, files[0].Stanzas).CheckEvents("-e", o.Events); err != nil {
		return err
	}
	match, err := trcfiles.Matcher(o.Events)
	if err != nil {
		return err
	}
	events := List(files[0].Stanzas, match)
	if o.Fields {
		result, _ := compiler.Compile(name, rules, compiler.Builtin(), files[0]) // tracec vet reports mistakes
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

// TemplateRules returns the rules for compiling template files. name is the first file. Rules for
// reading recordings and other options of opening do not apply: the error is then a
// *report.UsageError.
func TemplateRules(name string, o *sources.Options) (compiler.Options, error) {
	var r trcfiles.Rules
	if option := o.Given("--rule"); option != "" {
		return r.Compile, report.Usagef("%s: %s is a file of templates; the option is for recordings", option, name)
	}
	for _, text := range o.Rules {
		if err := r.SetAll([]string{text}); err != nil {
			return r.Compile, err
		}
		if len(r.Read) > 0 {
			return r.Compile, report.Usagef("--rule %s: %s is a file of templates; the rule is for recordings", text,
				name)
		}
	}
	return r.Compile, nil
}
