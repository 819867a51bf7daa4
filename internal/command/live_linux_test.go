package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
)

func init() { livetest.Workload() }

// live returns an unstarted tracec live with these arguments. It skips the test where tracec live
// cannot run.
func live(t *testing.T, args ...string) *process {
	t.Helper()
	needs.Live(t)
	obeyed(t, syscall.SIGINT) // the signal ends most of the commands
	p := command(t, append([]string{"live"}, args...), "")
	t.Cleanup(func() {
		if p.Process == nil {
			return
		}
		p.Process.Kill()
		for _, dir := range instancesOf(p) {
			t.Errorf("%s is left", dir)
			os.Remove(dir)
		}
	})
	return p
}

// instancesOf returns the directories of the instances that a process has made.
func instancesOf(p *process) []string {
	root, _ := tracefs.Mount()
	list, _ := filepath.Glob(filepath.Join(root, "instances", fmt.Sprintf("tracec-%d-*", p.Process.Pid)))
	return list
}

// recording waits until a process records, and returns the directory of its instance.
func recording(t *testing.T, p *process) string {
	t.Helper()
	found := ""
	until(t, "tracec live that records", func() bool {
		for _, dir := range instancesOf(p) {
			// A new instance is on and has no events.
			events, _ := os.ReadFile(filepath.Join(dir, "set_event"))
			if on, _ := os.ReadFile(filepath.Join(dir, "tracing_on")); string(on) == "1\n" && len(events) > 0 {
				found = dir
			}
		}
		return found != ""
	})
	return found
}

// until waits until happened returns true.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	end := time.Now().Add(2 * time.Minute)
	if last, ok := t.Deadline(); ok && last.Add(-5*time.Second).Before(end) {
		end = last.Add(-5 * time.Second)
	}
	for !happened() {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// worker is a process that executes commands. It waits for bytes, and reports its progress by
// bytes.
type worker struct {
	*exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

// workload starts a process that executes list, and ends it with the test.
func workload(t *testing.T, list string) *worker {
	t.Helper()
	needs.Live(t)
	w := &worker{Cmd: exec.Command(os.Args[0])}
	w.Env = append(os.Environ(), livetest.WorkloadVariable+"="+list)
	var err error
	if w.in, err = w.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if w.out, err = w.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Process.Kill() // the process may have ended
		w.Wait()
	})
	return w
}

// goOn lets a waiting worker continue.
func (w *worker) goOn(t *testing.T) {
	t.Helper()
	if _, err := w.in.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
}

// told waits until the worker reports its progress. Then the worker waits for a byte.
func (w *worker) told(t *testing.T) {
	t.Helper()
	if _, err := io.ReadFull(w.out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	until(t, "a process that sleeps", func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		_, state, _ := strings.Cut(string(text), ") ")
		return strings.HasPrefix(state, "S")
	})
}

// inPID matches a thread and an event of a report.
var inPID = regexp.MustCompile(`(?m)^ *.*?-(\d+) +\[\d+\] .*?: (\w+): `)

// countByPID counts the events of a report by thread.
func countByPID(text, event string) map[int]int {
	counts := map[int]int{}
	for _, m := range inPID.FindAllStringSubmatch(text, -1) {
		if m[2] == event {
			pid, _ := strconv.Atoi(m[1])
			counts[pid]++
		}
	}
	return counts
}

// TestLiveCommand checks that every event of a command and its child processes is printed once, and
// no event of another process. The exit code is the exit code of the command.
func TestLiveCommand(t *testing.T) {
	p := live(t, "-e", "sys_enter_getppid", "--", "env",
		livetest.WorkloadVariable+"=getppid=5000 run=3 getppid=5 exit=7", os.Args[0])
	other := workload(t, "getppid=100000 switch=2000")
	out, err := p.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || p.messages.Len() > 0 {
		t.Errorf("%v, %q; want exit code 7", err, &p.messages)
	}
	counts := countByPID(string(out), "sys_enter_getppid")
	var sums []int
	for _, n := range counts {
		sums = append(sums, n)
	}
	slices.Sort(sums)
	if diff := cmp.Diff([]int{1, 1, 1, 5005}, sums); diff != "" || counts[other.Process.Pid] != 0 {
		t.Errorf("calls by process: %v, that of another process is %d", counts, other.Process.Pid)
	}
}

