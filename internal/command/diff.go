package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
)

const diffHelp = `Compare what two sides say of their events, and say what it means for a decoder that was generated from OLD and reads recordings of NEW.

OLD and NEW are each a recording, a copy of tracefs, an events/ tree or a part of it, a format file, a file of AIX templates, a recording
of uftrace or LTTng, or a Go package that tracec gen wrote (a directory with Go files, or an import path).

Examples:
  tracec diff old.dat new.dat
  tracec diff -e 'sched:*' linux-6.1/events /sys/kernel/tracing/events
  tracec diff ./decoders trace.dat                 what becomes of our decoders
  tracec diff --format json old.dat new.dat | jq '.events[] | select(.class == "unbound")'
  tracec diff --fail-on incompatible ./decoders trace.dat

The class of an event is what Bind of a generated decoder does, which is asked, with a callback for the event:

  binds          records are decoded where they are
  relocates      records are copied into the compiled layout, at a cost
  loses-fields   Bind returns an error because of the fields that are named; a decoder without them binds
  unbound        Bind returns an error: the event is gone, or nothing of it can be read
  absent         NEW does not have the event, which --optional allows
  misreads       of AIX, whose recordings do not describe their events: the decoder reads other values, and nobody notices
  added          OLD does not have the event

The numbers come first, then the events that differ, the worst first. Of each the differences are listed: fields that were added or removed, moved (offsets), widened or
narrowed (bytes), other signs and types, the text, and names of values. Events that one side has alone are only counted, and those whose ids alone differ: decoders find
events by name. -v lists them.

--fail-on makes the exit code 1: incompatible (loses-fields, unbound, misreads), relocates (these, too), any (anything differs). Without it, and in all other cases, it is 0, or 1
when a side is damaged.`

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
		Use:   "diff OLD NEW",
		Short: "Compare the descriptions of events, and what decoders make of them",
		Long:  diffHelp,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("two sides are compared\n  tracec diff OLD NEW")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	eventsFlag(f, &o.events)
	f.BoolVarP(&o.all, "verbose", "v", false, "also list events that are missing, and changes of ids")
	o.define(cmd)
	completeFrom(cmd, "event", ofList, (*report.Catalog).Patterns)
	outputFlags(cmd, limitPart, jsonPart)
	recordingFlags(cmd)
	return cmd
}

// define defines the flags that diff and check have in common.
func (o *diffOptions) define(cmd *cobra.Command) {
	f := cmd.Flags()
	formatFlag(cmd, &o.format)
	words := []string{"incompatible", "relocates", "any", "none"}
	f.Var(oneOf{&o.failOn, words}, "fail-on", "exit with 1 on `WHAT`: "+strings.Join(words, ", "))
	f.BoolVar(&o.narrow, "narrow", false, "as decoders with Options.Narrow are bound: numbers may be cut to their compiled size")
	f.BoolVar(&o.optional, "optional", false, "as decoders with Options.Optional are bound: recordings may lack events, which are absent then")
	cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
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
	d := contract.Compare(pair[0], pair[1], contract.Options{Layout: gen.Layout, Narrow: o.narrow, Optional: o.optional})
	var err error
	switch o.format {
	case "json":
		err = writeDiff(cmd, d)
	case "text", "":
		n, _ := limit(cmd)
		err = d.WriteText(cmd.OutOrStdout(), contract.TextOptions{All: o.all, Limit: int(n), Paint: painter(colors(cmd))})
	default:
		err = writeFindings(cmd, o.format, d.Summary(), d.Findings())
	}
	if err == nil && (s.damaged || o.fails(d)) {
		err = report.ErrDamaged
	}
	return err
}

// fails reports whether a comparison has what --fail-on names.
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
	doc.Tracec = version()
	if n, _ := limit(cmd); n > 0 && int64(len(doc.Events)) > n {
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
