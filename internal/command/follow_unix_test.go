//go:build unix

package command

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFollowSignal checks that the command succeeds after a signal. It first prints all complete
// data. An incomplete rest is damage.
func TestFollowSignal(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			obeyed(t, s)
			g := growers(t)[0]
			path := filepath.Join(t.TempDir(), "growing")
			data := g.files[""]
			appendTo(t, path, data[:len(data)/2])
			templates, err := filepath.Abs(g.opening.Templates[0])
			if err != nil {
				t.Fatal(err)
			}
			p := command(t, []string{"report", "--follow", "-t", templates, "@"}, path)
			out, err := p.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			r := bufio.NewReader(out)
			first, err := r.ReadString('\n') // it runs, and has printed the existing events
			if err != nil {
				t.Fatal(err)
			}
			appendTo(t, path, data[len(data)/2:])
			appendTo(t, path, data[len(data)-20:len(data)-10]) // not a complete entry
			if err := p.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			p.ended(t, p.Wait(), exitDamaged, path)
			lines := strings.Count(first+string(rest), "\n")
			if want := strings.Count(g.whole(t), "\n"); lines != want {
				t.Errorf("%d lines, want %d", lines, want)
			}
		})
	}
}

// TestFollowCannot checks that an input that cannot be followed is an error with the reason.
func TestFollowCannot(t *testing.T) {
	in := inputs(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "junk"), []byte(strings.Repeat("some text\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range []struct {
		args    []string
		code    int
		message string
	}{
		{[]string{"report", "--follow", in["trace.dat"]}, exitUsage, "cannot be followed"},
		{[]string{"report", "--follow", in["ftrace"]}, exitUsage, "cannot be followed: it is packed"},
		{[]string{"report", "--follow", filepath.Join(dir, "junk")}, exitFailed, "not a recording: plain text"},
		{[]string{"report", "--follow", filepath.Join(dir, "none")}, exitFailed, "no such file"},
		{[]string{"report", "--follow", "--stat", in["aix"]}, exitUsage, "--follow"},
	} {
		p := command(t, d.args, "")
		p.ended(t, p.Run(), d.code, d.message)
	}
}