// TestLivePrints checks that lines appear while the command runs. After a signal all events
// recorded before it are printed.
func TestLivePrints(t *testing.T) {
	w := workload(t, "wait getppid=1000 wait getppid=1000 tell wait")
	p := live(t, "-e", "sys_enter_getppid", "-T", "-p", strconv.Itoa(w.Process.Pid))
	lines, out := io.Pipe()
	p.Stdout = out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	dir := recording(t, p)
	calls, stacks := make(chan int, 4000), 0
	go func() {
		defer close(calls)
		for s := bufio.NewScanner(lines); s.Scan(); {
			if strings.Contains(s.Text(), "sys_enter_getppid:") {
				calls <- 1
			}
			if strings.Contains(s.Text(), "kernel_stack:") {
				stacks++
			}
		}
	}()
	w.goOn(t)
	for n := range 1000 {
		select {
		case <-calls:
		case <-time.After(2 * time.Minute):
			t.Fatalf("%d lines while the command goes on", n)
		}
	}
	w.goOn(t)
	w.told(t)
	p.Process.Signal(os.Interrupt)
	p.ended(t, p.Wait(), 130, "tracec: interrupted\n")
	out.Close()
	n := 1000
	for range calls {
		n++
	}
	if n != 2000 || stacks != 2000 {
		t.Errorf("%d calls and %d stacks, want 2000", n, stacks)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is left", dir)
	}
}

// TestLiveRecording: a recording contains every event. trace-cmd prints it as we do, without
// warnings.
func TestLiveRecording(t *testing.T) {
	for _, args := range [][]string{nil, {"--version", "6"}, {"--compression", "zstd"}, {"--sub-buffer", "16K"},
		{"--clock", "mono", "-T"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			w := workload(t, "wait getppid=3000 run=2 switch=20")
			p := live(t, append([]string{"-e", "syscalls:sys_*_getppid,sched_wakeup,sched_process_*", "-c", "-p",
				strconv.Itoa(w.Process.Pid), "-o", "t.dat"}, args...)...)
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			marker := filepath.Join(recording(t, p), "trace_marker")
			for i := range 100 {
				if err := os.WriteFile(marker, fmt.Appendf(nil, "marker %d", i), 0); err != nil {
					t.Fatal(err)
				}
			}
			w.goOn(t)
			if err := w.Wait(); err != nil {
				t.Fatal(err)
			}
			p.Process.Signal(os.Interrupt)
			p.ended(t, p.Wait(), 130, "tracec: interrupted\n")
			if list, _ := os.ReadDir(p.Dir); len(list) != 1 {
				t.Errorf("there are %v", list)
			}
			ours := tracecOutput(t, p.Dir, "trace-cmd", "report", "-i", "t.dat")
			counts := countByPID(ours, "sys_enter_getppid")
			if counts[w.Process.Pid] != 3000 || len(counts) != 3 {
				t.Errorf("calls by process: %v, want 3000 of %d, and of two others", counts, w.Process.Pid)
			}
			for i := range 100 {
				if text := fmt.Sprintf("marker %d\n", i); strings.Count(ours, text) != 1 {
					t.Errorf("%d lines have %q", strings.Count(ours, text), text)
				}
			}
			t.Run("trace-cmd", func(t *testing.T) {
				c := exec.Command(needs.Program(t, "trace-cmd", "apt-get install trace-cmd"), "report", "-i", "t.dat")
				var said bytes.Buffer
				c.Dir, c.Stderr = p.Dir, &said
				theirs, err := c.Output()
				if err != nil || said.Len() > 0 {
					t.Errorf("trace-cmd: %v, %s", err, &said)
				}
				list := strings.Split(string(theirs), "\n")
				firstAliases(t, list)
				if diff := cmp.Diff(list, strings.Split(ours, "\n")); diff != "" {
					t.Errorf("(-trace-cmd +tracec):\n%.3000s", diff)
				}
			})
		})
	}
}

