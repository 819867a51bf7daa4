package ndjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestJQ: jq reads the same as encoding/json. jq converts numbers to floats, so 64-bit numbers are
// strings.
func TestJQ(t *testing.T) {
	for _, path := range exporttest.Some(t, root) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		ours := write(t, rec, ndjson.Options{Quote64: true})
		rec.Close()
		checkJQ(t, path, ours)
	}
}

func checkJQ(t *testing.T, path string, ours []byte) {
	t.Helper()
	jq := needs.Program(t, "jq", "apt-get install jq")
	cmd := exec.Command(jq, "-c", ".")
	cmd.Stdin = bytes.NewReader(ours)
	theirs, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if !bytes.Equal(ours, theirs) && !sameObjects(t, ours, theirs) {
		t.Errorf("%s: jq changes values", path)
	}
}

// sameObjects compares the decoded objects of lines.
func sameObjects(t *testing.T, a, b []byte) bool {
	x, y := bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n"))
	if len(x) != len(y) {
		t.Logf("%d lines, %d of jq", len(x), len(y))
		return false
	}
	for i := range x {
		if bytes.Equal(x[i], y[i]) {
			continue
		}
		var v, w any
		if err := errors.Join(json.Unmarshal(x[i], &v), json.Unmarshal(y[i], &w)); err != nil || !cmp.Equal(v, w) {
			t.Logf("%v\n%s%s", err, x[i], y[i])
			return false
		}
	}
	return true
}
