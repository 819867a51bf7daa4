package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
)

// intoStructs implements gen --into. It reads the package of the user's structs, then the
// descriptions of their events in the inputs.
func (o *genOptions) intoStructs(cmd *cobra.Command, args []string) error {
	if err := o.checkInto(); err != nil {
		return err
	}
	s, err := gen.ReadStructs(cmd.Context(), o.into, o.intoBase())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return usageError(err)
	}
	if dir := filepath.Dir(o.out); o.out != "" && dir != "." {
		if full, err := filepath.Abs(dir); err != nil || full != s.Dir() {
			return usagef("-o %s: is not in the package of --into %s: give only the name of a file", o.out, o.into)
		}
	}
	if err := o.chooseStructs(s); err != nil {
		return err
	}
	if templates, others := trcfiles.Divide(args); len(others) == 0 {
		rules, err := templateRules(cmd, args)
		if err != nil {
			return err
		}
		return o.intoTemplates(cmd, args, rules, s)
	} else if len(templates) > 0 {
		return templatesAlone(templates[0])
	}
	if len(args) == 1 {
		return Work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
			defer WatchSilent(cmd, job)()
			return o.intoOne(ctx, cmd, job, s)
		})
	}
	d, err := descriptions(cmd, args)
	if err != nil {
		return err
	}
	return o.intoFormats(cmd, args, d, s)
}

// checkInto rejects flags that cannot be combined with --into.
func (o *genOptions) checkInto() error {
	for _, x := range []struct {
		flag string
		set  bool
	}{{"--pkg", o.pkg != ""}, {"--split", o.split}, {"--import", o.imports != ""}, {"--text", o.text},
		{"--dump", o.dump != ""}} {
		if x.set {
			return usagef("%s: not supported with --into, which writes one file into an existing package", x.flag)
		}
	}
	if o.out != "" && !strings.HasSuffix(o.out, ".go") {
		return usagef("-o %s: with --into, want the name of a Go file", o.out)
	}
	return nil
}

func (o *genOptions) intoBase() string {
	return cmp.Or(strings.TrimSuffix(filepath.Base(cmp.Or(o.out, gen.IntoName+".go")), ".go"), gen.IntoName)
}

// chooseStructs keeps the structs with events that -e selects.
func (o *genOptions) chooseStructs(s *gen.Structs) error {
	if len(o.events) == 0 {
		return nil
	}
	list, err := pattern.ParseList(o.events)
	if err != nil {
		return usagef("-e %w", err)
	}
	list = list.In(func(yield func(system, name, alias string) bool) {
		for _, e := range s.Events() {
			if group, name, ok := strings.Cut(e, ":"); !ok && !yield("", e, "") || ok && !yield(group, name, "") {
				return
			}
		}
	})
	o.unused = make(map[string]bool, len(list))
	for _, p := range list {
		o.unused[p.String()] = true
	}
	s.Choose(func(group, name, label string) bool {
		chosen := false
		for _, p := range list {
			if p.Matches(group, name, label) {
				delete(o.unused, p.String())
				chosen = true
			}
		}
		return chosen
	})
	return nil
}

// checkChosen reports globs of -e that match no struct.
func (o *genOptions) checkChosen(s *gen.Structs) error {
	var wrong []string
	for _, text := range slices.Sorted(maps.Keys(o.unused)) {
		wrong = append(wrong, fmt.Sprintf("-e %s: no struct of %s is for such an event%s", text, o.into,
			suggest.DidYouMean(text, s.Events())))
	}
	if len(wrong) > 0 {
		return usagef("%s", strings.Join(wrong, "\ntracec: "))
	}
	return nil
}

// intoOne implements --into for one input of any kind.
func (o *genOptions) intoOne(ctx context.Context, cmd *cobra.Command, job *report.Job, s *gen.Structs) error {
	_, sys, err := job.Input(ctx)
	switch {
	case err != nil:
		return err
	case sys.DescribesItself():
		return o.intoRecorded(ctx, cmd, job, sys, s)
	}
	if names, rules, err := trcrpt.Described(job, sys); names != nil {
		if err != nil {
			return err
		}
		return o.intoTemplates(cmd, names, rules, s)
	}
	d := tracecmd.NewDescriptions()
	if err := d.Add(ctx, job); err != nil {
		return err
	}
	return o.intoFormats(cmd, []string{job.Path}, d, s)
}

