package command

import (
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

//go:generate go -C ../../tools/release run . notices

// notices lists the packages that the command is linked with, and the texts of their licences, as
// the licences require.
//
//go:embed notices.txt
var notices string

func newLicenses() *cobra.Command {
	short := false
	cmd := &cobra.Command{
		Use:  "licenses",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if short {
				return shortNotices(cmd.OutOrStdout())
			}
			_, err := io.WriteString(cmd.OutOrStdout(), notices)
			return err
		},
	}
	cmd.Flags().BoolVar(&short, "short", false, "print one line for each module: name, version, licence")
	return cmd
}

// noticeHead matches the head of a notice: a name, and its licence in parentheses.
const noticeHead = `(?m)^=+\n(.*) \((.*)\)\n=+$`

// shortNotices writes the heads of the notices with the versions of modules.
func shortNotices(w io.Writer) error {
	versions := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			versions[m.Path] = m.Version
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "tracec\t%s\tApache-2.0\n", Version())
	for i, head := range regexp.MustCompile(noticeHead).FindAllStringSubmatch(notices, -1) {
		name, v := head[1], versions[head[1]]
		if i == 0 {
			v = runtime.Version()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", name, v, head[2])
	}
	return t.Flush()
}
