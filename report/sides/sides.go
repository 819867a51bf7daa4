// Package sides opens the sides of a comparison of event types: recordings, files of descriptions,
// and generated packages.
package sides

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/runtime/bind"
)

// Open returns the event types of the input of a job: a recording, files of formats, or templates.
// Damaged parts are skipped and passed to the Warn of the job. The error is then report.ErrDamaged,
// and the side is valid.
func Open(ctx context.Context, job *report.Job) (side *contract.Side, err error) {
	if trcfiles.IsTemplates(job.Path) {
		rules, err := trcrpt.TemplateRules(job.Path, &job.Opening)
		if err != nil {
			return nil, err
		}
		return templates(job, []string{job.Path}, rules)
	}
	err = job.Finish(func() error {
		side, err = described(ctx, job)
		return err
	}())
	return side, err
}

func templates(job *report.Job, names []string, rules compiler.Options) (*contract.Side, error) {
	t, err := trcrpt.DescribeTemplates(job.Path, names, rules, "-e", nil)
	if err != nil {
		return nil, err
	}
	for _, m := range t.Messages.Worst(diag.Error) {
		job.Warn(m)
		err = report.ErrDamaged
	}
	return newSide(job.Path, t.Unit(), nil), err
}

// described returns the event types of a recording or of description files.
func described(ctx context.Context, job *report.Job) (*contract.Side, error) {
	_, src, err := job.Input(ctx)
	if err != nil {
		return nil, err
	}
	if names, rules, err := trcrpt.Described(job, src); names != nil {
		if err != nil {
			return nil, err
		}
		return templates(job, names, rules)
	}
	var side *contract.Side
	var damage []error
	if !src.DescribesItself() {
		d := tracecmd.NewDescriptions()
		if err := d.Add(ctx, job); err != nil {
			return nil, err
		}
		side, damage = d.Side(job.Path), d.Damage
	} else {
		rec, err := src.Open(ctx, &job.Job)
		if err != nil {
			return nil, err
		}
		defer rec.Close()
		d := src.Describe(rec, nil)
		report.EachDamage(rec, func(err error) { damage = append(damage, err) })
		if len(d.Unit.Events) == 0 {
			return nil, d.Nothing
		}
		side, damage = newSide(job.Path, d.Unit, d.Recorded), append(damage, d.LeftOut...)
	}
	for _, err := range damage {
		job.Warn(err)
	}
	if len(damage) > 0 {
		return side, report.ErrDamaged
	}
	return side, nil
}

// OfPackages returns the compiled layouts of generated packages as a side.
func OfPackages(name string, packages ...*gen.Package) *contract.Side {
	side := &contract.Side{Name: name}
	var layouts []bind.Event
	for _, p := range packages {
		side.Unit.Container = p.Container
		layouts = append(layouts, p.Events...)
		for i := range p.Events {
			at := p.Places[i]
			e := contract.Event{Layout: p.Events[i], Compiled: &p.Events[i],
				Place: contract.Place{File: shortest(at.Filename), Line: at.Line, Col: at.Column}}
			side.Events = append(side.Events, e)
		}
	}
	side.Unit.Target = ir.Target{BigEndian: bind.HostBigEndian(), WordSize: 8}
	side.Undescribed = strings.HasSuffix(side.Unit.Container, "runtime/aix")
	for i := range layouts { // tables have no ids: decoders find events by name
		layouts[i].ID = uint32(i)
	}
	side.Recorded = bind.Sources(layouts)
	return side
}

// shortest returns a path relative to the working directory if the file is below it.
func shortest(file string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return file
}

// IsPackages reports whether an argument is a pattern of packages: a pattern with ..., a directory
// with Go files, or an import path that does not name a file.
func IsPackages(arg string) bool {
	if strings.HasSuffix(arg, "...") {
		return true
	}
	st, err := os.Stat(arg)
	switch {
	case err == nil && st.IsDir():
		entries, _ := os.ReadDir(arg) // an unreadable directory is not a package
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".go") {
				return true
			}
		}
		return false
	case err == nil:
		return false
	}
	first, rest, _ := strings.Cut(arg, "/")
	return errors.Is(err, fs.ErrNotExist) && rest != "" && strings.Contains(first, ".") && first != "." && first != ".."
}
