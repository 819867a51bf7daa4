package finding_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report/finding"
)

// reports returns reports of all shapes, with unusual names.
func reports() map[string]*finding.Report {
	return map[string]*finding.Report{
		"empty": {Command: "vet", Version: "v1.2.3"},
		"several": {Command: "check", Version: "(devel)", Summary: "3 events", Findings: diag.List{
			{Pos: diag.Position{Filename: "a/b c.go", Line: 3, Column: 7}, Severity: diag.Error, Code: "unbound",
				Msg: "it \"is\" <gone>"},
			{Pos: diag.Position{Filename: "/abs/100%,x:y.go", Line: 9}, Severity: diag.Warning, Code: "relocates",
				Msg: "two\nlines, 50%"},
			{Pos: diag.Position{Filename: "trace.dat"}, Severity: diag.Note, Code: "left-out", Msg: "bytes \xff\xfe"},
			{Pos: diag.Position{Filename: "../up.go", Line: 1, Column: 1}, Severity: diag.Error, Code: "unbound",
				Msg: "again"},
			{Pos: diag.Position{Line: 3}, Severity: diag.Error, Code: "nowhere", Msg: "of no file"},
		}},
	}
}

// TestJSON: the output is one document that names its schema and contains all data.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := reports()["several"].Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema, Command, Version, Summary string
		Findings                          []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != finding.Schema || got.Command != "check" || got.Summary != "3 events" {
		t.Errorf("head %+v", got)
	}
	want := []map[string]any{
		{"file": "a/b c.go", "line": 3., "column": 7., "severity": "error", "code": "unbound",
			"message": "it \"is\" <gone>"},
		{"file": "/abs/100%,x:y.go", "line": 9., "severity": "warning", "code": "relocates",
			"message": "two\nlines, 50%"},
		{"file": "trace.dat", "severity": "note", "code": "left-out", "message": "bytes �"},
		{"file": "../up.go", "line": 1., "column": 1., "severity": "error", "code": "unbound", "message": "again"},
		{"file": "", "line": 3., "severity": "error", "code": "nowhere", "message": "of no file"},
	}
	if d := cmp.Diff(want, got.Findings); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestGitHub: by its documentation, a runner finds the ends of properties and of the message.
func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	if err := reports()["several"].Write(&b, "github"); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a/b c.go,line=3,col=7,title=tracec unbound::it \"is\" <gone>\n" +
		"::warning file=/abs/100%25%2Cx%3Ay.go,line=9,title=tracec relocates::two%0Alines, 50%25\n" +
		"::notice file=trace.dat,title=tracec left-out::bytes �\n" +
		"::error file=../up.go,line=1,col=1,title=tracec unbound::again\n" +
		"::error title=tracec nowhere::of no file\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

const validate = `
const Ajv = require('ajv-draft-04'), formats = require('ajv-formats'), fs = require('fs');
const ajv = new Ajv({strict: false, allErrors: true});
formats(ajv);
const check = ajv.compile(JSON.parse(fs.readFileSync(process.argv[1])));
for (const file of process.argv.slice(2))
  if (!check(JSON.parse(fs.readFileSync(file)))) { console.error(file, JSON.stringify(check.errors, null, 1)); process.exitCode = 1; }
`

// TestSARIF: a third-party validator accepts the output by the schema of OASIS.
func TestSARIF(t *testing.T) {
	root := needs.Consumer(t, "TRACEC_AJV", "ajv", "node_modules/ajv")
	dir := t.TempDir()
	schema, err := filepath.Abs("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-e", validate, schema}
	for name, r := range reports() {
		var b bytes.Buffer
		if err := r.Write(&b, "sarif"); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), `"uri": ""`) {
			t.Errorf("%s: a place in no file:\n%s", name, &b)
		}
		file := filepath.Join(dir, name+".sarif")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	c := exec.Command("node", args...)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	broken := filepath.Join(dir, "broken.sarif")
	if err := os.WriteFile(broken, []byte(`{"version":"2.1.0","runs":[{"tool":{}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c = exec.Command("node", "-e", validate, schema, broken)
	c.Dir = root
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "driver") {
		t.Errorf("a log without a driver passes: %v %s", err, out)
	}
}
