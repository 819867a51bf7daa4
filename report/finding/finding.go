// Package finding writes the findings of checks of descriptions and programs in formats for other
// programs: JSON, SARIF 2.1.0, and commands of GitHub's workflows.
package finding

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/report/facts"
)

// Formats are the names of the formats, in documented order. Each command prints its own text.
var Formats = []string{"text", "json", "sarif", "github"}

// A Report holds the findings of a command.
type Report struct {
	Command  string // command of tracec, such as "vet"
	Version  string // version of tracec
	Summary  string // a line; may be empty
	Limited  bool   // Findings is incomplete
	Findings diag.List
}

// Schema is the version of the output of WriteJSON: a document with schema, command, version,
// summary and findings. A finding has file, line and column (from 1, missing if unknown), severity
// (note, warning or error), code and message. Later versions of the schema may add members.
const Schema = "tracec-findings/1"

type document struct {
	Schema   string `json:"schema"`
	Command  string `json:"command"`
	Version  string `json:"version"`
	Tracec   string `json:"tracec"` // the version again, under the name that all JSON of tracec uses
	Summary  string `json:"summary,omitempty"`
	Limited  bool   `json:"limited,omitempty"`
	Findings []item `json:"findings"`
}

type item struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// Write writes the report in one of Formats other than text.
func (r *Report) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return r.WriteJSON(w)
	case "sarif":
		return r.WriteSARIF(w)
	case "github":
		return r.WriteGitHub(w)
	}
	return fmt.Errorf("%q is not a format of findings", format)
}

// WriteJSON writes the report as one document: see [Schema].
func (r *Report) WriteJSON(w io.Writer) error {
	d := document{Schema: Schema, Command: r.Command, Version: r.Version, Tracec: r.Version, Limited: r.Limited,
		Summary: r.Summary, Findings: make([]item, len(r.Findings))}
	for i, f := range r.Findings {
		d.Findings[i] = item{valid(f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Severity.String(), f.Code, valid(f.Msg)}
	}
	return facts.Write(w, d)
}

// valid replaces invalid UTF-8 by the replacement character, as encoding/json does.
func valid(text string) string { return strings.ToValidUTF8(text, "�") }

// WriteGitHub writes a command for each finding. GitHub shows it next to the line in a pull
// request. https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func (r *Report) WriteGitHub(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		level := f.Severity.String()
		if f.Severity == diag.Note {
			level = "notice"
		}
		fmt.Fprintf(&b, "::%s ", level)
		if f.Pos.Filename != "" {
			fmt.Fprintf(&b, "file=%s,", property.Replace(valid(filepath.ToSlash(f.Pos.Filename))))
		}
		if f.Pos.Filename != "" && f.Pos.Line > 0 {
			fmt.Fprintf(&b, "line=%d,", f.Pos.Line)
			if f.Pos.Column > 0 {
				fmt.Fprintf(&b, "col=%d,", f.Pos.Column)
			}
		}
		fmt.Fprintf(&b, "title=%s::%s\n", property.Replace("tracec "+f.Code), data.Replace(valid(f.Msg)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Newlines and the separators of properties are escaped. Runners undo this.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// place returns a file as a URI: a relative reference, or file: and an absolute path.
func place(file string) string {
	slashed := filepath.ToSlash(valid(file))
	u := url.URL{Path: slashed}
	switch {
	case strings.HasPrefix(slashed, "/"):
		u.Scheme = "file"
	case filepath.IsAbs(file): // begins with the letter of a Windows drive
		u.Scheme, u.Path = "file", "/"+slashed
	}
	return u.String()
}

// codes returns the codes of findings, sorted.
func (r *Report) codes() []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.Code)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
