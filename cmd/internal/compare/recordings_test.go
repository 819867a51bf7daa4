package main

import (
	"testing"

	// go test compiles the packages of the command before it runs the tests. Otherwise go build,
	// within a test, would compile many of them at the same time as go test does.
	_ "github.com/tracec/tracec/internal/command/exports"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestRecordings compares the reports of every recording with the saved texts of 750 MB, like make
// compare.
func TestRecordings(t *testing.T) {
	needs.Proofs(t)
	o := options{
		recordings: needs.Shared(t, "ftrace"), lttng: needs.Shared(t, "lttng"),
		uftrace: needs.Shared(t, "uftrace") + ",../../../testdata/uftrace-options",
		rules:   "../../../testdata/differences.md", workers: 2, unused: true,
	}
	s, err := o.compare(t.Output())
	if err != nil {
		t.Fatal(err)
	}
	if s.unexplained > 0 {
		t.Errorf("%d lines differ without a listed reason; see make compare", s.unexplained)
	}
	if len(s.unusedRules) > 0 {
		t.Errorf("rules that explain nothing: %v", s.unusedRules)
	}
	if len(s.shortfalls) > 0 {
		t.Errorf("rules that explain less than they may: %v", s.shortfalls)
	}
}

// TestTestdata compares the small recordings of the repository, which do not need ../shared.
func TestTestdata(t *testing.T) {
	const root = "../../../testdata"
	o := options{recordings: root + "/ftrace", uftrace: root + "/uftrace," + root + "/uftrace-options",
		lttng: root + "/lttng", rules: root + "/differences.md", workers: 2}
	s, err := o.compare(t.Output())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.shortfalls) > 0 {
		t.Errorf("rules that explain less than they may: %v", s.shortfalls)
	}
	if s.unexplained > 0 || s.equal == 0 {
		t.Errorf("%d lines equal, %d differ without a listed reason", s.equal, s.unexplained)
	}
}
