package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
)

// diffOptions are the flags of diff.
type diffOptions struct {
	events   []string
	format   string
	failOn   string
	all      bool
	narrow   bool
	optional bool
}

func newDiff() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use: "diff",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("two sides are compared\n  tracec diff OLD NEW")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	eventFlag(f, &o.events)
	f.BoolVarP(&o.all, "verbose", "v", false, "also list missing events and changes of ids")
	o.define(cmd)
	completeFrom(cmd, "event", ofList, (*selection.Catalog).Patterns)
	OutputFlags(cmd, LimitPart, JSONPart)
	RecordingFlags(cmd)
	return cmd
}

// define defines the flags that diff and check share.
func (o *diffOptions) define(cmd *cobra.Command) {
	f := cmd.Flags()
	formatFlag(cmd, &o.format)
	words := []string{"incompatible", "relocates", "any", "none"}
	f.Var(oneOf{&o.failOn, words}, "fail-on", "`WHAT` exit 1 on incompatible, relocates, any or none")
	f.BoolVar(&o.narrow, "narrow", false, "as Options.Narrow: numbers may be truncated")
	f.BoolVar(&o.optional, "optional", false, "as Options.Optional: recordings may lack events")
}

func (o *diffOptions) run(cmd *cobra.Command, args []string) error {
	s := &compared{cmd: cmd, events: o.events}
	var pair [2]*contract.Side
	for i, arg := range args {
		var err error
		if pair[i], err = s.open(arg); err != nil {
			return err
		}
	}
	if len(pair[0].Events)+len(pair[1].Events) == 0 && len(o.events) > 0 {
		return s.nothing()
	}
	if err := settleFormat(cmd, &o.format); err != nil {
		return err
	}
	d := contract.Compare(pair[0], pair[1], contract.Options{Layout: gen.Layout, Narrow: o.narrow,
		Optional: o.optional})
	var err error
	switch o.format {
	case "json":
		err = writeDiff(cmd, d)
	case "text", "":
		n, _ := Limit(cmd)
		err = d.WriteText(cmd.OutOrStdout(), contract.TextOptions{All: o.all, Limit: int(n),
			Paint: painter(Colors(cmd))})
	default:
		err = writeFindings(cmd, o.format, d.Summary(), d.Findings())
	}
	if err == nil && (s.damaged || o.fails(d)) {
		err = report.ErrDamaged
	}
	return err
}

// fails reports whether a comparison has differences that --fail-on names.
func (o *diffOptions) fails(d *contract.Diff) bool {
	switch o.failOn {
	case "any":
		return d.Changed()
	case "relocates", "incompatible":
		bad := d.Count(contract.Loses) + d.Count(contract.Unbound) + d.Count(contract.Misreads)
		return bad > 0 || o.failOn == "relocates" && d.Count(contract.Relocates) > 0
	}
	return false
}

// writeDiff writes a comparison as JSON.
func writeDiff(cmd *cobra.Command, d *contract.Diff) error {
	doc := d.Document()
	doc.Tracec = Version()
	if n, _ := Limit(cmd); n > 0 && int64(len(doc.Events)) > n {
		doc.Events, doc.Limited = doc.Events[:n], true
	}
	return facts.Write(cmd.OutOrStdout(), doc)
}

// painter returns the colours of a comparison.
func painter(s style.Style) func(contract.Part, string) string {
	meanings := [...]style.Meaning{
		contract.PartSummary: style.Heading, contract.PartEvent: style.Event, contract.PartBad: style.Error,
		contract.PartRelocates: style.Worst, contract.PartAdded: style.Added, contract.PartGone: style.Gone,
	}
	return func(p contract.Part, text string) string { return s.Paint(meanings[p], text) }
}
