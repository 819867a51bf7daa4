package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/sides"
)

const checkHelp = `Check that generated packages bind to recordings and kernels: for each event of each package, what Bind of its decoder would do with each AGAINST, as tracec diff
says. Packages are read, not built.

PACKAGE is a pattern of packages that tracec gen wrote, as for the go command: a directory with Go files, ./..., or an import path. Every other argument is an AGAINST: a
recording, a copy of tracefs, an events/ tree, a format file, or a file of AIX templates.

Examples:
  tracec check ./decoders trace.dat
  tracec check ./... /sys/kernel/tracing/events            decoders for this week's kernel
  tracec check --format github ./... linux-6.1 linux-6.12  in a workflow of GitHub

A finding is a line, FILE:LINE:COL: SEVERITY: TEXT [CLASS], at the row of the event in the package's table: an error where the decoder does not bind, or reads other
values than are meant (AIX), a warning where records are copied into the compiled layout. The last line of each pair has the numbers.

The exit code is 1 if a decoder does not bind (--fail-on incompatible, the default), with --fail-on relocates also if one relocates, with any if anything differs; with none it
is 0.

What your own program does with the events is for go vet: see tracec-govet.`

func newCheck() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "check PACKAGE... AGAINST...",
		Short: "Check that generated packages bind to recordings and kernels",
		Long:  checkHelp,
		Args: func(_ *cobra.Command, args []string) error {
			packages, against := divide(args)
			for _, a := range against {
				if _, err := os.Stat(a); err != nil && (strings.HasPrefix(a, ".") || filepath.IsAbs(a)) {
					return err
				}
			}
			if len(packages) == 0 || len(against) == 0 {
				return fmt.Errorf("name packages and what to check them against\n  tracec check PACKAGE AGAINST")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.check(cmd, args) },
	}
	o.failOn = "incompatible"
	cmd.Flags().StringSliceVarP(&o.events, "event", "e", nil, "only events that match one of the `GLOBS`")
	neverEmpty(cmd.Flags(), "event")
	o.define(cmd)
	outputFlags(cmd, limitPart, jsonPart)
	recordingFlags(cmd)
	return cmd
}

// divide tells packages from what they are checked against.
func divide(args []string) (packages, against []string) {
	for _, a := range args {
		if sides.IsPackages(a) {
			packages = append(packages, a)
		} else {
			against = append(against, a)
		}
	}
	return packages, against
}

func (o *diffOptions) check(cmd *cobra.Command, args []string) error {
	if err := settleFormat(cmd, &o.format); err != nil {
		return err
	}
	patterns, names := divide(args)
	packages, err := gen.ReadPackages(cmd.Context(), patterns...)
	if err != nil {
		return err
	}
	s := &compared{cmd: cmd, events: o.events}
	var list diag.List
	summary := ""
	fails := false
	for _, name := range names {
		new, err := s.open(name)
		if err != nil {
			return err
		}
		for _, p := range packages {
			old, err := s.choose(sides.OfPackages(p.Path, p))
			if err != nil {
				return err
			}
			if len(old.Events) == 0 || !related(old, new) {
				continue
			}
			new.Undescribed = new.Undescribed || old.Undescribed
			d := contract.Compare(old, new, contract.Options{Layout: gen.Layout, Narrow: o.narrow, Optional: o.optional})
			list = append(list, d.Findings()...)
			fails = fails || o.fails(d)
			summary += fmt.Sprintf("%s against %s: %s\n", p.Path, name, d.Decoded())
		}
	}
	if summary == "" {
		return usagef("none of the packages has events of %s", strings.Join(names, ", "))
	}
	if err := o.writeChecked(cmd, list, summary); err != nil {
		return err
	}
	if s.damaged || fails {
		return report.ErrDamaged
	}
	return nil
}

// related reports whether a package reads recordings of the system of a side.
func related(p, side *contract.Side) bool {
	return p.Unit.Container == side.Unit.Container || side.Unit.Container == ""
}

func (o *diffOptions) writeChecked(cmd *cobra.Command, list diag.List, summary string) error {
	if o.format != "" && o.format != "text" {
		return writeFindings(cmd, o.format, summary, list)
	}
	return writeMessages(cmd, list, strings.TrimSuffix(summary, "\n"))
}
