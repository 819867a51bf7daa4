package uftrace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/record"
)

// following is the additional state of a followed recording.
type following struct {
	live     *record.Live   // of the latest walk
	known    map[int32]bool // threads of the walks
	loaded   *moduleSet
	taskFile *growing.File
	taskRead int64 // number of bytes read from task.txt
	news     int   // number of lines of task.txt read since the recording was opened
	listed   time.Time
}

// ends reports whether an error means the end of a file.
func ends(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, record.ErrReplaced) }

// await waits until a followed recording has a thread with a record and its threads are known.
func (r *Recording) await() error {
	if r.config.follow == nil {
		return nil
	}
	r.watch = growing.New(*r.config.follow)
	r.watch.Directory(r.dir, r.name)
	return r.watch.Await(context.Background(), func() (bool, error) {
		list, err := fs.ReadDir(r.dir, ".")
		if err != nil {
			return false, err
		}
		for _, e := range list {
			if tidOf(e.Name()) < 0 {
				continue
			}
			if st, err := fs.Stat(r.dir, e.Name()); err == nil && st.Size() >= recordSize {
				return true, nil
			}
		}
		return false, nil
	})
}

// Follows reports whether the recording is read while it is made.
func (r *Recording) Follows() bool { return r.watch != nil }

// last returns the error that ends streams.
func (r *Recording) last() error {
	if r.watch != nil {
		return r.watch.End()
	}
	return io.EOF
}

// walk begins a walk of streams that grow.
func (r *Recording) walk(o *record.Options) {
	if r.watch != nil {
		r.live = r.watch.Live(o.Context)
	}
}

// knownThreads returns the threads whose events in files of processors are read: threads that have
// a file, or may get one.
func (r *Recording) knownThreads() map[int32]bool {
	if r.watch == nil {
		known := map[int32]bool{}
		for _, t := range r.threads.list {
			known[t.TID] = true
		}
		return known
	}
	if r.known == nil {
		r.known = map[int32]bool{}
		for tid := range r.threads.byTID {
			r.known[tid] = true
		}
	}
	return r.known
}

