package uftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	kernelBlock = 64 << 10 // bytes read at once, but at least a page
	kernelBatch = 64
)

// KernelStream yields the records of one kernel-cpuN.dat for the recording's threads. Calls and
// returns of kernel functions are Enter and Leave. Tracepoints are Event, with the whole ftrace
// record as Data. Losses are Lost. Events of other threads are left out.
type KernelStream struct {
	r     *Recording
	file  *file
	cpu   int32
	pages *ftrace.RawPages
	order binary.ByteOrder
	known map[int32]bool
	lease *memory.Lease

	page int64 // offset of the current page, or -1

	started bool
	early   bool // see MergeOptions.EarlyGaps
	skipped hole

	cache [64]kernelSymbol

	live    *record.Live // nil if the recording is not followed
	pending bool         // no more has been written yet
	in      input
	ext     extension
	out     kernelOutput
}

type kernelSymbol struct {
	addr uint64
	sym  *Symbol
}

// KernelStreams begins to read the kernel's files, in the order of the processors.
func (r *Recording) KernelStreams() []*KernelStream {
	h := &r.meta.kernelHead
	cpus := r.kernelCPUs()
	if h.formats == nil || len(cpus) == 0 {
		if len(cpus) > 0 {
			r.damage.Note("kernel_header", 0, 0, fmt.Errorf("%w: kernel data cannot be read without it", ErrMissing))
		}
		return nil
	}
	known := r.knownThreads()
	var list []*KernelStream
	for _, cpu := range cpus {
		pages, err := ftrace.NewRawPages(h.headerPage, h.formats, h.bigEndian, h.long, h.pageSize)
		if err != nil {
			r.damage.Note("kernel_header", 0, 0, err)
			return nil
		}
		s := &KernelStream{r: r, file: r.openStream(kernelFile(cpu), len(cpus) > manyFiles), cpu: int32(cpu),
			pages: pages,
			order: binary.LittleEndian, known: known, page: -1, lease: r.memory.Lease(), live: r.live}
		runtime.AddCleanup(s, (*memory.Lease).End, s.lease)
		if h.bigEndian {
			s.order = binary.BigEndian
		}
		list = append(list, s)
	}
	return list
}

func kernelFile(cpu int) string { return "kernel-cpu" + strconv.Itoa(cpu) + ".dat" }

// kernelCPUs returns the processors that have a file.
func (r *Recording) kernelCPUs() (cpus []int) {
	for name := range r.files {
		num, ok := strings.CutSuffix(strings.TrimPrefix(name, "kernel-cpu"), ".dat")
		if cpu, err := strconv.ParseUint(num, 10, 16); ok && err == nil && kernelFile(int(cpu)) == name {
			cpus = append(cpus, int(cpu))
		}
	}
	slices.Sort(cpus)
	return cpus
}

func (r *Recording) kernelSources(earlyGaps bool) []source {
	var list []source
	for _, s := range r.KernelStreams() {
		s.early = earlyGaps
		list = append(list, s)
	}
	return list
}

// File returns the name of the file.
func (s *KernelStream) File() string { return s.file.name }

// Raw returns the i-th record of the last batch as it is in the file, including its header, and its
// offset. For Lost it returns nil.
func (s *KernelStream) Raw(i int) (offset int64, data []byte) { return s.out.offs[i], s.out.raws[i] }

// TimeExtend returns the time extend at the beginning of the file, if there is one: the time before
// it, and its length in ns. It is valid after the first call of Next.
func (s *KernelStream) TimeExtend() (time, ns uint64, ok bool) {
	return s.ext.time, s.ext.delta, s.ext.extended
}

func (s *KernelStream) close() {
	s.in.eof, s.in.buf, s.page, s.in.pos = true, nil, -1, 0
	s.out.recs, s.out.ents, s.out.raws, s.out.offs = nil, nil, nil, nil
	s.lease.End()
	s.file.close()
}

