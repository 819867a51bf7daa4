package command

import (
	_ "embed"

	"github.com/spf13/cobra"
)

//go:generate go -C ../../tools/release run . notices

// notices names what the command is linked with and holds the texts of the licences, which ask for
// that.
//
//go:embed notices.txt
var notices string

func newLicenses() *cobra.Command {
	return &cobra.Command{
		Use:  "licenses",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write([]byte(notices))
			return err
		},
	}
}
