package command

import (
	_ "embed"

	"github.com/spf13/cobra"
)

//go:generate go -C ../../tools/release run . notices

// notices names what the command is linked with and holds the texts of the licences, which ask for that.
//
//go:embed notices.txt
var notices string

func newLicenses() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of tracec and of what it is linked with",
		Long: `Print the licence of tracec, and the names and licences of the Go modules that it is linked with.

Example:
  tracec licenses | less`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write([]byte(notices))
			return err
		},
	}
}
