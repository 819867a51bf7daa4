package tracefs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// setUp writes the settings of the Config to the files of a new instance.
func (in *Instance) setUp() error {
	c := &in.config
	if err := in.write("tracing_on", "0"); err != nil {
		return err
	}
	if err := in.processors(); err != nil {
		return err
	}
	size := c.BufferSize
	if size == 0 {
		size = DefaultBuffer
	}
	steps := []func() error{
		func() error { return in.setClock(c.Clock) },
		func() error { return in.setSubBuffer(c.SubBufferSize) },
		func() error { return in.write("buffer_size_kb", strconv.FormatInt(max(1, (size+1023)>>10), 10)) },
		in.setOptions,
		in.setPIDs,
		func() error { return in.OnCPUs(c.CPUs) },
		in.setFunctions,
		in.setTracer,
		func() error { return in.Enable(c.Events...) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// processors finds the buffers and their sub-buffer size.
func (in *Instance) processors() error {
	list, err := os.ReadDir(filepath.Join(in.dir, "per_cpu"))
	if err != nil {
		return err
	}
	for _, e := range list {
		if n, err := strconv.Atoi(strings.TrimPrefix(e.Name(), "cpu")); err == nil {
			in.cpus = append(in.cpus, n)
		}
	}
	slices.Sort(in.cpus)
	return in.pages()
}

// dataField matches the number of bytes of events in a sub-buffer, in header_page.
var dataField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`char data;\s*offset:(\d+);\s*size:(\d+);`) })

// pages reads the size of a sub-buffer.
func (in *Instance) pages() error {
	text := in.read("events/header_page")
	m := dataField().FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%s/events/header_page: %w: no field data", in.dir, errLayout)
	}
	offset, _ := strconv.Atoi(m[1])
	size, _ := strconv.Atoi(m[2])
	in.pageSize = offset + size
	return nil
}

var errLayout = errors.New("the layout of a page is not known")

func (in *Instance) setClock(clock string) error {
	if clock == "" {
		return nil
	}
	if err := in.write("trace_clock", clock); err != nil {
		return &ChoiceError{"clock", clock, in.words("trace_clock"), err}
	}
	return nil
}

func (in *Instance) setSubBuffer(size int) error {
	if size == 0 {
		return nil
	}
	err := in.write("buffer_subbuf_size_kb", strconv.Itoa(max(1, (size+1023)>>10)))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("sub-buffers of %d bytes: %w: it needs Linux 6.8", size, errors.ErrUnsupported)
	}
	if err != nil {
		return fmt.Errorf("sub-buffers of %d bytes: %w", size, err)
	}
	return in.pages()
}

// setOptions switches options on, or off if they begin with "no".
func (in *Instance) setOptions() error {
	c := &in.config
	list := slices.Clone(c.Options)
	if c.Stacks {
		list = append(list, "stacktrace")
	}
	if c.UserStacks {
		list = append(list, "userstacktrace")
	}
	if c.Children {
		list = append(list, "event-fork")
		if c.Tracer != "" && c.Tracer != "nop" {
			list = append(list, "function-fork")
		}
	}
	for _, o := range list {
		if err := in.write("trace_options", o); err != nil {
			return &ChoiceError{"option", o, nil, err}
		}
	}
	return nil
}

func (in *Instance) setPIDs() error { return in.Trace(in.config.PIDs...) }

// Trace adds threads whose events are recorded. The first call restricts recording to its threads.
func (in *Instance) Trace(pids ...int) error {
	for _, pid := range pids {
		if err := in.append("set_event_pid", strconv.Itoa(pid)); err != nil {
			return fmt.Errorf("thread %d: %w", pid, err)
		}
		if t := in.config.Tracer; t != "" && t != "nop" {
			if err := in.append("set_ftrace_pid", strconv.Itoa(pid)); err != nil {
				return fmt.Errorf("thread %d: %w", pid, err)
			}
		}
	}
	return nil
}

// OnCPUs selects the processors that record. If nil, nothing changes. The kernel takes hexadecimal
// groups of 32 (lib/bitmap-str.c).
func (in *Instance) OnCPUs(cpus []int) error {
	if cpus == nil {
		return nil
	}
	words := make([]uint32, slices.Max(in.cpus)/32+1)
	for _, cpu := range cpus {
		if !slices.Contains(in.cpus, cpu) {
			return fmt.Errorf("there is no CPU %d", cpu)
		}
		words[cpu/32] |= 1 << (cpu % 32)
	}
	var groups []string
	for _, w := range slices.Backward(words) {
		groups = append(groups, fmt.Sprintf("%08x", w))
	}
	return in.write("tracing_cpumask", strings.Join(groups, ","))
}

func (in *Instance) setFunctions() error {
	for file, globs := range map[string][]string{"set_ftrace_filter": in.config.Functions,
		"set_ftrace_notrace": in.config.NotFunctions} {
		for _, g := range globs {
			if err := in.append(file, g+"\n"); err != nil {
				return fmt.Errorf("functions %q: %w", g, err)
			}
		}
	}
	return nil
}

func (in *Instance) setTracer() error {
	if in.config.Tracer == "" {
		return nil
	}
	if err := in.write("current_tracer", in.config.Tracer); err != nil {
		return &ChoiceError{"tracer", in.config.Tracer, in.words("available_tracers"), err}
	}
	return nil
}

