package tracefs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// An Instance is an instance of tracefs: buffers with recorded data. Its methods may be called from
// several goroutines.
type Instance struct {
	root, dir string
	config    Config
	cpus      []int
	pageSize  int // of a sub-buffer, in bytes

	stopped atomic.Int64 // when recording was stopped, in ns since 1970; 0 if it was not
	wake    *waker
	mu      sync.Mutex
	feed    *feed // of Open
	closed  bool
	release []func() bool // ends the watches of contexts
}

// instances are the open instances, for CloseAll.
var instances struct {
	sync.Mutex
	all map[*Instance]bool
}

// count numbers the instances of this process.
var count atomic.Int64

// CloseAll closes all instances of the process. It is for a process that ends without its deferred
// calls.
func CloseAll() error {
	instances.Lock()
	var all []*Instance
	for in := range instances.all {
		all = append(all, in)
	}
	instances.Unlock()
	var errs []error
	for _, in := range all {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}

// Create makes an instance and sets it up. Nothing is recorded before Start. The caller must close
// it. Errors are *fs.PathError, or name a part of the Config that the kernel does not support.
func Create(c Config) (*Instance, error) {
	root := c.Root
	if root == "" {
		var err error
		if root, err = Mount(); err != nil {
			return nil, err
		}
	} else if !supported {
		return nil, fmt.Errorf("tracefs: %w: it needs Linux", errors.ErrUnsupported)
	}
	if c.Name == "" {
		c.Name = prefix
	}
	if c.Delay == 0 {
		c.Delay = record.DefaultDelay
	}
	if c.Ahead == 0 {
		c.Ahead = DefaultAhead
	}
	me, err := self()
	if err != nil {
		return nil, err
	}
	in := &Instance{root: root, config: c, dir: filepath.Join(root, "instances", me.name(c.Name, int(count.Add(1))))}
	if in.wake, err = newWaker(); err != nil {
		return nil, err
	}
	if err := os.Mkdir(in.dir, 0o750); err != nil {
		in.wake.close()
		return nil, err
	}
	instances.Lock()
	if instances.all == nil {
		instances.all = map[*Instance]bool{}
	}
	instances.all[in] = true
	instances.Unlock()
	if err := in.setUp(); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// Dir returns the directory of the instance.
func (in *Instance) Dir() string { return in.dir }

// CPUs returns the processors with a buffer, in ascending order.
func (in *Instance) CPUs() []int { return slices.Clone(in.cpus) }

// PageSize returns the size of a sub-buffer, in bytes.
func (in *Instance) PageSize() int { return in.pageSize }

// Start begins to record.
func (in *Instance) Start() error { return in.write("tracing_on", "1") }

// Stop ends the recording. Recorded data can still be read: walks end after them. A second call
// does nothing.
func (in *Instance) Stop() error {
	if !in.stopped.CompareAndSwap(0, time.Now().UnixNano()) {
		return nil
	}
	err := in.write("tracing_on", "0")
	in.stopped.Store(time.Now().UnixNano())
	in.wake.wake()
	return err
}

// settling is the time that the kernel may take after Stop to complete events. It may be in the
// middle of one on another processor.
const settling = 10 * time.Millisecond

// ended reports whether the recording is complete: a read after now finds the last data.
func (in *Instance) ended(now time.Time) bool {
	at := in.stopped.Load()
	return at != 0 && now.Sub(time.Unix(0, at)) >= settling
}

// Open opens the data of the instance as a recording, for decoders and readers like any other. The
// end of ctx stops the recording. Only one recording may be open at a time. The caller must close
// it before the instance. Errors are the errors of ftrace.OpenLive.
func (in *Instance) Open(ctx context.Context, opts ...ftrace.OpenOption) (*ftrace.Recording, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return nil, os.ErrClosed
	}
	if in.feed == nil {
		f, err := newFeed(in)
		if err != nil {
			return nil, err
		}
		in.feed = f
	}
	rec, err := ftrace.OpenLive(tree{in}, in.root, in.feed, opts...)
	if err == nil {
		in.release = append(in.release, context.AfterFunc(ctx, func() { in.Stop() })) // the walk reports its error
	}
	return rec, err
}

// Mark writes a text into the instance, as events of print.
func (in *Instance) Mark(text string) error { return in.write("trace_marker", text) }

// Close stops the recording if necessary. It removes the instance with all unread data. Walks end.
// A second call does nothing.
func (in *Instance) Close() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return nil
	}
	in.closed = true
	for _, stop := range in.release {
		stop()
	}
	in.Stop()
	if in.feed != nil {
		in.feed.close()
	}
	err := in.remove()
	in.wake.close()
	instances.Lock()
	delete(instances.all, in)
	instances.Unlock()
	return err
}

// remove removes the directory. The kernel refuses this while any process has a file of it open,
// such as a reader of its trace.
func (in *Instance) remove() (err error) {
	in.append("current_tracer", "nop")
	for wait := time.Millisecond; wait < time.Second; wait *= 2 {
		if err = os.Remove(in.dir); err == nil || os.IsNotExist(err) {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("instance %s is left over: %w", filepath.Base(in.dir), err)
}

// write writes a file of the instance.
func (in *Instance) write(name, text string) error {
	return os.WriteFile(filepath.Join(in.dir, name), []byte(text), 0)
}

// append writes a file to which each line is added. os.WriteFile would clear it first.
func (in *Instance) append(name, text string) error {
	f, err := os.OpenFile(filepath.Join(in.dir, name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// read reads a file of the instance, without the line end.
func (in *Instance) read(name string) string {
	text, err := os.ReadFile(filepath.Join(in.dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Stats are the kernel's counters of a processor's buffer (per_cpu/cpuN/stats).
type Stats struct {
	CPU     int
	Entries int64 // in the buffer: not read, not lost
	Lost    int64 // overwritten before they were read, or dropped
	Bytes   int64 // in the buffer
	Read    int64 // events
	Text    string
}

// Stats returns the kernel's counters by processor.
func (in *Instance) Stats() (list []Stats) {
	for _, cpu := range in.cpus {
		s := Stats{CPU: cpu, Text: in.read(fmt.Sprintf("per_cpu/cpu%d/stats", cpu))}
		for line := range strings.Lines(s.Text) {
			name, value, _ := strings.Cut(line, ":")
			n, _ := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			switch name {
			case "entries":
				s.Entries = n
			case "overrun", "dropped events", "commit overrun":
				s.Lost += n
			case "bytes":
				s.Bytes = n
			case "read events":
				s.Read = n
			}
		}
		list = append(list, s)
	}
	return list
}
