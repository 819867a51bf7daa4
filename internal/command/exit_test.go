package command

import (
	"bytes"
	"io"
	"syscall"
	"testing"
)

// closed is a writer to a pipe whose reader is closed.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{
		{"report", "../../testdata/ftrace/amd64-extract.dat"},
		{"trace-cmd", "report", "-E", "../../testdata/ftrace/amd64-extract.dat"},
		{"list", "../../testdata/ftrace/amd64-extract.dat"},
		{"info", "../../testdata/ftrace/amd64-date.dat"},
		{"vet", "../../testdata/ftrace/amd64-date.dat"},
	} {
		var messages bytes.Buffer
		if code := run(args, nil, closed{}, &messages); code != exitOK || messages.Len() > 0 {
			t.Errorf("%s: exit code %d, %q", args[0], code, &messages)
		}
	}
}

func TestUsageOfEveryCommand(t *testing.T) {
	for _, c := range newRoot().Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		var out bytes.Buffer
		if code := run([]string{c.Name(), "--help"}, nil, &out, io.Discard); code != exitOK || c.Long == "" {
			t.Errorf("%s: exit code %d, help %q", c.Name(), code, c.Long)
		}
		if code := run([]string{c.Name(), "--no-such-option"}, nil, io.Discard, io.Discard); code != exitUsage {
			t.Errorf("%s: exit code %d for a wrong option", c.Name(), code)
		}
	}
}

// TestCommandNames checks the names in the list of commands. Only the command on the command line
// is made, so the list must contain its real name.
func TestCommandNames(t *testing.T) {
	for _, c := range commands {
		if made := c.new(); made.Name() != c.name {
			t.Errorf("%s is called %s", c.name, made.Name())
		}
		if n := len(newRootFor([]string{c.name}).Commands()); n != 1 {
			t.Errorf("%s: %d commands were made", c.name, n)
		}
	}
}
