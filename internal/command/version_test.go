package command

import "testing"

// TestVersionLine checks that a release prints its number without the v of the tag, and a commit
// has eight digits.
func TestVersionLine(t *testing.T) {
	defer func() { release, commit = "", "" }()
	release, commit = "v1.2.3", "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b"
	const want = "tracec 1.2.3 (commit 1a2b3c4d, go"
	if got := versionLine("tracec"); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("%q, want it to begin with %q", got, want)
	}
	if Version() != "v1.2.3" { // generated files and data sets contain it
		t.Errorf("version %q", Version())
	}
}
