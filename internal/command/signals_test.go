//go:build unix

package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
)

// readers are all commands that read a recording, with their arguments. @ is replaced by the input.
// piped reports whether the input may be standard input.
var readers = []struct {
	name, input string
	args        []string
	piped       bool
}{
	{"report", "ftrace", []string{"report", "@"}, true},
	{"report uftrace", "uftrace", []string{"report", "@"}, true},
	{"report lttng", "lttng", []string{"report", "@"}, true},
	{"report aix", "aix", []string{"report", "@"}, true},
	{"list", "ftrace", []string{"list", "@"}, true},
	{"info", "ftrace", []string{"info", "@"}, true},
	{"stat", "ftrace", []string{"stat", "@"}, true},
	{"stat uftrace", "uftrace", []string{"stat", "@"}, true},
	{"stat lttng", "lttng", []string{"stat", "@"}, true},
	{"stat aix", "aix", []string{"stat", "--json", "@"}, true},
	{"vet", "ftrace", []string{"vet", "@"}, true},
	{"gen", "ftrace", []string{"gen", "-pkg", "x", "-dump=ir", "@"}, true},
	{"gen uftrace", "uftrace", []string{"gen", "-pkg", "x", "-dump=ir", "@"}, true},
	{"gen lttng", "lttng", []string{"gen", "-pkg", "x", "-dump=ir", "@"}, true},
	{"trace-cmd report", "ftrace", []string{"trace-cmd", "report", "@"}, true},
	{"trace-cmd report -E", "ftrace", []string{"trace-cmd", "report", "-E", "@"}, true},
	{"trace-cmd dump", "trace.dat", []string{"trace-cmd", "dump", "--all", "-i", "@"}, true},
	{"trcrpt", "aix", []string{"trcrpt", "@"}, true},
	{"trcrpt -r", "aix", []string{"trcrpt", "-r", "@"}, true},
	{"uftrace replay", "uftrace", []string{"uftrace", "replay", "-d", "@"}, true},
	{"uftrace report", "uftrace", []string{"uftrace", "report", "-d", "@"}, true},
	{"uftrace graph", "uftrace", []string{"uftrace", "graph", "-d", "@"}, true},
	{"uftrace dump", "uftrace", []string{"uftrace", "dump", "-d", "@"}, true},
	{"uftrace dump --chrome", "uftrace", []string{"uftrace", "dump", "--chrome", "-d", "@"}, true},
	{"uftrace info", "uftrace", []string{"uftrace", "info", "-d", "@"}, true},
	{"textdump", "lttng", []string{"textdump", "@"}, true},
	{"textdump --list", "lttng", []string{"textdump", "--list", "@"}, true},
	{"textdump --info", "lttng", []string{"textdump", "--info", "@"}, true},
	{"fmt", "templates", []string{"fmt", "@"}, false},
	{"list templates", "templates", []string{"list", "@"}, false},
	{"vet templates", "templates", []string{"vet", "@"}, false},
	{"trcrpt -j", "templates", []string{"trcrpt", "-j", "-t", "@"}, false},
	{"update -x", "templates", []string{"update", "-x", "010", "-t", "@"}, false},
	{"help", "", []string{"help"}, false},
	{"version", "", []string{"--version"}, false},
	{"licenses", "", []string{"licenses"}, false},
}

// inputs returns files of every kind, packed if possible.
func inputs(t *testing.T) map[string]string {
	t.Helper()
	abs := func(name string) string {
		name, err := filepath.Abs(filepath.Join("../../testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	dir := t.TempDir()
	var raw bytes.Buffer
	w := aix.NewWriter(&raw, aix.WriterOptions{Kernel64: true})
	for i := range 20 {
		w.Now = uint64(100 + i)
		w.TRCHKL1T(0x10000000, uint64(i))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"raw": raw.Bytes(),
		"my.trcfmt": []byte("010 1.0 L=APPL \"loop\" $HD%X2\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{
		"trace.dat": abs("ftrace/amd64-extract.dat"),
		"ftrace":    abs("ftrace/amd64-snapshot.tar.zst"), "uftrace": abs("uftrace/args-spec/data.tar.gz"),
		"lttng": abs("lttng/synthetic/v26-le64-bigevent.tar.xz"), "aix": filepath.Join(dir, "raw"),
		"templates": filepath.Join(dir, "my.trcfmt"), "": "",
	}
}

// process is a run of the command with its own directory for temporary files.
type process struct {
	*exec.Cmd
	temp     string
	messages bytes.Buffer
}

func command(t *testing.T, args []string, input string) *process {
	t.Helper()
	p := &process{temp: t.TempDir()}
	args = append([]string{}, args...)
	for i := range args {
		if args[i] == "@" {
			args[i] = input
		}
	}
	p.Cmd = exec.Command("tracec", args...) // TestMain has put it into PATH
	p.Env = append(os.Environ(), "TMPDIR="+p.temp)
	p.Dir = t.TempDir()
	p.Stderr = &p.messages
	return p
}

// ended checks how the process ended, and that it left nothing behind.
func (p *process) ended(t *testing.T, err error, code int, message string) {
	t.Helper()
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != code {
		t.Errorf("exit code %d, want %d: %v, %s", got, code, err, &p.messages)
	}
	if text := p.messages.String(); message == "" && text != "" || !strings.Contains(text, message) {
		t.Errorf("message %q, want %q", text, message)
	}
	p.left(t)
}

func (p *process) left(t *testing.T) {
	t.Helper()
	list, err := os.ReadDir(p.temp)
	if err != nil || len(list) > 0 {
		t.Errorf("in the directory for temporary files: %v, %v", list, err)
	}
}

// TestClosedOutput checks that a command whose output is not read succeeds without a message.
func TestClosedOutput(t *testing.T) {
	in := inputs(t)
	for _, d := range readers {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			p := command(t, d.args, in[d.input])
			p.Stdout = w
			err = p.Run()
			w.Close()
			p.ended(t, err, exitOK, "")
		})
	}
}

// TestFullOutput checks that a command that cannot write reports this, also by its exit code.
func TestFullOutput(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		needs.Skip(t, "need /dev/full", err)
	}
	in := inputs(t)
	for _, d := range readers {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer full.Close()
			p := command(t, d.args, in[d.input])
			p.Stdout = full
			p.ended(t, p.Run(), exitFailed, "no space left")
		})
	}
}

