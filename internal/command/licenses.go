package command

import (
	_ "embed"

	"github.com/spf13/cobra"
)

//go:generate go -C ../../tools/release run . notices

// notices lists the packages that the command is linked with, and the texts of their licences. The
// licences require that.
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
