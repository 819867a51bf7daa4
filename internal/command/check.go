package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/sides"
)

func newCheck() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use: "check",
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
	eventFlag(cmd.Flags(), &o.events)
	o.define(cmd)
	OutputFlags(cmd, LimitPart, JSONPart)
	RecordingFlags(cmd)
	return cmd
}

// divide separates packages from the inputs to check them against.
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
			d := contract.Compare(old, new, contract.Options{Layout: gen.Layout, Narrow: o.narrow,
				Optional: o.optional})
			list = append(list, d.Findings()...)
			fails = fails || o.fails(d)
			summary += fmt.Sprintf("%s against %s: %s\n", p.Path, name, d.Decoded())
		}
	}
	if summary == "" {
		return usagef("no package has events of %s", strings.Join(names, ", "))
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
