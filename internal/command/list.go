package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
)

// lister lists the events of recordings and format files.
type lister struct {
	cmd  *cobra.Command
	o    report.ListOptions
	left int64 // remaining events of --limit; negative for no limit
	// recorded holds the events that occur, by system and name. If nil, all events are listed.
	recorded map[[2]string]bool
	text     []byte
	doc      facts.Document[*facts.List]
}

// list prints the events of every argument.
func list(cmd *cobra.Command, args []string, o report.ListOptions, recorded bool) error {
	l := &lister{cmd: cmd, o: o, left: -1}
	if recorded {
		l.recorded = map[[2]string]bool{}
	}
	l.doc = facts.Document[*facts.List]{Schema: facts.Schema("list"), Tracec: Version(), Recordings: []*facts.List{}}
	if n, _ := Limit(cmd); n > 0 {
		l.left = n
	}
	var damaged error
	for _, a := range args {
		err := l.one(a)
		if errors.Is(err, report.ErrEnough) {
			l.doc.Limited = true
			err = nil
		}
		if errors.Is(err, report.ErrDamaged) {
			damaged = err
			continue
		}
		if err != nil {
			return err
		}
	}
	if AsJSON(cmd) {
		return errors.Join(facts.Write(cmd.OutOrStdout(), l.doc), damaged)
	}
	return damaged
}

// one passes recordings to their system. Directories contain format files, even without recorded
// events. The exceptions are directories of uftrace and LTTng.
func (l *lister) one(arg string) error {
	clear(l.recorded)
	of := &facts.List{Recording: facts.Recording{File: arg, Damage: []facts.Damage{}}, Events: []facts.Event{}}
	l.text = l.text[:0]
	l.o.Each = func(e *facts.Event) error {
		if l.recorded != nil && !l.recorded[[2]string{e.System, e.Name}] {
			return nil
		}
		if l.left == 0 {
			return report.ErrEnough
		}
		l.left--
		if AsJSON(l.cmd) {
			of.Events = append(of.Events, *e)
		} else {
			l.text = append(l.text, l.painted(e)...)
		}
		return nil
	}
	err := l.read(arg, of)
	if len(of.Events) > 0 || err == nil || errors.Is(err, report.ErrDamaged) || errors.Is(err, report.ErrEnough) {
		l.doc.Recordings = append(l.doc.Recordings, of)
	}
	if len(l.text) > 0 {
		_, failed := l.cmd.OutOrStdout().Write(l.text)
		err = errors.Join(failed, err)
	}
	return err
}

func (l *lister) read(arg string, of *facts.List) error {
	if l.recorded != nil && arg == "-" {
		return report.Usagef("--recorded reads the recording twice: give a file instead of -")
	}
	if trcfiles.IsTemplates(arg) {
		if l.recorded != nil {
			return report.Usagef("--recorded: %s is a file of templates, not a recording", arg)
		}
		return trcrpt.ListTemplates(NewJob(l.cmd, arg), &l.o)
	}
	return Work(l.cmd, arg, func(ctx context.Context, job *report.Job) error {
		defer WatchSilent(l.cmd, job)()
		in, sys, err := job.Input(ctx)
		switch {
		case err != nil:
			return err
		case sys == nil && l.recorded != nil:
			return report.Usagef("--recorded: %s has format files, and is not a recording", arg)
		case sys == nil || sys.Name == "ftrace" && in != nil && in.Dir != nil && l.recorded == nil:
			return l.formats(job)
		}
		of.Format = sys.Name
		if l.recorded != nil {
			if err := l.count(ctx, job, sys); err != nil && !errors.Is(err, report.ErrDamaged) {
				return err
			}
		}
		return all.Of(sys).List(ctx, job, &l.o)
	})
}

// count finds the events that occur. Damage is reported later, during listing.
func (l *lister) count(ctx context.Context, job *report.Job, sys *sources.Source) error {
	o, err := job.Settle(ctx, sys, &report.Options{})
	if err != nil {
		return err
	}
	s, err := all.Of(sys).Stat(ctx, job, o)
	if s == nil {
		return err
	}
	for _, b := range s.Buffers {
		for _, row := range b.ByEvent {
			l.recorded[[2]string{row.System, row.Name}] = true
		}
	}
	return err
}

func (l *lister) formats(job *report.Job) error {
	d := tracecmd.NewDescriptions()
	if err := d.Add(l.cmd.Context(), job); err != nil {
		return err
	}
	c := d.Catalog(job.Path)
	match, err := c.Checked(l.o.Events)
	if err != nil {
		return err
	}
	formats, bad := tracecmd.ParseFormats(d.Files)
	for _, name := range bad {
		fmt.Fprintf(l.cmd.ErrOrStderr(), "tracec: %s: not a format file with a name and an ID\n", name)
	}
	for _, err := range d.Damage {
		fmt.Fprintf(l.cmd.ErrOrStderr(), "tracec: %v\n", err)
	}
	if err := tracecmd.ListFormats(formats, match, &l.o); err != nil {
		return err
	}
	if len(bad)+len(d.Damage) > 0 {
		return report.ErrDamaged
	}
	return nil
}

// painted returns the line of an event with its name in colour.
func (l *lister) painted(e *facts.Event) []byte {
	paint := Colors(l.cmd)
	if !paint.On() {
		return e.Line
	}
	for _, name := range []string{e.System + ":" + e.Name, e.System + "." + e.Name, e.Label, e.Name} {
		if name != "" && bytes.Contains(e.Line, []byte(name)) {
			return bytes.Replace(e.Line, []byte(name), []byte(paint.Paint(style.Event, name)), 1)
		}
	}
	return e.Line
}
