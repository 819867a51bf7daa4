package fits_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/gen/fits"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/vettest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/sides"
)

// TestUses checks that the fields that a program reads are found at their places, and no others.
func TestUses(t *testing.T) {
	opened := 0
	a := fits.New(func(name string) (*fits.Against, error) {
		opened++
		job := &report.Job{Job: sources.Job{Path: filepath.FromSlash(name), Warn: func(err error) { t.Error(err) }}}
		side, err := sides.Open(t.Context(), job)
		if err != nil {
			return nil, err
		}
		return &fits.Against{Name: name, Container: side.Unit.Container, Recorded: side.Recorded}, nil
	})
	if err := a.Flags.Set("against", "testdata/kernel"); err != nil {
		t.Fatal(err)
	}
	vettest.Run(t, "../..", a, "./gen/fits/testdata/uses")
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
}

// TestNothingToOpen: a missing input is an error.
func TestNothingToOpen(t *testing.T) {
	gone := errors.New("gone")
	a := fits.New(func(string) (*fits.Against, error) { return nil, gone })
	if err := a.Flags.Set("against", " x, y"); err != nil {
		t.Fatal(err)
	}
	if got := a.Flags.Lookup("against").Value.String(); got != "x,y" {
		t.Errorf("the flag is %q", got)
	}
}
