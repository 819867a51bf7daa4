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

// secret returns a random text for the path of the served page. Requests without it are rejected.
func secret() string { return rand.Text() }

// showPage prints the address of a page and, if browse is set, opens it in the browser. The caller
// calls done when it stops serving the page.
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

// openBrowser opens a file in the user's browser.
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
	go browser.Wait() // its exit code is meaningless here
	return nil
}
