package ftrace

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// Recording is an open recording. Its methods may be called from several goroutines, and its
// streams may run in parallel. Close must come after all of them.
type Recording struct {
	info    Info
	order   binary.ByteOrder
	layout  layout
	noTask  *taskless
	formats []*Format
	buffers []*Buffer
	codec   codec
	sources []*source  // to close
	opening sync.Mutex // guards the sources of files that are followed
	dir     fs.FS      // of a snapshot

	closed atomic.Bool
	damage damage.Log
	memory *memory.Budget

	index index.Beside
	work  sync.WaitGroup // goroutines that read ahead of streams

	led   sections
	texts texts
	grow  growth
	pool  pool
}

// Buffer is one ring buffer: the top one or an instance.
type Buffer struct {
	Name     string // "" for the top buffer
	Clock    string // "" if not recorded
	PageSize int    // size of a sub-buffer, in bytes
	CPUs     []CPU  // all recorded CPUs, with or without data

	rec      *Recording
	dir      string // of a snapshot
	layout   layout
	packed   bool    // CPU data are compressed
	moved    int64   // distance of the data from the place where the recorder put them
	searched bool    // the data were found without a table
	text     *cursor // of a latency recording
}

// A CPU is one processor's data in a buffer: Size bytes at Offset of its file, as recorded. For
// compressed data, this is the packed size.
type CPU struct {
	ID           int
	Offset, Size int64

	src   *source
	avail int64 // number of the Size bytes that are in the file and that no other CPU claims
	limit int64 // limit in its file, where the data of the next CPU begin
}

// Info returns the properties of the recording. It belongs to the recording.
func (r *Recording) Info() *Info { return &r.info }

// Machine implements record.Recording.
func (r *Recording) Machine() record.Machine {
	i := &r.info
	m := record.Machine{BigEndian: i.ByteOrder == binary.BigEndian, WordSize: i.WordSize, CPUs: i.CPUs,
		Clock: i.TraceClock}
	m.Ticks = ticks(i.TraceClock) && i.TSC == nil
	// With a DATE, times are wall-clock times: see StreamOptions. tai is 37 seconds ahead of UTC,
	// but the kernel may not know that.
	m.HasWall = i.Date != 0 && !m.Ticks
	if m.HasWall {
		m.Date = time.Unix(0, i.Date).UTC()
	}
	if f := strings.Fields(i.Uname); len(f) == 4 { // trace-cmd's option: sysname, nodename, release, machine
		m.System, m.Host, m.Release, m.Arch = f[0], f[1], f[2], f[3]
	}
	return m
}

// ticks reports whether a clock has a unit other than nanoseconds (kernel/trace/trace.c,
// trace_clocks: the clocks whose in_ns is 0).
func ticks(clock string) bool {
	switch clock {
	case "counter", "uptime", "x86-tsc", "ppc-tb", "s390-tod":
		return true
	}
	return false
}

// Ticks reports whether the times of the buffer are whole units of a clock rather than nanoseconds.
func (b *Buffer) Ticks() bool {
	return ticks(cmp.Or(b.Clock, b.rec.info.TraceClock)) && b.rec.info.TSC == nil
}

// Buffers returns the top buffer and then the instances in file order.
func (r *Recording) Buffers() []*Buffer { return r.buffers }

// Streams returns the streams of all buffers. Their order decides between records of equal time.
func (r *Recording) Streams(opts StreamOptions) []record.Stream[record.None] {
	var streams []record.Stream[record.None]
	for _, b := range r.buffers {
		streams = append(streams, b.Streams(opts)...)
	}
	return streams
}

// Merge begins to read the records of all buffers in time order.
func (r *Recording) Merge(opts StreamOptions) *record.Merger[record.None] {
	return record.Merge(r.Streams(opts), nil)
}

// Close closes all files, as described at [record.Recording].
func (r *Recording) Close() error {
	r.closed.Store(true)
	r.work.Wait()
	var errs []error
	for _, s := range r.sources {
		errs = append(errs, s.Close())
	}
	r.sources = nil
	return errors.Join(errs...)
}

// maxFormat bounds one format. The longest ones have 10 KB.
const maxFormat = 1 << 20

