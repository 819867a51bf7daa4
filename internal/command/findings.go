package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/report/finding"
	"github.com/tracec/tracec/report/style"
)

// formatFlag defines --format.
func formatFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().Var(oneOf{to, finding.Formats}, "format", "`FORMAT` text, json, sarif or github")
	cmd.Flags().Lookup("format").DefValue = "text"
}

// settleFormat sets the format to json if --json is given.
func settleFormat(cmd *cobra.Command, format *string) error {
	if !AsJSON(cmd) {
		return nil
	}
	if *format != "" && *format != "json" {
		return usagef("--json and --format %s exclude each other", *format)
	}
	*format = "json"
	return nil
}

// limited returns at most as many findings as --limit allows.
func limited(cmd *cobra.Command, list diag.List) (diag.List, bool) {
	if n, _ := Limit(cmd); n > 0 && int64(len(list)) > n {
		return list[:n], true
	}
	return list, false
}

// writeFindings writes the findings of a command in a format for programs.
func writeFindings(cmd *cobra.Command, format, summary string, list diag.List) error {
	list, cut := limited(cmd, list)
	r := finding.Report{Command: cmd.Name(), Version: Version(), Summary: summary, Limited: cut, Findings: list}
	return r.Write(cmd.OutOrStdout(), format)
}

// writeMessages prints the findings of a command, one per line, and the summary line.
func writeMessages(cmd *cobra.Command, list diag.List, summary string) error {
	list, _ = limited(cmd, list)
	paint := Colors(cmd)
	for _, d := range list {
		meaning := style.Faint
		switch d.Severity {
		case diag.Error:
			meaning = style.Error
		case diag.Warning:
			meaning = style.Worst
		}
		d.Pos.Filename = input.Shown(d.Pos.Filename)
		if _, err := fmt.Fprintln(cmd.OutOrStdout(),
			d.Painted(func(text string) string { return paint.Paint(meaning, text) })); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), summary)
	return err
}
