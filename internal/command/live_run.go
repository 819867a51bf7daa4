package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	front "github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
)

// liveRun is the state of tracec live.
type liveRun struct {
	cmd *cobra.Command
	o   *liveOptions
	in  *tracefs.Instance
	rec *ftrace.Recording
	job *report.Job

	filters filter.List // filters of -F
}

func init() { beforeExit = append(beforeExit, func() { tracefs.CloseAll() }) }

// liveName is the name of the running kernel in messages.
const liveName = "the running kernel"

func runLive(cmd *cobra.Command, o *liveOptions) (err error) {
	if o.clean {
		return errors.Join(cleanParts(cmd, o.output), cleanLive(cmd))
	}
	if err := o.check(); err != nil {
		return err
	}
	if o.choice.Limit, _ = Limit(cmd); o.choice.Limit > 0 && o.output != "" {
		return usagef("--limit: not supported with -o; use --for")
	}
	l := &liveRun{cmd: cmd, o: o, job: NewJob(cmd, liveName)}
	l.job.Workers = 1
	if err := sources.FTrace().Check(&o.choice.Options); err != nil {
		return err
	}
	if err := l.tellLeft(); err != nil {
		return err
	}
	o.config.BufferSize, o.config.SubBufferSize = int64(o.buffer), int(o.sub)
	o.config.Children = o.config.Children || len(o.command) > 0
	var choice *tracefs.ChoiceError
	if l.in, err = tracefs.Create(o.config); errors.As(err, &choice) {
		return usagef("--%w", choice)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.in.Close()) }()
	wanted, err := l.choose()
	if err != nil {
		return err
	}
	if l.rec, err = l.in.Open(cmd.Context(), ftrace.WithMemory(memory(cmd)), ftrace.WithFormats(wanted)); err != nil {
		return err
	}
	defer l.rec.Close()
	l.job.Recording = l.rec
	l.showOwn()
	if err := l.enable(wanted); err != nil {
		return err
	}
	if err := l.threads(); err != nil {
		return err
	}
	return l.run()
}

// tellLeft reports instances that killed processes have left, since they continue to record.
func (l *liveRun) tellLeft() error {
	left, err := tracefs.Leftover("", "")
	if err != nil {
		return err
	}
	for _, x := range left {
		l.job.Note("a killed run left the tracefs instance %s; tracec live --clean removes it", x.Name)
	}
	return nil
}

// cleanParts removes parts of an output that killed processes have left.
func cleanParts(cmd *cobra.Command, output string) error {
	if output == "" {
		return nil
	}
	left, err := fileset.Left(output)
	for _, name := range left {
		if e := os.Remove(name); e != nil {
			err = errors.Join(err, e)
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "removed %s\n", name)
	}
	return err
}

// cleanLive removes files and instances that killed processes have left.
func cleanLive(cmd *cobra.Command) error {
	left, err := tracefs.Leftover("", "")
	for i := range left {
		if e := left[i].Remove(); e != nil {
			err = errors.Join(err, e)
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "removed instance %s of process %d\n", left[i].Name, left[i].PID)
	}
	return err
}

// choose returns a function that reports whether the options select an event. It also selects
// processors.
func (l *liveRun) choose() (wanted func(system, name string) bool, err error) {
	o := &l.o.choice
	catalog := &selection.Catalog{Noun: "event", Recording: liveName, CPUs: l.in.CPUs()}
	err = l.in.EventNames(func(system, name string) {
		catalog.Events = append(catalog.Events, selection.Name{System: system, Name: name})
	})
	if err == nil {
		err = catalog.Check(&l.o.choice.Options)
	}
	if err != nil {
		return nil, err
	}
	if o.CPUs != nil {
		var list []int
		for _, cpu := range l.in.CPUs() {
			if o.CPUs.Has(cpu) {
				list = append(list, cpu)
			}
		}
		if err := l.in.OnCPUs(list); err != nil {
			return nil, err
		}
	}
	match, err := catalog.Matcher(o.Events)
	if err != nil {
		return nil, err
	}
	if l.filters, err = filter.Parse(o.Filters); err != nil {
		return nil, err
	}
	if len(o.Events)+len(l.filters) == 0 { // only a tracer
		return func(string, string) bool { return false }, nil
	}
	return func(system, name string) bool {
		return match(system, name) && (len(l.filters) == 0 || l.filters.Matches(system, name))
	}, nil
}

// showOwn lets -e also select events that occur without being enabled: stacks, and events of a
// tracer.
func (l *liveRun) showOwn() {
	o := l.o
	if len(o.choice.Events) == 0 {
		return
	}
	if o.config.Stacks || o.config.UserStacks {
		o.choice.Events = append(o.choice.Events, "ftrace:*_stack")
	}
	if o.config.Tracer != "" {
		o.choice.Events = append(o.choice.Events, "ftrace:*")
	}
}