// addFormat adds a format that has at least a name and an id.
func (r *Recording) addFormat(system, text string, c *cursor) {
	f, ok := parseFormat(system, text)
	if ok {
		if err := r.charge(int64(len(f.Fields)) * fieldSize); err != nil {
			d := c.src.fail(c.off, "memory for the fields of "+system+":"+f.Name, err)
			d.Skipped = int64(len(text))
			r.damage.Add(d, c.off)
			return
		}
	}
	if !ok {
		d := c.src.fail(c.off, "a format with name and ID in system "+system, ErrCorrupt)
		d.Skipped = int64(len(text))
		r.damage.Add(d, c.off)
		return
	}
	r.formats = append(r.formats, f)
}

// finish computes everything that depends on the complete metadata, and checks the CPU tables.
func (r *Recording) finish() {
	// Formats of the ring buffer's own events come first, in any order of sections.
	slices.SortStableFunc(r.formats, func(a, b *Format) int {
		return system(a) - system(b)
	})
	if err := r.layout.bindCommon(r.formats); err != nil {
		r.damage.Add(&Damage{File: r.info.Name, Want: "common fields of an event", Err: err}, 0)
	}
	r.noTask = newTaskless(r.formats)
	r.info.WordSize = r.layout.word
	suspect := r.suspect()
	for _, b := range r.buffers {
		b.rec = r
		l := b.layout
		if l.word == 0 {
			l = r.layout
		}
		l.big = r.layout.big
		l.typeOff, l.typeSize, l.pidOff, l.pidSize = r.layout.typeOff, r.layout.typeSize, r.layout.pidOff,
			r.layout.pidSize
		b.layout = l
		if suspect && !b.searched {
			b.settle()
		}
		for i := range b.CPUs {
			b.checkCPU(&b.CPUs[i])
		}
		b.checkPageSize()
	}
	r.separate()
	r.pool.share = r.shareOut()
}

func system(f *Format) int {
	if f.System == "ftrace" {
		return 0
	}
	return 1
}

// checkCPU computes how much of a CPU's data is in the file.
func (b *Buffer) checkCPU(c *CPU) {
	c.limit = c.src.size
	c.avail = max(0, min(c.Size, c.src.size-c.Offset))
	if c.avail < c.Size {
		b.rec.damage.Add(&Damage{
			File: c.src.name, Offset: c.Offset, Part: b.part(c.ID), Skipped: c.Size - c.avail,
			Want: fmt.Sprintf("%d bytes of CPU data", c.Size), Err: ErrTruncated,
		}, 1)
	}
}

// cpuData reads the offset and the size of a CPU's data. Impossible values leave an empty CPU.
func (r *Recording) cpuData(c *cursor, id int) CPU {
	at := *c
	if err := r.charge(cpuSize); err != nil {
		c.fail("memory for one more CPU", err)
		return CPU{ID: id}
	}
	cpu := CPU{ID: id, Offset: int64(c.u64("offset of CPU data")), Size: int64(c.u64("size of CPU data"))}
	if cpu.Offset < 0 || cpu.Size < 0 {
		at.fail("offset and size of CPU data", ErrCorrupt)
		at.err.Part = cpuPart(id)
		r.note(&at)
		cpu.Offset, cpu.Size = 0, 0
	}
	return cpu
}

// checkPageSize determines the size of a sub-buffer. Normally the size in the file is right: if a
// recorder reads less than a sub-buffer, the kernel delivers smaller pages. But recorders older
// than Linux 6.8's larger sub-buffers wrote the machine's page size and copied whole sub-buffers.
// The first page then claims more bytes than a page of the recorded size can hold.
func (b *Buffer) checkPageSize() {
	whole := b.layout.data + b.layout.capacity
	if !validPageSize(whole) {
		return
	}
	if b.PageSize > b.layout.data && (whole <= b.PageSize || b.packed) {
		return
	}
	for i := range b.CPUs {
		c := &b.CPUs[i]
		if c.avail < int64(whole) || b.layout.capacity == 0 {
			continue
		}
		head, err := c.src.view(c.Offset, int64(b.layout.data), nil)
		if err == nil && (b.PageSize <= b.layout.data || b.layout.committed(head) > b.PageSize-b.layout.data) {
			b.PageSize = whole
			return
		}
	}
}