// signals are the signals by their names in messages.
var signals = []struct {
	signal  syscall.Signal
	message string
}{{syscall.SIGINT, "interrupted"}, {syscall.SIGTERM, "terminated"}, {syscall.SIGHUP, "stopped: hangup"}}

// TestSignalWhileReading: a signal ends a command that waits for standard input. The test knows
// that the command waits, because it has read more than a pipe holds.
func TestSignalWhileReading(t *testing.T) {
	in := inputs(t)
	for i, d := range readers {
		if !d.piped {
			continue
		}
		s := signals[i%len(signals)]
		t.Run(d.name+" "+s.signal.String(), func(t *testing.T) {
			t.Parallel()
			obeyed(t, s.signal)
			p := command(t, d.args, "-")
			stdin, err := p.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			begin, err := os.ReadFile(in[d.input])
			if err != nil {
				t.Fatal(err)
			}
			if d.input == "aix" { // aix is printed while it is read
				begin = bytes.Repeat(begin, 1+(2<<20)/len(begin))
			} else {
				begin = append(begin[:len(begin)/2], make([]byte, 2<<20)...)
			}
			if _, err := stdin.Write(begin); err != nil {
				t.Fatal(err)
			}
			if err := p.Process.Signal(s.signal); err != nil {
				t.Fatal(err)
			}
			err = p.Wait()
			stdin.Close()
			p.ended(t, err, 128+int(s.signal), "tracec: "+s.message)
		})
	}
}

// obeyed skips a test of a signal that this process, and so the commands that it starts, ignore:
// SIGHUP under nohup.
func obeyed(t *testing.T, s os.Signal) {
	t.Helper()
	if signal.Ignored(s) {
		needs.Skip(t, "need a signal that is ignored here", s)
	}
}

// TestSignalWhileWriting: a signal ends a command whose output is open but not read.
func TestSignalWhileWriting(t *testing.T) {
	for _, s := range signals {
		t.Run(s.signal.String(), func(t *testing.T) {
			t.Parallel()
			obeyed(t, s.signal)
			p := command(t, []string{"trace-cmd", "report", "-R", "@"}, inputs(t)["ftrace"])
			r, err := p.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(r, make([]byte, 1)); err != nil { // printing has begun
				t.Fatal(err)
			}
			if err := p.Process.Signal(s.signal); err != nil {
				t.Fatal(err)
			}
			state, err := p.Process.Wait()
			if err != nil || state.ExitCode() != 128+int(s.signal) {
				t.Errorf("%v, %v", state, err)
			}
			r.Close()
			p.left(t)
		})
	}
}

// TestSecondSignal: a second signal kills the process if the first one has not ended the work yet.
// Even SIGKILL leaves no files.
func TestSecondSignal(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		t.Run(s.String(), func(t *testing.T) {
			obeyed(t, s)
			p := command(t, []string{"trace-cmd", "report", "-R", "@"}, inputs(t)["ftrace"])
			r, err := p.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			ended := make(chan *os.ProcessState)
			go func() {
				state, _ := p.Process.Wait() // nil is an error
				ended <- state
			}()
			var state *os.ProcessState
			for gone := false; !gone; {
				p.Process.Signal(s) // the process may have ended
				select {
				case state = <-ended:
					gone = true
				case <-time.After(10 * time.Millisecond):
				}
			}
			status, ok := state.Sys().(syscall.WaitStatus)
			if killed := ok && status.Signaled() && status.Signal() == s; !killed &&
				(s == syscall.SIGKILL || state.ExitCode() != 128+int(s)) {
				t.Errorf("%v", state)
			}
			r.Close()
			p.left(t)
		})
	}
}
