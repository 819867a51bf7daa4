package csv_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/columns"
	export "github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// readCSV prints the rows that Python's csv reads as lines of JSON.
const readCSV = `
import csv, io, json, sys
csv.field_size_limit(1 << 30)
for row in csv.reader(io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8', newline=''), strict=True):
    print(json.dumps(row))
`

// TestPython: Python's csv reads the same as encoding/csv.
func TestPython(t *testing.T) {
	for _, path := range needs.Some(t, exporttest.Some(t, root), 4) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		all := write(t, rec, export.Options{Options: columns.Options{Text: true},
			CRLF: strings.Contains(path, "amd64")})
		rec.Close()
		checkPython(t, path, all)
	}
}

func checkPython(t *testing.T, path string, all []byte) {
	t.Helper()
	python := needs.Program(t, "python3", "apt-get install python3")
	cmd := exec.Command(python, "-c", readCSV)
	cmd.Stdin = bytes.NewReader(all)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(path, err)
	}
	d := json.NewDecoder(bytes.NewReader(out))
	c := csv.NewReader(bytes.NewReader(all))
	for {
		want, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(path, err)
		}
		var got []string
		if err := d.Decode(&got); err != nil {
			t.Fatal(path, err)
		}
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], "\r\n", "\n") // as encoding/csv does
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: Python reads %q, encoding/csv %q", path, got, want)
			break
		}
	}
	if d.More() {
		t.Errorf("%s: Python reads more rows", path)
	}
}