// wholeLines cuts off a last line that is incomplete, and frees its memory.
func (r *Recording) wholeLines(text []byte) []byte {
	if r.watch == nil || r.watch.Ended() {
		return text
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	r.memory.Give(int64(len(text) - len(whole)))
	return whole
}

// refresh reads the new lines of task.txt.
func (r *Recording) refresh() {
	if r.taskFile == nil {
		if r.threads.old {
			return
		}
		f, err := r.watch.Open(r.dir, "task.txt", r.name+"/task.txt", false)
		if err != nil { // the file is missing, which has been reported
			return
		}
		r.taskFile = f
		r.opened.mu.Lock()
		r.opened.files[&file{r: r, name: "task.txt", grow: f}] = true
		r.opened.mu.Unlock()
	}
	n, err := r.taskFile.More(r.taskRead)
	if err != nil || r.memory.Take(n) != nil {
		return
	}
	text := make([]byte, n)
	m, _ := r.taskFile.ReadAt(text, r.taskRead)
	r.memory.Give(n - int64(m))
	before := len(r.threads.events)
	if text = r.wholeLines(text[:m]); len(text) == 0 {
		return
	}
	r.parseTaskText(text)
	r.news++
	r.list()
	modules := len(r.progs.modules)
	for i := before; i < len(r.threads.events); i++ {
		r.apply(&r.threads.events[i])
	}
	r.describe(modules)
}

// list looks for new files.
func (r *Recording) list() {
	r.listed = time.Now()
	list, _ := fs.ReadDir(r.dir, ".") // an unreadable directory counts as empty
	for _, e := range list {
		if !e.IsDir() {
			r.files[e.Name()] = true
		}
	}
}

// apply applies a line of task.txt.
func (r *Recording) apply(e *TaskEvent) {
	switch e.Type {
	case "SESS":
		s := &Session{ID: e.Session, PID: e.PID, Start: e.Time, Exe: e.Name, kernel: r.progs.kernel,
			absolute: r.info.Features&FeatSymRelAddr == 0 && !r.info.Missing}
		r.progs.sessions = append(r.progs.sessions, s)
		r.progs.images[s.PID] = append(r.progs.images[s.PID], s)
		slices.SortStableFunc(r.progs.images[s.PID], func(a, b *Session) int { return cmp.Compare(a.Start, b.Start) })
		r.progs.paths[s.Exe] = true
		r.readMap(s, r.loaded)
	case "DLOP":
		for _, s := range slices.Backward(r.progs.sessions) {
			if s.ID == e.Session {
				s.Libs = append(s.Libs, Library{Time: e.Time, Base: e.Base, Module: r.loaded.get(e.Name, "")})
				slices.SortStableFunc(s.Libs, func(a, b Library) int { return cmp.Compare(a.Time, b.Time) })
				return
			}
		}
	default:
		r.addTask(e)
		if t := r.threads.byTID[e.TID]; t != nil {
			r.threads.adopt(t)
			t.nameAfterProgram()
			r.knownThreads()[t.TID] = true
		}
	}
}

// describe loads new modules, as Open does.
func (r *Recording) describe(from int) {
	if from == len(r.progs.modules) {
		return
	}
	modules, symbols := r.progs.modules, r.progs.symbols
	r.progs.modules, r.progs.symbols = modules[from:], nil
	for _, m := range r.progs.modules {
		for _, s := range m.Symbols {
			s.Index = int32(len(symbols) + len(r.progs.symbols))
			r.progs.symbols = append(r.progs.symbols, s)
		}
	}
	evaluate(r)
	r.progs.measure()
	r.progs.modules, r.progs.symbols = modules, append(symbols, r.progs.symbols...)
}

// newcomer is the stream of all threads that appear later, as a Reader.
type newcomer struct{ record.Stream[Entry] }

// File implements Reader.
func (newcomer) File() string { return "" }

// Unwrap returns the stream itself.
func (n newcomer) Unwrap() any { return n.Stream }

// newcomers returns a stream of the threads whose files appear later.
func (r *Recording) newcomers(opts *MergeOptions, shared *views) Reader {
	o := opts.Options
	met := map[int32]bool{}
	for _, t := range r.threads.list {
		met[t.TID] = true
	}
	processors := map[string]bool{}
	for _, name := range r.processorFiles() {
		processors[name] = true
	}
	return newcomer{growing.Newcomers(o.Context, r.watch, r.expects, func() (list []record.Stream[Entry]) {
		r.refresh()
		r.list()
		for _, tid := range r.fileTIDs() {
			if met[tid] || len(r.config.tids) > 0 && !slices.Contains(r.config.tids, tid) {
				continue
			}
			met[tid] = true
			t := r.arrive(tid)
			if o.HasTask(tid) && o.CPUs == nil {
				s := r.newStream(t, shared, len(r.threads.list))
				s.file = r.openStream(t.File, len(r.threads.list) > manyFiles)
				s.choose(&o)
				list = append(list, s)
			}
		}
		return append(list, r.lateProcessors(opts, processors)...)
	})}
}

// expects reports whether files may appear with records older than those already read. That is
// possible while the threads are unknown, and until each thread and each recorded processor has its
// file.
func (r *Recording) expects() bool {
	if len(r.info.TIDs) == 0 {
		return true
	}
	for _, tid := range r.info.TIDs {
		if !r.files[recordFile(tid)] {
			return true
		}
	}
	online, _, _ := strings.Cut(r.info.CPUs, " ") // "2 / 4 (online/possible)"
	processors, _ := strconv.Atoi(online)         // 0 if not recorded
	return r.info.Features&FeatPerfEvent != 0 && len(r.perfFiles()) < processors ||
		r.info.Features&FeatKernel != 0 && len(r.kernelCPUs()) < processors
}

// lateProcessors returns streams of the files of processors that are not in met.
func (r *Recording) lateProcessors(opts *MergeOptions, met map[string]bool) (list []record.Stream[Entry]) {
	names := r.processorFiles()
	if !slices.ContainsFunc(names, func(name string) bool { return !met[name] }) {
		return nil
	}
	add := func(s source, reader Reader) {
		if met[s.File()] {
			s.close()
			return
		}
		list = append(list, reader)
	}
	if !opts.NoPerf {
		for _, s := range r.perfStreams(opts) {
			add(s, s)
		}
	}
	if !opts.NoKernel {
		for _, s := range r.kernelSources(opts.EarlyGaps) {
			add(s, opts.chosen(s))
		}
	}
	for _, name := range names {
		met[name] = true
	}
	return list
}

// processorFiles returns the existing files of processors.
func (r *Recording) processorFiles() []string {
	names := r.perfFiles()
	for _, cpu := range r.kernelCPUs() {
		names = append(names, kernelFile(cpu))
	}
	return names
}

// arrive adds a thread whose file has appeared.
func (r *Recording) arrive(tid int32) *Task {
	t := r.threads.byTID[tid]
	if t == nil {
		t = &Task{TID: tid, PID: tid, PPID: -1}
		r.threads.byTID[tid] = t
	}
	r.knownThreads()[tid] = true
	if !slices.Contains(r.threads.list, t) {
		t.File = recordFile(tid)
		r.threads.list = append(r.threads.list, t)
		if len(t.sessions) == 0 && t.PPID < 0 && len(r.progs.sessions) > 0 {
			t.sessions = []sessionRef{{to: math.MaxUint64, session: r.imageOf(t)}}
			t.nameAfterProgram()
		}
	}
	return t
}

// readOn reads the available bytes of a followed file, if there are at least least of them.
func (f *file) readOn(p []byte, off, least int64) (int, error) {
	if f.grow == nil {
		if f.r.opened.isClosed() {
			return 0, fs.ErrClosed
		}
		grow, err := f.r.watch.Open(f.r.dir, f.name, f.r.name+"/"+f.name, false)
		if err != nil {
			return 0, err
		}
		f.grow = grow
		f.r.opened.mu.Lock()
		f.r.opened.files[f] = true
		f.r.opened.mu.Unlock()
	}
	have, err := f.grow.Need(off, least)
	if err == record.ErrPending || have == 0 && err != nil {
		return 0, err
	}
	p = p[:min(int64(len(p)), have)]
	if have >= least && least > 1 {
		p = p[:int64(len(p))/least*least]
	}
	return f.grow.ReadAt(p, off)
}

// seen returns the time when the bytes that were read were seen in the file.
func (f *file) seen() time.Time {
	if f.grow != nil {
		return f.grow.Seen()
	}
	return time.Time{}
}

// goOn prepares a followed stream to continue reading. It returns false if it cannot yet.
func (s *Stream) goOn() bool {
	s.grow.pending = false
	if s.in.pos == len(s.in.buf) {
		s.r.refresh() // before the record that it describes
	}
	if s.grow.news != s.r.news {
		s.grow.news, s.addr.from, s.addr.to, s.addr.cache = s.r.news, 0, 0, nil
	}
	if s.grow.gap != nil {
		s.leave(*s.grow.gap)
	}
	return s.grow.gap == nil
}

// Live implements record.Growing.
func (s *Stream) Live() *record.Live { return s.grow.live }

// Seen implements record.Growing.
func (s *Stream) Seen() time.Time { return s.file.seen() }

// Live implements record.Growing.
func (s *perfStream) Live() *record.Live { return s.live }

// Seen implements record.Growing.
func (s *perfStream) Seen() time.Time { return s.file.seen() }

// Live implements record.Growing.
func (s *KernelStream) Live() *record.Live { return s.live }

// Seen implements record.Growing.
func (s *KernelStream) Seen() time.Time { return s.file.seen() }

// readPages reads pages. As long as the file grows, it reads only whole pages.
func (s *KernelStream) readPages(p []byte) (int, error) {
	if s.live == nil {
		return s.file.readAt(p, s.in.off)
	}
	if s.file.closed {
		return 0, fs.ErrClosed
	}
	return s.file.readOn(p, s.in.off, int64(s.pages.PageSize()))
}
