package ftrace

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// A Feed is a recording kernel, from which a live recording gets its sub-buffers. Package tracefs
// implements it.
type Feed interface {
	// CPUs returns the processors, in ascending order.
	CPUs() []int
	// Next returns the next sub-buffers of a processor, and the time when they had been read. They
	// are whole, and valid until the next call for the processor. The error is record.ErrPending if
	// there are none yet, and io.EOF after the last one.
	Next(cpu int) (data []byte, seen time.Time, err error)
	// Live returns the rules by which streams are merged.
	Live() *record.Live
}

// OpenLive opens the recording of a kernel while it is made. The name is for messages. The
// directory dir is laid out as tracefs. Formats and other descriptions of events are read at once,
// names of threads repeatedly. Walks by time or by stream may begin at any time, as in all
// recordings. Records that one walk has read are not available to the next one: use one walk at a
// time. Streams grow, see record.Growing. They end with the feed or with a time window.
func OpenLive(dir fs.FS, name string, feed Feed, opts ...OpenOption) (*Recording, error) {
	cfg := config(opts)
	r := &Recording{memory: memory.New(cfg.memory), dir: dir, grow: growth{feed: feed}}
	r.info.Name = name
	var err error
	if r.info.HeaderPage, err = r.readText("events/header_page"); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: no tracefs: %w", ErrFormat, err)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r.order = binary.LittleEndian
	r.layout.big = binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	if cfg.order != nil {
		r.layout.big = cfg.order.String() == binary.BigEndian.String()
	}
	if r.layout.big {
		r.order = binary.BigEndian
	}
	r.info.ByteOrder = r.order
	if err := r.describe(cfg.formats); err != nil {
		return nil, err
	}
	r.texts.cmdlines = func() (string, error) { return r.grow.threads.text(r), nil }
	r.texts.kallsyms = func() (string, error) { return r.readWhole("kallsyms") }
	r.texts.btf = func() (string, error) {
		text, err := r.readWhole(btf.Vmlinux(r.dir))
		if errors.Is(err, fs.ErrNotExist) { // the kernel was built without it
			err = nil
		}
		return text, err
	}
	b := &Buffer{Clock: clockName(r.optional("trace_clock")), PageSize: r.info.PageSize}
	for _, id := range feed.CPUs() {
		src := memorySource(r.fileName(fmt.Sprintf("per_cpu/cpu%d/trace_pipe_raw", id)), nil)
		b.CPUs = append(b.CPUs, CPU{ID: id, src: src})
		r.info.CPUs = max(r.info.CPUs, id+1)
	}
	r.buffers, r.info.TraceClock = []*Buffer{b}, b.Clock
	if text := r.optional("last_boot_info"); text != "" {
		r.addLastBoot("", text)
		r.info.Modules = r.optional("modules")
	}
	r.finish()
	return r, nil
}

// readWhole reads the text of a file that does not report its size and may be long.
func (r *Recording) readWhole(name string) (string, error) {
	f, err := r.dir.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	if _, err := io.Copy(&b, io.LimitReader(f, maxText)); err != nil {
		return "", err
	}
	return b.String(), r.memory.Take(int64(b.Len()))
}

// grows reports whether the recording is read while it is made.
func (g *growth) grows() bool { return g.feed != nil || g.watch != nil }

// Live returns the rules by which the streams of a growing recording are merged. For other
// recordings it returns nil.
func (r *Recording) Live() *record.Live {
	switch {
	case r.grow.feed != nil:
		return r.grow.feed.Live()
	case r.grow.watch != nil:
		return r.grow.watch.Live(context.Background())
	}
	return nil
}

// fed is the data of a processor of a recording kernel.
type fed struct {
	feed Feed
	cpu  int
	off  int64 // bytes before the block
	size int64 // of the block
	seen time.Time
}

// next implements blocks.
func (f *fed) next() (data []byte, off int64, err error) {
	f.off, f.size = f.off+f.size, 0
	data, seen, err := f.feed.Next(f.cpu)
	if err != nil {
		return nil, f.off, err
	}
	f.size, f.seen = int64(len(data)), seen
	return data, f.off, nil
}

// seek implements blocks. Earlier data are gone.
func (f *fed) seek(func(head []byte) bool) {}

// Live implements record.Growing.
func (s *stream) Live() *record.Live { return s.live }

// Seen implements record.Growing.
func (s *stream) Seen() time.Time {
	switch b := s.blocks.(type) {
	case *fed:
		return b.seen
	case *appended:
		return b.file.Seen()
	}
	return time.Time{}
}

