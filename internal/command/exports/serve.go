package exports

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"
)

// serving is what a local server shows in a browser.
type serving struct {
	port    int // 0: any that is free
	handler http.Handler
	// page returns the page that shows what is served at an address such as http://127.0.0.1:9001.
	page func(at string) string
	// done, when it is closed, ends the server. It may be nil.
	done <-chan struct{}
}

// secret returns text for the path of what is served: pages that do not know it get nothing.
func secret() string { return rand.Text() }

// serve listens on the loopback device, opens the browser and serves until it is done or a signal ends it.
func serve(ctx context.Context, cmd *cobra.Command, s serving, browse bool) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(s.port)))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	page := s.page("http://" + l.Addr().String())
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", page)
	if browse {
		tellBrowser(cmd, page)
	}
	select {
	case err = <-failed:
	case <-ctx.Done():
	case <-s.done:
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if stop := server.Shutdown(end); stop != nil { // a connection goes on
		server.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// tellBrowser opens a page, or says that it cannot.
func tellBrowser(cmd *cobra.Command, page string) {
	if err := openBrowser(page); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "tracec: no browser could be started (%v): open the address above\n", err)
	}
}

// openBrowser starts the browser of the user.
func openBrowser(page string) error {
	var args []string
	switch runtime.GOOS {
	case "darwin":
		args = []string{"open"}
	case "windows":
		args = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		args = []string{"xdg-open"}
	}
	return exec.Command(args[0], append(args[1:], page)...).Start()
}
