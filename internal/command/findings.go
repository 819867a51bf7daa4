package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/report/finding"
)

// formatFlag defines --format.
func formatFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().Var(oneOf{to, finding.Formats}, "format", "`FORMAT` text, json, sarif or github")
	cmd.Flags().Lookup("format").DefValue = "text"
}

// writeFindings writes what a command found in a format for machines.
func writeFindings(cmd *cobra.Command, format, summary string, list diag.List) error {
	r := finding.Report{Command: cmd.Name(), Version: version(), Summary: summary, Findings: list}
	return r.Write(cmd.OutOrStdout(), format)
}

// writeMessages prints what a command found, a line each, and the line with the numbers.
func writeMessages(cmd *cobra.Command, list diag.List, summary string) error {
	for _, d := range list {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), d.Error()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), summary)
	return err
}
