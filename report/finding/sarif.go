package finding

import (
	"io"
	"slices"

	"github.com/tracec/tracec/report/facts"
)

// The parts of SARIF 2.1.0 that findings need.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		FullName       string      `json:"fullName"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// WriteSARIF writes the report as a SARIF 2.1.0 log with one run.
func (r *Report) WriteSARIF(w io.Writer) error {
	codes := r.codes()
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}, Tool: sarifTool{sarifDriver{
		Name: "tracec", FullName: "tracec " + r.Command, Version: r.Version,
		InformationURI: "https://github.com/tracec/tracec", Rules: []sarifRule{},
	}}}
	for _, c := range codes {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{c})
	}
	for _, f := range r.Findings {
		var at []sarifLocation // nil for findings without a file
		if f.Pos.Filename != "" {
			physical := sarifPhysical{Artifact: sarifArtifact{place(f.Pos.Filename)}}
			if f.Pos.Line > 0 {
				physical.Region = &sarifRegion{f.Pos.Line, f.Pos.Column}
			}
			at = append(at, sarifLocation{physical})
		}
		index, _ := slices.BinarySearch(codes, f.Code)
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Code, RuleIndex: index, Level: f.Severity.String(), Message: sarifMessage{valid(f.Msg)},
			Locations: at,
		})
	}
	return facts.Write(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}