// Enable switches events on, after it has set their filters and triggers. The error is a
// *FilterError if the kernel rejects a filter.
func (in *Instance) Enable(events ...Event) error {
	for _, e := range events {
		if e.Filter == "" && len(e.Triggers) == 0 && strings.Contains(e.Pattern, ":") {
			// The kernel expands globs itself, and switches a thousand events on at once.
			if err := in.append("set_event", e.Pattern+"\n"); err != nil {
				return fmt.Errorf("events %q: %w", e.Pattern, in.noEvent(err))
			}
			continue
		}
		list, err := in.find(e.Pattern)
		if err != nil {
			return err
		}
		for _, name := range list {
			if err := in.setEvent(name, &e); err != nil {
				return err
			}
		}
	}
	return nil
}

// EventNames calls fn for all events of the kernel.
func (in *Instance) EventNames(fn func(system, name string)) error {
	dir := filepath.Join(in.dir, "events")
	systems, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, s := range systems {
		if !s.IsDir() {
			continue
		}
		names, err := os.ReadDir(filepath.Join(dir, s.Name()))
		if err != nil {
			return err
		}
		for _, n := range names {
			if n.IsDir() {
				fn(s.Name(), n.Name())
			}
		}
	}
	return nil
}

// enabled returns the events that are switched on, as SYSTEM:NAME.
func (in *Instance) enabled() map[string]bool {
	on := map[string]bool{}
	for line := range strings.Lines(in.read("set_event")) {
		on[strings.TrimSpace(line)] = true
	}
	return on
}

// noEvent translates an error of set_event: the kernel returns EINVAL for unknown names.
func (in *Instance) noEvent(err error) error {
	return fmt.Errorf("no such event, or it cannot be switched on: %w", err)
}

// find returns the events that a pattern matches, as SYSTEM/NAME.
func (in *Instance) find(pattern string) (list []string, err error) {
	system, name, ok := strings.Cut(pattern, ":")
	if !ok {
		system, name = "*", pattern
	}
	if _, err := path.Match(system, ""); err != nil {
		return nil, fmt.Errorf("events %q: %w", pattern, err)
	}
	found, err := filepath.Glob(filepath.Join(in.dir, "events", system, name, "enable"))
	if err != nil {
		return nil, fmt.Errorf("events %q: %w", pattern, err)
	}
	for _, f := range found {
		dir, _ := filepath.Rel(filepath.Join(in.dir, "events"), filepath.Dir(f))
		list = append(list, filepath.ToSlash(dir))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("events %q: %w", pattern, in.noEvent(fs.ErrNotExist))
	}
	return list, nil
}

// setEvent switches one event on.
func (in *Instance) setEvent(name string, e *Event) error {
	dir := path.Join("events", name)
	if e.Filter != "" {
		if err := in.write(path.Join(dir, "filter"), e.Filter); err != nil {
			return &FilterError{Event: name, Filter: e.Filter, Message: in.parseError(path.Join(dir, "filter")),
				Err: err}
		}
	}
	for _, t := range e.Triggers {
		if err := in.append(path.Join(dir, "trigger"), t); err != nil {
			return fmt.Errorf("event %s, trigger %q: %w%s", name, t, err, in.errorLog())
		}
	}
	if err := in.write(path.Join(dir, "enable"), "1"); err != nil {
		return fmt.Errorf("event %s: %w", name, err)
	}
	return nil
}

// FilterError is the error of a filter that the kernel rejects.
type FilterError struct {
	Event, Filter string
	Message       string // of the kernel; may be empty
	Err           error
}

// Error names the event and the filter, and includes the kernel's message.
func (e *FilterError) Error() string {
	s := fmt.Sprintf("event %s, filter %q: %v", e.Event, e.Filter, e.Err)
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// Unwrap returns the error of the system.
func (e *FilterError) Unwrap() error { return e.Err }

// parseError returns the kernel's message about a filter, which it leaves in the file.
func (in *Instance) parseError(file string) string {
	if lines := strings.Split(in.read(file), "\n"); len(lines) > 1 {
		return strings.Join(strings.Fields(strings.TrimLeft(strings.Join(lines[1:], " "), " ^")), " ")
	}
	return ""
}

// errorLog returns the last message of the instance's error_log.
func (in *Instance) errorLog() string {
	text := in.read("error_log")
	if i := strings.LastIndex(text, "] "); i >= 0 {
		first, _, _ := strings.Cut(text[i+2:], "\n")
		return ": " + first
	}
	return ""
}

// ChoiceError is the error of a clock, a tracer or an option that the kernel does not have.
type ChoiceError struct {
	Of    string // "clock", "tracer" or "option"
	Value string
	Has   []string // the valid names; nil if unknown
	Err   error    // of the kernel
}

// Error implements error.
func (e *ChoiceError) Error() string {
	if e.Has == nil {
		return fmt.Sprintf("%s %s: this kernel has no such %s", e.Of, e.Value, e.Of)
	}
	return fmt.Sprintf("%s %s: this kernel has %s", e.Of, e.Value, strings.Join(e.Has, ", "))
}

// Unwrap returns the error of the kernel.
func (e *ChoiceError) Unwrap() error { return e.Err }

// words returns the words of a file. In the file, the selected word is in brackets.
func (in *Instance) words(name string) []string {
	return strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(in.read(name)))
}