// Next implements record.Stream.
func (s *KernelStream) Next() (record.Batch[Entry], error) {
	if s.out.recs == nil {
		size := int64(max(kernelBlock/s.pages.PageSize(), 1) * s.pages.PageSize())
		if !s.r.claim(s.lease, s.file.name, 0, size+(kernelBatch+1)*(entryBytes+32)) {
			s.close()
			return record.Batch[Entry]{}, io.EOF
		}
		// A record with a loss before it becomes two records.
		s.out.recs, s.out.ents = make([]record.Record, 0, kernelBatch+1), make([]Entry, 0, kernelBatch+1)
		s.out.raws, s.out.offs = make([][]byte, 0, kernelBatch+1), make([]int64, 0, kernelBatch+1)
	}
	s.out.recs, s.out.ents, s.out.raws, s.out.offs = s.out.recs[:0], s.out.ents[:0], s.out.raws[:0], s.out.offs[:0]
	for len(s.out.recs) < kernelBatch {
		if s.page < 0 && !s.enter(len(s.out.recs) > 0) {
			break
		}
		rec := record.Record{CPU: s.cpu}
		from, to, ok, err := s.pages.Next(&rec)
		if err != nil {
			s.r.damage.Note(s.file.name, s.page+int64(from), int64(to-from), corrupt(err))
			s.skipped.add(record.LostUnknown)
		}
		if !ok {
			s.page = -1
			continue
		}
		s.take(rec, from, to)
	}
	if len(s.out.recs) == 0 && s.pending {
		s.pending = false
		return record.Batch[Entry]{}, record.ErrPending
	}
	if len(s.out.recs) == 0 {
		s.close()
		return record.Batch[Entry]{}, s.r.last()
	}
	return record.Batch[Entry]{Records: s.out.recs, Entries: s.out.ents}, nil
}

// enter moves to the next page. It returns false at the end of the file. If the batch points into
// the buffer, it also returns false at the end of the buffer.
func (s *KernelStream) enter(stay bool) bool {
	size := s.pages.PageSize()
	for {
		if s.in.pos >= len(s.in.buf) {
			if stay || s.in.eof || !s.fillBatch() {
				return false
			}
		}
		raw := s.in.buf[s.in.pos:min(s.in.pos+size, len(s.in.buf))]
		at := s.in.off + int64(s.in.pos)
		s.in.pos += len(raw)
		missing, err := s.pages.Enter(raw)
		if err != nil {
			s.r.damage.Note(s.file.name, at, int64(len(raw)), corrupt(err))
			s.skipped.add(record.LostUnknown)
			continue
		}
		if missing > 0 {
			s.r.damage.Note(s.file.name, at, int64(missing), fmt.Errorf("%w within a page", ErrTruncated))
		}
		if !s.started {
			s.started = true
			if s.ext.delta, s.ext.extended = s.pages.TimeExtend(); s.ext.extended {
				s.ext.time = s.pages.PageTime()
			}
		}
		s.page = at
		return true
	}
}

// corrupt converts the errors of ftrace pages to errors of this package.
func corrupt(err error) error {
	switch {
	case errors.Is(err, ftrace.ErrTruncated):
		return fmt.Errorf("%w within a page", ErrTruncated)
	case errors.Is(err, ftrace.ErrCorrupt):
		return fmt.Errorf("%w: a page of the kernel's ring buffer", ErrCorrupt)
	}
	return err
}

// fillBatch reads the next pages. Data of earlier records are then invalid.
func (s *KernelStream) fillBatch() bool {
	size := s.pages.PageSize()
	if s.in.buf == nil {
		s.in.buf = make([]byte, 0, max(kernelBlock/size, 1)*size)
	}
	s.in.off += int64(len(s.in.buf))
	s.in.pos = 0
	n, err := s.readPages(s.in.buf[:cap(s.in.buf)])
	s.in.buf = s.in.buf[:n]
	if s.pending = err == record.ErrPending; s.pending {
		return false
	}
	if err != nil && !ends(err) {
		s.r.damage.Note(s.file.name, s.in.off+int64(n), 0, err)
	}
	s.in.eof = err != nil || n < cap(s.in.buf) && s.live == nil
	return n > 0
}

