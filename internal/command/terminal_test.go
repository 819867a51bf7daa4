//go:build linux

package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// pty returns both ends of a pseudo terminal that passes output unchanged.
func pty(t *testing.T) (ptm, tty *os.File) {
	t.Helper()
	ptm, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		needs.Skip(t, "need pseudo terminals", err)
	}
	t.Cleanup(func() { ptm.Close() })
	fd := int(ptm.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		needs.Skip(t, "need pseudo terminals", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		needs.Skip(t, "need pseudo terminals", err)
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		needs.Skip(t, "need pseudo terminals", err)
	}
	t.Cleanup(func() { tty.Close() })
	mode, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	mode.Oflag &^= unix.OPOST
	if err := unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, mode); err != nil {
		t.Fatal(err)
	}
	return ptm, tty
}

// onTerminal runs tracec with a terminal for both outputs, and returns the text on the terminal.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	ptm, tty := pty(t)
	shown := make(chan []byte)
	go func() {
		var out bytes.Buffer
		_, err := io.Copy(&out, ptm)
		if err != nil && !errors.Is(err, syscall.EIO) { // the terminal has been closed
			t.Error(err)
		}
		shown <- out.Bytes()
	}()
	run(args, strings.NewReader(""), tty, tty)
	tty.Close()
	return string(<-shown)
}

// changed unpacks a recording and changes a text of one of its files.
func changed(t *testing.T, archive, file, from, to string) string {
	t.Helper()
	dir, tree := t.TempDir(), rooted(readTar(t, archive))
	if !bytes.Contains(tree[file], []byte(from)) {
		t.Fatalf("%s of %s has no %q", file, archive, from)
	}
	tree[file] = bytes.ReplaceAll(tree[file], []byte(from), []byte(to))
	for name, b := range tree {
		write(t, filepath.Join(dir, name), b)
	}
	return dir
}

// TestTerminal reads recordings whose texts contain escape sequences. A terminal gets no escape
// sequences, a file gets all.
func TestTerminal(t *testing.T) {
	const evil = "b\x1b]0;x\x07\x1b[2J"
	rec := changed(t, "../../testdata/uftrace/abc-full/data.tar.gz", "abc.sym", " b\n", " "+evil+"\n")
	data, err := os.ReadFile("../../testdata/ftrace/amd64-markers.dat")
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace.dat")
	const marker = "hello from marker"
	if !bytes.Contains(data, []byte(marker)) {
		t.Fatal("no text " + marker)
	}
	if err := os.WriteFile(trace, bytes.ReplaceAll(data, []byte(marker), []byte("\x1b[2Jo from marker")),
		0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"uftrace", "replay", "--no-pager", "-d", rec},
		{"uftrace", "replay", "--no-pager", "--color=yes", "-d", rec},
		{"uftrace", "replay", "--no-pager", "--color=no", "-d", rec},
		{"uftrace", "report", "--no-pager", "-d", rec},
		{"uftrace", "graph", "--no-pager", "-d", rec},
		{"uftrace", "dump", "--no-pager", "-d", rec},
		{"report", rec},
		{"report", trace},
		{"trace-cmd", "report", "-i", trace},
	} {
		shown := onTerminal(t, args...)
		if i := strings.IndexAny(strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "",
			"\x1b[32m", "", "\x1b[33m", "", "\x1b[36m", "", "\x1b[90m", "", "\x1b[91m", "").Replace(shown),
			"\x1b\a\r"); i >= 0 {
			t.Errorf("%q writes a control character:\n%q", args, shown)
		}
		if !strings.Contains(shown, "^[[2J") {
			t.Errorf("%q does not show the text:\n%q", args, shown)
		}
		var out, errOut bytes.Buffer
		run(args, strings.NewReader(""), &out, &errOut)
		if !strings.Contains(out.String(), "\x1b[2J") {
			t.Errorf("%q changes what goes to a file:\n%q", args, out.String())
		}
	}

	colored := onTerminal(t, "uftrace", "replay", "--no-pager", "-d", rec)
	if !strings.Contains(colored, "\x1b[90m /* a */\x1b[0m") {
		t.Errorf("no colours of our own:\n%q", colored)
	}
	t.Setenv("PAGER", "cat")
	if paged := onTerminal(t, "uftrace", "replay", "-d", rec); paged != colored {
		t.Errorf("through a pager:\n%q", paged)
	}
	if message := onTerminal(t, "report", "no\x1b[2Jsuch.dat"); strings.Contains(message, "\x1b") ||
		!strings.Contains(message, "^[[2J") {
		t.Errorf("in a message:\n%q", message)
	}
}

// TestWatchedOnTerminal checks that commands that show progress print the same on a terminal as to
// files, and their messages.
func TestWatchedOnTerminal(t *testing.T) {
	drawn := regexp.MustCompile(`(\r[^\r\n]*)+\r`) // the progress, if the machine is slow
	trace := filepath.Join(t.TempDir(), "t.dat")
	data, err := os.ReadFile("../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(trace, data[:len(data)-3000], 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"stat", "--color=never", trace},
		{"trace-cmd", "mem", trace},
		{"trace-cmd", "split", "-i", trace, "-o", "part", "-r", "-e", "100"},
		{"trace-cmd", "convert", "-i", trace, "-o", "new.dat"},
	} {
		var out bytes.Buffer
		run(args, strings.NewReader(""), &out, &out)
		if shown := drawn.ReplaceAllString(onTerminal(t, args...), ""); shown != out.String() {
			t.Errorf("%q shows\n%q\nnot\n%q", args, shown, out.String())
		}
	}
}