// enable enables the events of -e and -F. If the kernel rejects a condition, tracec applies it.
func (l *liveRun) enable(wanted func(system, name string) bool) error {
	for _, f := range l.rec.Formats() {
		if f.System == "ftrace" || !wanted(f.System, f.Name) {
			continue // events of the ring buffer itself cannot be enabled
		}
		e := tracefs.Event{Pattern: f.System + ":" + f.Name, Filter: tracecmd.KernelFilter(l.filters, f)}
		err := l.in.Enable(e)
		var refused *tracefs.FilterError
		if errors.As(err, &refused) {
			e.Filter = ""
			err = l.in.Enable(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// threads limits recording to the processes of -p, with all their threads.
func (l *liveRun) threads() error {
	for _, word := range l.o.pids {
		pid, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			if err := l.threadsNamed(strings.TrimSpace(word)); err != nil {
				return err
			}
			continue
		}
		tasks, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task"))
		if errors.Is(err, fs.ErrNotExist) {
			return usagef("--pid %d: no such thread", pid)
		}
		if err != nil {
			return err
		}
		for _, t := range tasks {
			if id, err := strconv.Atoi(t.Name()); err == nil {
				if err := l.in.Trace(id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// threadsNamed limits recording to the threads with a name.
func (l *liveRun) threadsNamed(name string) error {
	names, err := filepath.Glob("/proc/[0-9]*/task/[0-9]*/comm")
	if err != nil {
		return err
	}
	var near []string
	found := false
	for _, file := range names {
		text, err := os.ReadFile(file)
		id, bad := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || bad != nil { // the process has ended
			continue
		}
		if comm := strings.TrimSuffix(string(text), "\n"); comm != name {
			near = append(near, comm)
			continue
		}
		found = true
		if err := l.in.Trace(id); err != nil {
			return err
		}
	}
	if !found {
		return usagef("--pid %s: no thread of this name runs%s", name, suggest.DidYouMean(name, near))
	}
	return nil
}

// run records until the end, and prints or writes events meanwhile.
func (l *liveRun) run() (err error) {
	var child *liveChild
	if len(l.o.command) > 0 {
		if child, err = startChild(l.cmd, l.o.command); err != nil {
			return err
		}
		defer child.kill()
		if err := l.in.Trace(child.pid()); err != nil {
			return err
		}
	}
	if err := l.in.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	if child != nil {
		if err := child.goOn(); err != nil {
			return err
		}
		go func() {
			ended <- child.wait()
			l.in.Stop()
		}()
	}
	if l.o.forTime > 0 {
		defer time.AfterFunc(l.o.forTime, func() { l.in.Stop() }).Stop()
	}
	losses := watchLosses(l.in, l.job.Warn)
	err = l.read(context.WithoutCancel(l.cmd.Context()))
	stopped := l.in.Stop()
	losses()
	if late := l.rec.Live().Late(); late > 0 {
		l.job.Warn(fmt.Errorf("%d events came after later events of other CPUs: use a --delay above %v",
			late, l.o.config.Delay))
	}
	if child != nil {
		child.terminate()
		if e := <-ended; err == nil {
			err = e
		}
	}
	return errors.Join(err, stopped)
}

// read prints, writes or records new events.
func (l *liveRun) read(ctx context.Context) error {
	switch {
	case l.o.output != "":
		return l.record(ctx)
	case l.o.export.To != "":
		return l.export(ctx)
	}
	return tracecmd.System().Report(ctx, l.job, &l.o.choice)
}

// export writes new events in one of the formats of tracec export.
func (l *liveRun) export(ctx context.Context) error {
	f, err := findFormat(l.o.export.To)
	if err != nil {
		return err
	}
	if f.Folder != nil {
		return usagef("--to %s: it cannot be written to standard output", f.Name)
	}
	rec, r, err := l.job.Events(ctx, &l.o.choice, append(f.Reader, front.WithThreads())...)
	if err != nil {
		return err
	}
	l.o.export.Warn, l.o.export.Workers = l.job.Warn, 1
	return TellExport(ctx, l.job, rec, r, &l.o.choice, f.Write(l.job.Out, r, &l.o.export))
}

// watchLosses reports dropped events of the kernel every second. end reports the total.
func watchLosses(in *tracefs.Instance, warn func(error)) (end func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	lost := map[int]int64{}
	look := func() {
		for _, s := range in.Stats() {
			if n := s.Lost - lost[s.CPU]; n > 0 {
				lost[s.CPU] = s.Lost
				warn(fmt.Errorf("CPU %d: %d events dropped", s.CPU, n))
			}
		}
	}
	go func() {
		defer close(ended)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				look()
			case <-stop:
				look()
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-ended
		sum := int64(0)
		for _, n := range lost {
			sum += n
		}
		if sum > 0 {
			warn(&selection.Note{Err: fmt.Errorf("%d events dropped in all, on %d CPUs; a larger --buffer may hold them", sum, len(lost))})
		}
	}
}
