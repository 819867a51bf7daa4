package command

import (
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/tracec/tracec/report"
)

// pager starts $PAGER, or less, if the output is a terminal, as uftrace does. It returns the writer
// for the output and a function to call after the last line.
func (u *uftraceFlags) pager(out io.Writer) (io.Writer, func() error) {
	direct := func() error { return nil }
	terminal, ok := out.(*report.Terminal)
	if u.terminal.noPager || !ok {
		return out, direct
	}
	command := strings.Fields(os.Getenv("PAGER"))
	if len(command) == 0 {
		command = []string{"less"}
	}
	p := exec.Command(command[0], command[1:]...)
	p.Stdout, p.Stderr = terminal.File(), os.Stderr
	if os.Getenv("LESS") == "" {
		p.Env = append(os.Environ(), "LESS=FRSX") // keep colours, and use no full screen for a short text
	}
	in, err := p.StdinPipe()
	if err != nil {
		return out, direct
	}
	if err := p.Start(); err != nil { // the program is missing: print without it
		return out, direct
	}
	return terminal.Visible(in), func() error {
		in.Close()
		return p.Wait()
	}
}