// firstAliases replaces names of functions in stacks that trace-cmd prints by the first kernel name
// of the same address. trace-cmd prints any of these names (first-alias in
// testdata/differences.md).
func firstAliases(t *testing.T, lines []string) {
	t.Helper()
	text, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		t.Fatal(err)
	}
	first, names := map[string]string{}, map[string]string{} // by address, by name
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 3 && strings.ContainsAny(f[1], "tTwW") {
			if first[f[0]] == "" {
				first[f[0]] = f[2]
			}
			if before, known := names[f[2]]; known && before != first[f[0]] { // functions with the same name
				names[f[2]] = ""
			} else {
				names[f[2]] = first[f[0]]
			}
		}
	}
	stack := regexp.MustCompile(`^=> (\S+) \([0-9a-f]+\)$`)
	for i, line := range lines {
		if m := stack.FindStringSubmatch(line); m != nil && names[m[1]] != "" {
			lines[i] = strings.Replace(line, m[1], names[m[1]], 1)
		}
	}
}

// tracecOutput returns the output of a command that prints no messages.
func tracecOutput(t *testing.T, dir string, args ...string) string {
	t.Helper()
	p := command(t, args, "")
	p.Dir = dir
	out, err := p.Output()
	if err != nil || p.messages.Len() > 0 {
		t.Errorf("tracec %v: %v, %s", args, err, &p.messages)
	}
	return string(out)
}

// TestLiveKilled checks that the recording of a killed process can be read to the last whole
// sub-buffer. Its instance is named at the next start and can be removed.
func TestLiveKilled(t *testing.T) {
	p := live(t, "-e", "sys_enter_getppid", "-o", "t.dat")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	dir := recording(t, p)
	w := workload(t, "getppid=1000000000")
	file := filepath.Join(p.Dir, "t.dat.live")
	until(t, "a whole sub-buffer in "+file, func() bool {
		rec, err := ftrace.Open(file)
		if err != nil {
			return false // its head has not been written yet
		}
		defer rec.Close()
		return eventsOf(rec, w.Process.Pid) > 0
	})
	p.Process.Kill()
	p.Wait()
	w.Process.Kill()
	rec, err := ftrace.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	n := eventsOf(rec, w.Process.Pid)
	for _, b := range rec.Buffers() {
		for _, c := range b.CPUs {
			if c.Size%int64(b.PageSize) != 0 {
				t.Errorf("CPU %d has %d bytes, and sub-buffers %d", c.ID, c.Size, b.PageSize)
			}
		}
	}
	if n == 0 || len(rec.Damage()) > 0 {
		t.Errorf("%d events, damage %v", n, rec.Damage())
	}
	again := live(t, "-e", "sys_enter_getppid", "-o", "t.dat")
	again.Dir = p.Dir
	again.ended(t, again.Run(), exitFailed, "tracec trace-cmd convert -i t.dat.live")
	if text := again.messages.String(); !strings.Contains(text, filepath.Base(dir)) ||
		!strings.Contains(text, "--clean") {
		t.Errorf("the next start does not name %s: %s", dir, text)
	}
	if text := tracecOutput(t, p.Dir, "live", "--clean"); !strings.Contains(text, filepath.Base(dir)) {
		t.Errorf("--clean prints %q", text)
	}
	tracecOutput(t, p.Dir, "stat", "t.dat.live")
}

// eventsOf returns the number of events of a thread in a recording.
func eventsOf(rec *ftrace.Recording, thread int) (n int) {
	for r := range rec.Merge(ftrace.StreamOptions{}).All() {
		if r.Task == int32(thread) {
			n++
		}
	}
	return n
}

