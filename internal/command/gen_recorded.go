package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// recorded generates a package for a recording that describes its events, such as one of uftrace or
// LTTng.
func (o *genOptions) recorded(ctx context.Context, cmd *cobra.Command, job *report.Job, sys *sources.Source) error {
	switch {
	case o.split || o.imports != "":
		return usagef("--split, --import: not supported for recordings of %s, which make one package", sys.Title)
	case o.word != 0 || o.bigEndian:
		return usagef("--word, --big-endian: not supported for recordings of %s, which have both", sys.Title)
	}
	d, damage, err := describe(ctx, job, sys, o.events)
	if err != nil {
		return err
	}
	w := cmd.ErrOrStderr()
	o.leftOut(w, d.LeftOut)
	for _, err := range damage {
		fmt.Fprintln(w, "tracec: "+err.Error())
	}
	if err := d.Check("-e", o.events); err != nil {
		return err
	}
	if o.verbose {
		fmt.Fprintln(w, strings.Join(d.Summary(), "\n"))
	}
	d.Unit.Source = sourceName([]string{job.Path})
	if o.dump == "ir" {
		err = d.Unit.Dump(cmd.OutOrStdout())
	} else {
		err = o.generate(cmd, d.Unit)
	}
	if err == nil && len(d.LeftOut)+len(damage) > 0 {
		err = report.ErrDamaged
	}
	return err
}

// describe opens the input of a job. It returns the descriptions of its events, and the errors
// about unreadable parts.
func describe(
	ctx context.Context, job *report.Job, sys *sources.Source, events []string,
) (*sources.Description, []error, error) {
	list, err := pattern.ParseList(events)
	if err != nil {
		return nil, nil, usagef("-e %w", err)
	}
	rec, err := sys.Open(ctx, &job.Job)
	if err != nil {
		return nil, nil, err
	}
	defer rec.Close()
	d := sys.Describe(rec, list)
	var damage []error
	report.EachDamage(rec, func(err error) { damage = append(damage, err) })
	return d, damage, nil
}
