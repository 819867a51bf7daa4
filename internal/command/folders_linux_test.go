package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
)

// ofFolders are commands that accept a folder.
var ofFolders = []string{
	"info DIR", "report DIR", "report --follow DIR", "stat DIR", "list DIR", "export --to ndjson DIR", "textdump DIR",
	"trcrpt DIR", "uftrace replay -d DIR",
	"trace-cmd report -i DIR", "gen -pkg x -o OUT DIR", "vet DIR",
}

// withFolder runs a command and returns its exit code and its messages.
func withFolder(t *testing.T, args, dir string) (code int, messages string) {
	t.Helper()
	words := strings.Fields(args)
	for i := range words {
		words[i] = strings.NewReplacer("DIR", dir, "OUT", filepath.Join(t.TempDir(), "x_gen.go")).Replace(words[i])
	}
	p := command(t, words, "")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(mutantDeadline, func() { p.Process.Kill() })
	defer late.Stop()
	p.Wait()
	return p.ProcessState.ExitCode(), p.messages.String()
}

// TestFoldersOfNothing checks that a folder that is not a recording is reported at once, for any
// contents: pipes and devices, links to them, and very many files.
func TestFoldersOfNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"control", "uftrace.data", "events"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"info", "kernel_0", "trace.dat", "control/facilities_0", "uftrace.data/info",
		"events/format", "metadata"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"cpu_0": "/dev/zero", "kernel_1": "info", "up": "..",
		"task": "/proc/self/task"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range ofFolders {
		if strings.Contains(args, "--follow") {
			continue // it waits for a recording
		}
		if code, text := withFolder(t, args, dir); code <= 0 { // some messages name the pipe
			t.Errorf("tracec %s: exit %d: %s", args, code, text)
		}
		if code, text := withFolder(t, args, "/proc/self"); code != 3 || !strings.Contains(text, "not a recording") {
			t.Errorf("tracec %s: exit %d: %s", args, code, text)
		}
	}
}

// TestFolderWithoutEnd checks that the only recording of a folder is found among any number of
// other files, and that skipped files are reported.
func TestFolderWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		sub := filepath.Join(dir, fmt.Sprintf("a%d", i), "b", "c")
		if err := os.MkdirAll(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		for j := range 30 {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("core_%d", j)), make([]byte, 100),
				0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 1100 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%d.log", i)), []byte("hello"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, text := withFolder(t, "info DIR", dir); code != 3 ||
		!strings.Contains(text, "it is too large to search") {
		t.Errorf("exit %d: %s", code, text)
	}
	data, err := os.ReadFile(filepath.Join(needs.Root(t), "testdata", "ftrace", "amd64-markers.dat"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "z.dat"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, text := withFolder(t, "info DIR", dir); code != 0 {
		t.Errorf("with a recording: exit %d: %s", code, text)
	}
}

// TestFoldersOfTheKernel: given the folder of an instance of tracefs, or a folder above it, no
// command consumes events of the instance.
func TestFoldersOfTheKernel(t *testing.T) {
	needs.Live(t)
	root, err := tracefs.Mount()
	if err != nil {
		t.Fatal(err)
	}
	instance := filepath.Join(root, "instances", fmt.Sprintf("folders-%d", os.Getpid()))
	if err := os.Mkdir(instance, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(instance) })
	set := func(name, value string) {
		if err := os.WriteFile(filepath.Join(instance, name), []byte(value), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set("events/sched/sched_switch/enable", "1")
	if err := exec.Command("sleep", ".1").Run(); err != nil {
		t.Fatal(err)
	}
	set("tracing_on", "0")
	count := func() int {
		text, err := os.ReadFile(filepath.Join(instance, "trace"))
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(text, []byte("sched_switch: "))
	}
	before := count()
	if before == 0 {
		t.Fatal("nothing was traced")
	}
	for _, args := range ofFolders {
		for _, dir := range []string{"/sys", "/sys/kernel", "/sys/kernel/debug", filepath.Dir(instance),
			filepath.Join(instance, "per_cpu"),
			filepath.Join(instance, "per_cpu/cpu0"), filepath.Join(instance, "trace_pipe"),
			filepath.Join(instance, "per_cpu/cpu0/trace_pipe_raw")} {
			if strings.HasSuffix(dir, "/instances") &&
				(strings.HasPrefix(args, "list") || strings.HasPrefix(args, "gen") || strings.HasPrefix(args, "vet")) {
				continue // that has format files
			}
			if code, text := withFolder(t, args, dir); code != 3 || !strings.Contains(text, "not a recording") {
				t.Errorf("tracec %s of %s: exit %d: %s", args, dir, code, text)
			}
		}
		if code, text := withFolder(t, args, instance); code < 0 {
			t.Errorf("tracec %s of the instance: exit %d: %s", args, code, text)
		}
	}
	if after := count(); after != before {
		t.Errorf("%d events, then %d", before, after)
	}
}
