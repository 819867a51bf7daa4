package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/runtime/bind"
)

// sides opens what descriptions are compared of. What is damaged is reported, and left out of the comparison.
type sides struct {
	cmd     *cobra.Command
	events  []string // globs, as chosen by -e
	damaged bool
}

// open returns what a recording, files of descriptions, or generated packages say of the events that were chosen. It is an error when none is.
func (s *sides) open(arg string) (*contract.Side, error) {
	side, err := s.read(arg)
	if err != nil {
		return nil, err
	}
	return s.choose(side)
}

// choose leaves the events of a side that -e chooses.
func (s *sides) choose(side *contract.Side) (*contract.Side, error) {
	match, err := report.EventMatcher(s.events)
	if err != nil {
		return nil, usageError(err)
	}
	all := side.Events
	side.Events = nil
	for _, e := range all {
		if match(e.Layout.Group, e.Layout.Name) {
			side.Events = append(side.Events, e)
		}
	}
	return side, nil
}

func (s *sides) read(arg string) (*contract.Side, error) {
	switch {
	case isPackages(arg):
		packages, err := gen.ReadPackages(s.cmd.Context(), arg)
		if err != nil {
			return nil, err
		}
		return packageSide(arg, packages...), nil
	case trcrpt.IsTemplates(arg):
		t, err := trcrpt.DescribeTemplates(arg, []string{arg}, "-e", nil)
		if err != nil {
			return nil, err
		}
		for _, m := range t.Messages.Worst(diag.Error) {
			s.warn(m)
		}
		return report.NewSide(arg, t.Unit(), nil), nil
	}
	var side *contract.Side
	job := newJob(s.cmd, arg)
	job.Warn = s.warn
	err := job.Finish(func() (err error) {
		defer watchSilent(s.cmd, job)()
		side, err = s.described(s.cmd.Context(), job)
		return err
	}())
	if errors.Is(err, report.ErrDamaged) && side != nil {
		s.damaged, err = true, nil
	}
	return side, err
}

// described returns what a recording or files of formats describe.
func (s *sides) described(ctx context.Context, job *report.Job) (*contract.Side, error) {
	_, sys, err := job.Input(ctx)
	if err != nil {
		return nil, err
	}
	if sys == nil || sys.Name == "ftrace" || sys.Describe == nil {
		d := tracecmd.NewDescriptions()
		if err := d.Add(ctx, job); err != nil {
			return nil, err
		}
		side := d.Side(job.Path)
		s.tell(d.Damage)
		return side, nil
	}
	d, damage, err := describe(ctx, job, sys, nil)
	if err != nil {
		return nil, err
	}
	if len(d.Unit.Events) == 0 {
		return nil, d.Nothing
	}
	s.tell(append(damage, d.LeftOut...))
	return d.Side(job.Path), nil
}

func (s *sides) tell(damage []error) {
	for _, err := range damage {
		s.warn(err)
	}
}

func (s *sides) warn(err error) {
	s.damaged = true
	fmt.Fprintln(s.cmd.ErrOrStderr(), "tracec: "+err.Error())
}

// packageSide returns the compiled layouts of packages as a side.
func packageSide(name string, packages ...*gen.Package) *contract.Side {
	side := &contract.Side{Name: name}
	var layouts []bind.Event
	for _, p := range packages {
		side.Unit.Container = p.Container
		layouts = append(layouts, p.Events...)
		for i := range p.Events {
			at := p.Places[i]
			e := contract.Event{Layout: p.Events[i], Compiled: &p.Events[i], Place: contract.Place{File: shortest(at.Filename), Line: at.Line, Col: at.Column}}
			side.Events = append(side.Events, e)
		}
	}
	side.Unit.Target = ir.Target{BigEndian: bind.HostBigEndian(), WordSize: 8}
	side.Undescribed = strings.HasSuffix(side.Unit.Container, "runtime/aix")
	for i := range layouts { // tables have no ids, which decoders do not find events by
		layouts[i].ID = uint32(i)
	}
	side.Recorded = bind.Sources(layouts)
	return side
}

// shortest returns a path from the working directory, where the file is below it.
func shortest(file string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return file
}

// isPackages reports whether an argument is a pattern of packages: with ..., a directory with Go files, or an import path that is no file.
func isPackages(arg string) bool {
	if strings.HasSuffix(arg, "...") {
		return true
	}
	st, err := os.Stat(arg)
	switch {
	case err == nil && st.IsDir():
		files, _ := filepath.Glob(filepath.Join(globless(arg), "*.go")) // the pattern is good
		return len(files) > 0
	case err == nil:
		return false
	}
	first, rest, _ := strings.Cut(arg, "/")
	return errors.Is(err, fs.ErrNotExist) && rest != "" && strings.Contains(first, ".") && first != "." && first != ".."
}

// globless returns a path as a pattern that matches it alone.
func globless(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