// intoFormats implements --into for format files.
func (o *genOptions) intoFormats(cmd *cobra.Command, args []string, d *tracecmd.Descriptions, s *gen.Structs) error {
	if err := o.target(d); err != nil {
		return err
	}
	known := eventNames(d.Catalog(""))
	d.Choose(s.Wants)
	described := d.Describe(sourceName(args))
	damaged := o.tell(cmd.ErrOrStderr(), d, described)
	return o.writeInto(cmd, described.Unit, s, known, damaged)
}

// intoRecorded implements --into for a recording of uftrace or of LTTng.
func (o *genOptions) intoRecorded(
	ctx context.Context, cmd *cobra.Command, job *report.Job, sys *sources.Source, s *gen.Structs,
) error {
	if o.word != 0 || o.bigEndian {
		return usagef("--word, --big-endian: not supported for recordings of %s, which have both", sys.Title)
	}
	d, damage, err := describe(ctx, job, sys, nil)
	if err != nil {
		return err
	}
	for _, err := range damage {
		fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+err.Error())
	}
	if err := d.Check("-e", nil); err != nil {
		return err
	}
	d.Unit.Source = sourceName([]string{job.Path})
	return o.writeInto(cmd, d.Unit, s, eventNames(d.Catalog), len(damage) > 0)
}

// intoTemplates implements --into for templates of AIX.
func (o *genOptions) intoTemplates(cmd *cobra.Command, names []string, rules trcfmt.Options, s *gen.Structs) error {
	if o.word != 0 || o.bigEndian {
		return usagef("--word, --big-endian: not supported for templates, which are compiled for both word sizes")
	}
	if err := generates(rules); err != nil {
		return err
	}
	t, err := trcrpt.DescribeTemplates(sourceName(names), names, rules, "-e", nil)
	if err != nil {
		return err
	}
	o.messages(cmd.ErrOrStderr(), t.Messages)
	damaged := len(t.Messages.Worst(diag.Error)) > 0
	if damaged && !t.Usable() {
		return report.ErrDamaged
	}
	return o.writeInto(cmd, t.Unit(), s, nil, damaged)
}

// eventNames returns the event names for suggestions in messages.
func eventNames(c *selection.Catalog) (names []string) {
	for _, n := range c.Events {
		names = append(names, n.String(), n.Name)
	}
	return names
}

// writeInto generates and writes the decoder. If the structs have errors, it prints them with their
// places and writes nothing.
func (o *genOptions) writeInto(cmd *cobra.Command, u *ir.Unit, s *gen.Structs, known []string, damaged bool) error {
	opts := gen.Options{Base: o.intoBase(), Stem: o.stem, Version: Version()}
	files, mistakes, err := gen.GenerateInto(u, s, known, opts)
	if len(mistakes) > 0 {
		printAll(cmd.ErrOrStderr(), mistakes)
		return report.ErrDamaged
	}
	if err := o.checkChosen(s); err != nil {
		return err
	}
	if err != nil {
		return usagef("--into %s: %w", o.into, err)
	}
	warnings, err := s.Check(cmd.Context(), files[0].Content)
	if err != nil {
		return err
	}
	printAll(cmd.ErrOrStderr(), warnings)
	if err := o.write(cmd, relative(s.Dir()), opts, files); err != nil {
		return err
	}
	if damaged {
		return report.ErrDamaged
	}
	return nil
}

// printAll prints all messages, without a limit.
func printAll(w io.Writer, list diag.List) {
	for _, x := range list {
		fmt.Fprintln(w, x.Error())
	}
}

// relative returns a directory relative to the working directory, if it is below that.
func relative(dir string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return dir
	}
	if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return dir
}
