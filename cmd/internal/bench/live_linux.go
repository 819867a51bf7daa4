package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
	"github.com/tracec/tracec/runtime/record"
)

// init keeps the load in the main thread, whose number is the number of the process. Without it
// other threads may run the main goroutine later.
func init() {
	if slices.Contains(os.Args, "live load") {
		runtime.LockOSThread()
	}
}

// makeLoad runs the load in the child: calls of close for a file that is not open.
func makeLoad(words string) error {
	return load(words, func(n int) {
		for range n {
			syscall.RawSyscall(syscall.SYS_CLOSE, ^uintptr(0), 0, 0)
		}
	})
}

// liveReader reads the events of the load's process. It ends after an interrupt.
type liveReader struct {
	name string
	args func(pid string, buffer int64, dir string) []string
	got  func(dir string, out []byte) (int64, error) // counts the recorded events
}

const closeEvents = "sys_enter_close,sys_exit_close"

func (o options) liveReaders() []liveReader {
	self, _ := os.Executable()
	inFile := func(dir string, _ []byte) (int64, error) { return countFile(filepath.Join(dir, "t.dat")) }
	return []liveReader{
		{"`tracec live -o`", func(pid string, buffer int64, dir string) []string {
			return []string{o.tracec(), "live", "-e", closeEvents, "-p", pid, "--buffer", fmt.Sprint(buffer), "-o",
				filepath.Join(dir, "t.dat")}
		}, inFile},
		{"`trace-cmd record`", func(pid string, buffer int64, dir string) []string {
			return withoutFunctionTracer("tracec-bench-"+pid, dir, "trace-cmd", "record", "-q", "--compression", "none",
				"-B", "tracec-bench-"+pid, "-b", fmt.Sprint(buffer>>10), "-P", pid,
				"-e", "syscalls:sys_enter_close", "-e", "syscalls:sys_exit_close", "-o", filepath.Join(dir, "t.dat"))
		}, inFile},
		{"`cat trace_pipe_raw` to a file, a process for each processor",
			func(pid string, buffer int64, dir string) []string {
				return []string{self, "-measure", "live cat", pid + "/" + fmt.Sprint(buffer) + "/" + dir}
			}, func(dir string, out []byte) (int64, error) {
				return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
			}},
		{"generated Decoder", func(pid string, buffer int64, dir string) []string {
			return []string{self, "-measure", "live decode", pid + "/" + fmt.Sprint(buffer) + "/" + dir}
		}, func(dir string, out []byte) (int64, error) {
			return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
		}},
		{"`tracec live`, text to a file", func(pid string, buffer int64, dir string) []string {
			return []string{o.tracec(), "live", "-e", closeEvents, "-p", pid, "--buffer", fmt.Sprint(buffer)}
		}, func(dir string, out []byte) (int64, error) {
			text, err := os.ReadFile(filepath.Join(dir, "out"))
			return int64(bytes.Count(text, []byte("_close:"))), err
		}},
	}
}

// functionTracer is a file that trace-cmd writes even if no function is traced. If the kernel
// refuses the write, trace-cmd fails.
const functionTracer = "/proc/sys/kernel/ftrace_enabled"

// withoutFunctionTracer returns a command that finds empty files instead of the function tracer's
// files of an instance. It is for kernels that refuse writes to these files.
func withoutFunctionTracer(instance, dir string, command ...string) []string {
	value, err := os.ReadFile(functionTracer)
	if err == nil {
		err = os.WriteFile(functionTracer, value, 0)
	}
	if !errors.Is(err, syscall.EPERM) {
		return command
	}
	const script = `I=$(dirname "$(readlink -f /sys/kernel/tracing/README)")/instances/$1 D=$2; shift 2; mkdir "$I" && echo 1 >"$D/on" && mount --bind "$D/on" ` + functionTracer + ` || exit
for f in set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_graph_function set_graph_notrace
do [ ! -e "$I/$f" ] || { : >"$D/$f" && mount --bind "$D/$f" "$I/$f"; } || exit
done
exec "$@"`
	return append([]string{"unshare", "-m", "sh", "-c", script, "sh", instance, dir}, command...)
}

// countFile counts the records of a recording, including those of instances.
func countFile(path string) (n int64, err error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	err = record.InStreamOrder(rec.Streams(ftrace.StreamOptions{}), func(r []record.Record, _ []record.None) error {
		n += int64(len(r))
		return nil
	})
	return n, err
}

// live measures all readers.
func (o options) live() (list []liveResult, err error) {
	for _, r := range o.liveReaders() {
		for buffer := int64(tracefs.DefaultBuffer); ; buffer *= 2 {
			res := o.liveRun(r, buffer)
			fmt.Fprintf(os.Stderr, "%s, %d KiB: %d of %d, CPU %v in %v, %v\n", r.name, buffer>>10, res.got,
				res.expected, res.cpu, res.took, res.err)
			list = append(list, res)
			if res.err != nil || res.lost() <= 0 || buffer >= 64<<20 {
				break
			}
		}
	}
	return list, nil
}