// TestLiveDiskFull checks a full disk. The recording ends with a message, the written part can be
// read, and the instance is removed.
func TestLiveDiskFull(t *testing.T) {
	p := live(t, "-e", "sys_*_getppid", "--for", "5m", "-o", "disk/t.dat")
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		needs.Skip(t, "need a mount of their own", err)
	}
	if err := os.Mkdir(filepath.Join(p.Dir, "disk"), 0o777); err != nil {
		t.Fatal(err)
	}
	// The file system ends with the process, so the script reads the file there.
	script := `mount -t tmpfs -o size=20m tmpfs disk && { "$@"; echo exit code $?; tracec stat disk/t.dat.live; ls disk; }`
	c := exec.Command("unshare", append([]string{"-m", "sh", "-c", script, "sh"}, p.Args...)...)
	c.Dir, c.Env = p.Dir, p.Env
	workload(t, "getppid=1000000000")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	text := string(out)
	for _, want := range []string{"no space left", "tracec report disk/t.dat.live", "exit code 3\n",
		"sys_enter_getppid\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if !strings.HasSuffix(text, "\nt.dat.live\n") {
		t.Errorf("the directory has other files:\n%s", text)
	}
}

// TestLiveFilter: the kernel passes all events that a filter passes.
func TestLiveFilter(t *testing.T) {
	for _, filter := range []string{
		`sched_switch: prev_pid == PID && next_prio >= 0`,
		`sched_switch: prev_pid == PID && (next_comm ~ "*swapper*" || next_comm == "nobody" || !(next_prio < 100))`,
		`sched_switch,sched_wakeup: common_pid == PID && prev_state != 0`,
		`sched_switch: (prev_pid == PID || next_pid == PID) && prev_comm =~ "a"`,
		`sched_waking: pid == PID && prio > -1`,
		`sched_switch: prev_pid == PID && (prev_state & 1 || prev_state == 4294967297)`,
	} {
		w := workload(t, "tell wait switch=50 tell wait")
		w.told(t) // otherwise only one recording would have the events of the worker's start
		filter := strings.ReplaceAll(filter, "PID", strconv.Itoa(w.Process.Pid))
		some := live(t, "-F", filter, "-o", "t.dat", "--clock", "mono")
		all := live(t, "-e", "sched:*", "-o", "t.dat", "--clock", "mono")
		for _, p := range []*process{some, all} {
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			events, _, _ := strings.Cut(filter, ":")
			dir := recording(t, p) // some events may not be enabled yet
			until(t, "all events", func() bool {
				if p == all {
					whole, _ := os.ReadFile(filepath.Join(dir, "events/sched/enable"))
					return string(whole) == "1\n"
				}
				list, _ := os.ReadFile(filepath.Join(dir, "set_event"))
				return strings.Count(string(list), "\n") == len(strings.Split(events, ","))
			})
		}
		w.goOn(t)
		w.told(t)
		var texts [2]string
		for i, p := range []*process{some, all} {
			p.Process.Signal(os.Interrupt)
			p.ended(t, p.Wait(), 130, "tracec: interrupted\n")
			texts[i] = withoutTimes(tracecOutput(t, p.Dir, "report", "-R", "-F", filter, "t.dat"))
		}
		if diff := cmp.Diff(strings.Split(texts[1], "\n"), strings.Split(texts[0], "\n")); diff != "" ||
			strings.Count(texts[0], "\n") < 20 {
			t.Errorf("%s: %d lines (-all that is printed +what the kernel lets pass):\n%.2000s", filter,
				strings.Count(texts[0], "\n"), diff)
		}
	}
}

// withoutTimes removes the parts of a report that differ between two recordings of the same load.
func withoutTimes(text string) string {
	return regexp.MustCompile(`(?m)^.*\] +[\d.]+: `).ReplaceAllString(text, "")
}