// liveNames holds the names of the threads of a recording kernel. The kernel soon forgets most of
// them (saved_cmdlines_size), so they are collected.
type liveNames struct {
	mu    sync.RWMutex
	read  time.Time // time of the last read
	took  time.Duration
	comms map[int32]string
	tgids map[int32]int
	none  map[int32]bool // threads that were looked up since, but have no name
}

// namesAge is the maximum age of names. A new thread, or a thread that has executed another
// program, has a new name.
const namesAge = 100 * time.Millisecond

// refresh reads the names again if they are old.
func (n *liveNames) refresh(r *Recording) { n.readAgain(r, func() time.Duration { return namesAge }) }

// soon returns the maximum age of names for a thread without a name. It limits the share of time
// spent on reading names.
func (n *liveNames) soon() time.Duration { return min(namesAge, 20*n.took) }

// readAgain reads the names again if they are older than the result of oldest.
func (n *liveNames) readAgain(r *Recording, oldest func() time.Duration) {
	n.mu.RLock()
	age := oldest()
	fresh := time.Since(n.read) < age
	n.mu.RUnlock()
	if fresh || r.closed.Load() {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	begin := time.Now()
	if begin.Sub(n.read) < age { // another goroutine has read them
		return
	}
	if n.comms == nil {
		n.comms, n.tgids = map[int32]string{}, map[int32]int{}
	}
	comms, tgids := parseCmdlines(r.passing("saved_cmdlines")), parseCmdlines(r.passing("saved_tgids"))
	if len(n.comms) < maxNames && r.memory.Take(int64(n.strange(comms))*nameSize) == nil {
		maps.Copy(n.comms, comms)
	}
	n.tgids, n.none = tgidsOf(tgids), nil
	n.read = time.Now()
	n.took = n.read.Sub(begin)
}

// strange returns the number of threads in comms that are not known yet.
func (n *liveNames) strange(comms map[int32]string) (count int) {
	for pid := range comms {
		if _, ok := n.comms[pid]; !ok {
			count++
		}
	}
	return count
}

// passing reads a text that is not kept.
func (r *Recording) passing(name string) string {
	text, took, err := r.readLent(name) // files of tracefs report size 0, so no memory is taken
	r.missing(name, err)
	r.memory.Give(took)
	return text
}

// comm returns the name of a thread. The kernel saves the name when the thread leaves its
// processor, which is after its first events. Until then, only the thread itself has the name. If a
// thread has ended meanwhile, its name has been saved.
func (n *liveNames) comm(r *Recording, pid int32) (name string, ok bool) {
	n.refresh(r)
	name, ok, none := n.known(pid)
	if ok || none || pid == 0 {
		return name, ok
	}
	if name, ok = n.ofThread(r, pid); ok {
		return name, ok
	}
	n.mu.RLock()
	age := time.Duration(0)
	if len(n.none) > 0 { // the previous read did not help
		age = n.soon()
	}
	n.mu.RUnlock()
	n.readAgain(r, func() time.Duration { return age })
	if name, ok, _ = n.known(pid); !ok {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.none == nil {
			n.none = map[int32]bool{}
		}
		if len(n.none) < maxNames {
			n.none[pid] = true
		}
	}
	return name, ok
}

// ofThread returns the current name of a thread and keeps it until the kernel has saved a name.
func (n *liveNames) ofThread(r *Recording, pid int32) (name string, ok bool) {
	if r.closed.Load() { // names may never have been read
		return "", false
	}
	text, took, err := r.readLent(fmt.Sprintf("proc/%d/comm", pid))
	r.memory.Give(took)
	if name = strings.TrimSuffix(text, "\n"); err != nil || name == "" {
		return "", false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.comms) < maxNames && r.memory.Take(nameSize) == nil {
		n.comms[pid] = name
	}
	return name, true
}

func (n *liveNames) known(pid int32) (name string, ok, none bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	name, ok = n.comms[pid]
	return name, ok, n.none[pid]
}

func (n *liveNames) tgid(r *Recording, pid int32) (tgid int, ok bool) {
	n.refresh(r)
	n.mu.RLock()
	defer n.mu.RUnlock()
	tgid, ok = n.tgids[pid]
	return tgid, ok
}

// each calls fn for every thread, by id.
func (n *liveNames) each(r *Recording, fn func(pid int32, comm string)) {
	n.readAgain(r, n.soon)
	n.mu.RLock()
	known := maps.Clone(n.comms)
	n.mu.RUnlock()
	for _, pid := range slices.Sorted(maps.Keys(known)) {
		fn(pid, known[pid])
	}
}

// text returns all names in the format of saved_cmdlines.
func (n *liveNames) text(r *Recording) string {
	var b strings.Builder
	n.each(r, func(pid int32, comm string) { fmt.Fprintf(&b, "%d %s\n", pid, comm) })
	return b.String()
}
