package main

import (
	"os"
	"testing"
)

// TestRecordings compares every recording's reports with the saved texts: the same as make compare.
func TestRecordings(t *testing.T) {
	const root = "../../../../shared/data"
	if testing.Short() {
		t.Skip("compares 750 MB of text")
	}
	if _, err := os.Stat(root); err != nil {
		t.Skip("no recordings beside the repository: ", err)
	}
	o := options{recordings: root + "/ftrace", uftrace: root + "/uftrace,../../../testdata/uftrace-options", lttng: root + "/lttng",
		rules: "../../../testdata/differences.md", workers: 2, unused: true}
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

// TestTestdata compares the small recordings of the repository, which are there without ../shared too.
func TestTestdata(t *testing.T) {
	const root = "../../../testdata"
	o := options{recordings: root + "/ftrace", uftrace: root + "/uftrace," + root + "/uftrace-options", lttng: root + "/lttng", rules: root + "/differences.md", workers: 2}
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