// liveRun runs one reader once.
func (o options) liveRun(r liveReader, buffer int64) (res liveResult) {
	res = liveResult{name: r.name, buffer: buffer}
	dir, err := os.MkdirTemp(o.dir, "live")
	if err != nil {
		res.err = err
		return res
	}
	defer os.RemoveAll(dir)
	self, _ := os.Executable()
	gate, open, err := os.Pipe()
	if err != nil {
		res.err = err
		return res
	}
	defer open.Close()
	var said bytes.Buffer
	l := exec.Command(self, "-measure", "live load", fmt.Sprintf("%g/%s", o.liveRate/2, o.liveTime))
	l.Stdin, l.Stdout, l.Stderr = gate, &said, os.Stderr
	if res.err = l.Start(); res.err != nil {
		return res
	}
	gate.Close()
	args := r.args(strconv.Itoa(l.Process.Pid), buffer, dir)
	var diag bytes.Buffer
	c := exec.Command(args[0], args[1:]...)
	c.Stderr = &diag
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		res.err = err
		return res
	}
	defer out.Close()
	c.Stdout = out
	if res.err = c.Start(); res.err != nil {
		l.Process.Kill()
		return res
	}
	time.Sleep(2 * time.Second) // wait for the start of recording
	open.Write([]byte{1})
	res.err = l.Wait()
	var calls, ns int64
	fmt.Sscan(said.String(), &calls, &ns)
	res.expected, res.took = 2*calls, time.Duration(ns)
	c.Process.Signal(os.Interrupt)
	err = c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 130 {
		err = nil
	}
	_, res.cpu = usageOf(c.ProcessState)
	if res.err = errors.Join(res.err, err); res.err != nil {
		res.err = fmt.Errorf("%w: %.200s", res.err, diag.String())
		return res
	}
	text, _ := os.ReadFile(out.Name())
	res.got, res.err = r.got(dir, text)
	return res
}

// liveInstance makes the instance of a child that reads. words is pid/buffer/dir.
func liveInstance(words string) (in *tracefs.Instance, dir string, err error) {
	parts := strings.SplitN(words, "/", 3)
	pid, err := strconv.Atoi(parts[0])
	if err != nil {
		return nil, "", err
	}
	buffer, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return nil, "", err
	}
	in, err = tracefs.Create(tracefs.Config{Name: "tracec-bench", BufferSize: buffer, PIDs: []int{pid},
		Events: []tracefs.Event{{Pattern: "syscalls:sys_enter_close"}, {Pattern: "syscalls:sys_exit_close"}}})
	return in, parts[2], err
}

// decodeLive reads with a generated decoder until it is interrupted, and prints the number of
// events.
func decodeLive(ctx context.Context, words string) error {
	in, _, err := liveInstance(words)
	if err != nil {
		return err
	}
	defer in.Close()
	rec, err := in.Open(ctx)
	if err != nil {
		return err
	}
	defer rec.Close()
	d, err := decoders.Bind(rec, decoders.SysEnterCloseEvent, decoders.SysExitCloseEvent)
	if err != nil {
		return err
	}
	if err := in.Start(); err != nil {
		return err
	}
	n := 0
	for _, e := range d.Events(context.Background(), record.Options{}) {
		n++
		if e, ok := e.(*decoders.SysExitClose); ok {
			sink += uint64(e.Ret)
		}
	}
	fmt.Println(n)
	return d.Err()
}

// catLive runs cat on each processor's buffer until it is interrupted.
func catLive(ctx context.Context, words string) error {
	in, dir, err := liveInstance(words)
	if err != nil {
		return err
	}
	defer in.Close()
	var cats []*exec.Cmd
	for _, cpu := range in.CPUs() {
		out, err := os.Create(filepath.Join(dir, fmt.Sprint("cat", cpu)))
		if err != nil {
			return err
		}
		c := exec.Command("cat", filepath.Join(in.Dir(), fmt.Sprintf("per_cpu/cpu%d/trace_pipe_raw", cpu)))
		c.Stdout = out
		if err := c.Start(); err != nil {
			return err
		}
		cats = append(cats, c)
	}
	if err := in.Start(); err != nil {
		return err
	}
	<-ctx.Done()
	in.Stop()
	time.Sleep(200 * time.Millisecond)
	for _, c := range cats {
		c.Process.Kill()
		c.Wait()
	}
	n := int64(0)
	for _, s := range in.Stats() {
		n += s.Read + s.Entries // events in a partly filled sub-buffer
	}
	fmt.Println(n)
	return nil
}
