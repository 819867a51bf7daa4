package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/index"
)

// TestIndexOfPipe checks that a pipe without a writer has no index and is not an index. The command
// does not wait for a writer.
func TestIndexOfPipe(t *testing.T) {
	dir := t.TempDir()
	pipe, recording := filepath.Join(dir, "pipe"), filepath.Join(dir, "trace.dat")
	data, err := os.ReadFile("../../testdata/ftrace/amd64-extract.dat")
	if err == nil {
		err = os.WriteFile(recording, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, index.Name(recording)} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			needs.Skip(t, "need named pipes", err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{pipe}, pipe + ": " + index.ErrNone.Error()},
		{[]string{"--check", pipe}, pipe + ": " + index.ErrNone.Error()},
		{[]string{"--remove", pipe}, pipe + ": " + index.ErrNone.Error()},
		{[]string{"--check", recording}, index.Name(recording) + ": " + index.ErrCorrupt.Error() +
			": not a regular file"},
	} {
		var out, messages bytes.Buffer
		ended := make(chan int, 1)
		go func() { ended <- run(append([]string{"index"}, c.args...), nil, &out, &messages) }()
		select {
		case code := <-ended:
			if code == exitOK || !strings.Contains(messages.String(), c.want) {
				t.Errorf("%v: %d, %s, want %s", c.args, code, messages.String(), c.want)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%v: it waits for a writer", c.args)
		}
	}
}
