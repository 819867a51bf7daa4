package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
)

// newVet returns the command vet, which is gen without output. It is for authors of events.
func newVet() *cobra.Command {
	var o genOptions
	cmd := &cobra.Command{
		Use:  "vet",
		Args: Some("recording, format file or template file", "tracec vet INPUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := settleFormat(cmd, &o.format); err != nil {
				return err
			}
			return o.vetAll(cmd, args)
		},
	}
	f := cmd.Flags()
	eventFlag(f, &o.events)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "also print notes")
	o.failOn = "error"
	f.Var(oneOf{&o.failOn, []string{"error", "warning", "none"}}, "fail-on", "`WHAT` exit 1 on error, warning or none")
	formatFlag(cmd, &o.format)
	OutputFlags(cmd, LimitPart, JSONPart)
	RecordingFlags(cmd)
	completeFrom(cmd, "event", ofList, (*selection.Catalog).Patterns)
	return cmd
}

// vetAll checks inputs of all kinds. Templates are checked together.
func (o *genOptions) vetAll(cmd *cobra.Command, args []string) (err error) {
	var parts []vetted
	add := func(v vetted, err error) error {
		parts = append(parts, v)
		return err
	}
	templates, others := trcfiles.Divide(args)
	if len(templates) > 0 {
		rules, e := templateRules(cmd, templates)
		if err = e; err == nil {
			err = add(o.vetTemplates(templates, rules))
		}
	}
	switch {
	case err != nil || len(others) == 0:
	case len(others) == 1:
		err = Work(cmd, others[0], func(ctx context.Context,
			job *report.Job) error {
			return add(o.vetOne(ctx, cmd, job))
		})
	default:
		d, e := descriptions(cmd, others)
		if err = e; err == nil {
			err = add(o.vetFormats(others, d))
		}
	}
	if err != nil && !errors.Is(err, report.ErrDamaged) {
		return err
	}
	return errors.Join(err, o.vetWrite(cmd, parts))
}

// vetted holds the findings about one kind of input.
type vetted struct {
	messages diag.List
	lines    []string // facts without a position, for people; messages has them for programs
	damage   []error
	summary  string
	bad      bool // an event has no layout, or no text
}

// vetWrite prints the findings.
func (o *genOptions) vetWrite(cmd *cobra.Command, parts []vetted) error {
	var all diag.List
	var summaries []string
	bad := false
	for _, v := range parts {
		shown := v.messages.Worst(o.least())
		all, summaries = append(all, shown...), append(summaries, v.summary)
		bad = bad || v.bad || o.failOn == "warning" && len(v.messages.Worst(diag.Warning)) > 0
		for _, err := range v.damage {
			fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+sentence(err))
		}
		if o.machine() {
			continue
		}
		for _, line := range v.lines {
			if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
				return err
			}
		}
		if err := writeMessages(cmd, shown, v.summary); err != nil {
			return err
		}
	}
	if o.machine() {
		if err := writeFindings(cmd, o.format, strings.Join(summaries, "; "), all); err != nil {
			return err
		}
	}
	if bad && o.failOn != "none" {
		return report.ErrDamaged
	}
	return nil
}

// vetTemplates checks files of AIX templates.
func (o *genOptions) vetTemplates(names []string, rules trcfmt.Options) (vetted, error) {
	v, err := trcrpt.Vet(names, rules, "-e", o.events)
	if err != nil {
		return vetted{}, err
	}
	messages := append(v.Messages, v.Clashes...)
	messages.Sort()
	return vetted{messages: messages, summary: v.Summary(), bad: len(messages.Worst(diag.Error)) > 0}, nil
}

// machine reports whether the output is for a program.
func (o *genOptions) machine() bool { return o.format != "" && o.format != "text" }

// least returns the minimum severity of printed messages.
func (o *genOptions) least() diag.Severity {
	if o.verbose {
		return diag.Note
	}
	return diag.Warning
}

// vetOne checks one input of any kind except templates.
func (o *genOptions) vetOne(ctx context.Context, cmd *cobra.Command, job *report.Job) (v vetted, err error) {
	defer WatchSilent(cmd, job)()
	_, sys, err := job.Input(ctx)
	if err != nil {
		return v, err
	}
	if names, rules, err := trcrpt.Described(job, sys); names != nil {
		if err != nil {
			return v, err
		}
		return o.vetTemplates(names, rules)
	}
	if !sys.DescribesItself() {
		d := tracecmd.NewDescriptions()
		if err := d.Add(ctx, job); err != nil {
			return v, err
		}
		return o.vetFormats([]string{job.Path}, d)
	}
	described, damage, err := describe(ctx, job, sys, o.events)
	if err != nil {
		return v, err
	}
	if err := described.Catalog.CheckEvents("-e", o.events); err != nil {
		return v, err
	}
	v = vet(described, damage, len(described.Unit.Events)+len(described.LeftOut), o.machine())
	for _, err := range described.LeftOut {
		if o.machine() {
			v.messages = append(v.messages, diag.Diagnostic{Pos: diag.Position{Filename: job.Path}, Code: "left-out",
				Msg: err.Error()})
		} else {
			v.lines = append(v.lines, err.Error())
		}
	}
	return v, nil
}

// vetFormats checks format files.
func (o *genOptions) vetFormats(args []string, d *tracecmd.Descriptions) (vetted, error) {
	if err := o.choose("-e", strings.Join(args, " "), d); err != nil {
		return vetted{}, err
	}
	described := d.Describe("")
	return vet(described, described.LeftOut, len(d.Files), o.machine()), nil
}

// vet returns the findings about events, and the number of usable events among all described ones.
// For programs, damage is among the messages.
func vet(d *sources.Description, damage []error, all int, machine bool) vetted {
	silent := 0
	for _, ev := range d.Unit.Events {
		if !ev.HasText {
			silent++
		}
	}
	unusable := all - len(d.Unit.Events)
	v := vetted{
		messages: d.Messages, damage: damage, bad: silent+unusable+len(damage) > 0,
		summary: fmt.Sprintf("%d events, %d without text, %d unusable", all, silent, unusable),
	}
	if machine {
		for _, err := range damage {
			v.messages = append(v.messages, diag.Diagnostic{Pos: diag.Position{Filename: d.Unit.Source}, Code: "damage",
				Msg: err.Error()})
		}
	}
	return v
}