// take adds a record, after the loss that it reports.
func (s *KernelStream) take(rec record.Record, from, to int) {
	e := Entry{Kind: Event, Source: Kernel, Addr: uint64(rec.ID), More: true}
	h, read := &s.r.meta.kernelHead, true
	switch {
	case h.enter != nil && rec.ID == h.enter.id:
		read = s.call(&rec, &e, Enter, h.enter)
	case h.leave != nil && rec.ID == h.leave.id:
		read = s.call(&rec, &e, Leave, h.leave)
	case !s.known[rec.Task]:
		rec.Task = s.owner(&rec)
	}
	lost := rec.Lost
	rec.Lost = 0
	if lost != 0 && len(s.r.threads.list) > 0 {
		gap := rec
		gap.ID, gap.Data, gap.Lost = NoSymbol, nil, lost
		if !s.known[gap.Task] {
			gap.Task = s.r.threads.list[0].TID // events of a processor are missing; their threads are unknown
		}
		s.add(gap, Entry{Kind: Lost, Source: Kernel, Addr: uint64(max(lost, 0))}, nil, s.page)
		if s.early {
			s.out.recs[len(s.out.recs)-1].Time = 0
			s.out.advance(len(s.out.recs) - 1)
		}
	}
	if s.known[rec.Task] {
		s.add(rec, e, s.in.buf[s.page-s.in.off:][from:to], s.page+int64(from))
	}
	if !read {
		s.skipped.add(record.LostUnknown)
	}
}

func (s *KernelStream) add(rec record.Record, e Entry, raw []byte, off int64) {
	s.skipped.mark(&rec)
	s.out.recs, s.out.ents = append(s.out.recs, rec), append(s.out.ents, e)
	s.out.raws, s.out.offs = append(s.out.raws, raw), append(s.out.offs, off)
}

// call reads a record of the function graph tracer. If the record is too short, it sets no thread
// and returns false.
func (s *KernelStream) call(rec *record.Record, e *Entry, kind Kind, g *graphFormat) bool {
	if len(rec.Data) < g.length {
		s.r.damage.Note(s.file.name, s.page, int64(len(rec.Data)),
			fmt.Errorf("%w: a call of %d bytes", ErrCorrupt, len(rec.Data)))
		rec.Task = -1
		return false
	}
	*e = Entry{Kind: kind, Source: Kernel, Addr: s.number(rec.Data[g.funcAt:], g.funcSize),
		Depth: uint16(s.number(rec.Data[g.depthAt:], g.depthSize))}
	rec.ID, rec.Data = NoSymbol, nil
	if e.Sym = s.symbol(e.Addr); e.Sym != nil {
		rec.ID = e.Sym.ID(kind)
	}
	return true
}

func (s *KernelStream) symbol(addr uint64) *Symbol {
	if s.r.progs.kernel == nil {
		return nil
	}
	c := &s.cache[addr*0x9e3779b97f4a7c15>>58]
	if c.addr != addr || c.sym == nil {
		c.addr = addr
		c.sym, _ = s.r.progs.kernel.find(addr)
	}
	return c.sym
}

// owner returns the thread of an event that another thread caused, such as a switch to it
// (uftrace.md 1.10).
func (s *KernelStream) owner(rec *record.Record) int32 {
	for _, f := range s.r.meta.kernelHead.pids[rec.ID] {
		if f.Offset+4 <= len(rec.Data) {
			if pid := int32(s.order.Uint32(rec.Data[f.Offset:])); s.known[pid] {
				return pid
			}
		}
	}
	return -1
}

// number reads an unsigned number of 1, 2, 4 or 8 bytes.
func (s *KernelStream) number(b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(s.order.Uint16(b))
	case 4:
		return uint64(s.order.Uint32(b))
	}
	return s.order.Uint64(b)
}
