package exports

import (
	"crypto/rand"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/loopback"
)

// secret returns text for the path of the served page. Requests without it get nothing.
func secret() string { return rand.Text() }

// showPage prints the address of a page and, when browse is set, has the browser open it. The
// caller calls done when the page is served no more.
func showPage(cmd *cobra.Command, page string, browse bool) (done func()) {
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", page)
	if !browse {
		return func() {}
	}
	name, remove, err := loopback.Page(page)
	if err == nil {
		done = command.AtEnd(remove)
		if err = openBrowser(name); err == nil {
			return done
		}
		done()
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tracec: no browser could be started (%v): open the address above\n", err)
	return func() {}
}

// openBrowser starts the browser of the user with a file.
func openBrowser(name string) error {
	var args []string
	switch runtime.GOOS {
	case "darwin":
		args = []string{"open"}
	case "windows":
		args = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		args = []string{"xdg-open"}
	}
	browser := exec.Command(args[0], append(args[1:], name)...)
	if err := browser.Start(); err != nil {
		return err
	}
	go browser.Wait() // the exit code of the browser does not depend on the page
	return nil
}
