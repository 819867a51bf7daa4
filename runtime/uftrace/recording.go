package uftrace

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/symbols/demangle"
)

// Option changes how a recording is read.
type Option func(*config)

type config struct {
	symbols  string
	demangle demangle.Form
	tids     []int32
	memory   int64
	follow   *record.Follow
	index    *string // see WithIndex; if nil, the file beside the recording
	path     string  // of the directory
	parts    int64   // of an index, in bytes; if 0, it is partBytes
}

// WithSymbols reads symbol files from another directory, like uftrace's --with-syms. Their paths
// may differ from the maps.
func WithSymbols(dir string) Option { return func(c *config) { c.symbols = dir } }

// WithTIDs limits the recording to these threads.
func WithTIDs(tids ...int32) Option { return func(c *config) { c.tids = tids } }

// WithMemory limits the memory of the recording, in bytes. The default is record.DefaultMemory.
// Data that need more are damage with ErrLimit.
func WithMemory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// WithFollow reads a recording that is still being made: see [record.Follow]. New lines of task.txt
// about threads, programs and libraries are read. Threads whose files appear later are included in
// merges, but not in Streams. The recorder writes the records of a thread when its buffer is full
// (128 KB) or the thread ends. So threads are in the order of time only with a Delay of that
// length. The recorder writes info last: before that, the arguments of a program have an unknown
// length. New lines of extern.dat are not read.
func WithFollow(f record.Follow) Option { return func(c *config) { c.follow = &f } }

// Recording is an open recording.
type Recording struct {
	config config
	name   string
	dir    fs.FS
	files  map[string]bool // names in dir
	info   Info
	damage damage.Log
	spare  spare
	memory *memory.Budget
	read   progress.Counter
	index  index.Beside

	defaults []string
	note     string

	watch *growing.Watch // nil if the recording is not followed
	following

	threads taskTable
	progs   programTable
	meta    eventTable
	opened  openFiles
}

// Open opens a directory.
func Open(dir string, opts ...Option) (*Recording, error) {
	st, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, fmt.Errorf("%s: %w: not a directory", dir, ErrFormat)
	}
	return OpenFS(folder.Open(dir), dir, append([]Option{WithPath(dir)}, opts...)...)
}

// OpenFS opens a directory of a file system, such as an unpacked archive; name is for messages.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	r := &Recording{
		name: name, dir: dir, files: map[string]bool{},
		threads: taskTable{byTID: map[int32]*Task{}},
		progs:   programTable{images: map[int32][]*Session{}},
		meta:    eventTable{user: map[uint32]string{}, tracepoints: map[uint32]string{}},
		opened:  openFiles{files: map[*file]bool{}},
	}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory = memory.New(r.config.memory)
	r.damage.Dir = name
	if err := r.await(); err != nil {
		return nil, err
	}
	list, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data := false
	for _, e := range list {
		switch isData := tidOf(e.Name()) >= 0; {
		case !e.IsDir():
			r.files[e.Name()] = true
			data = data || isData
		case isData:
			r.damage.Note(e.Name(), 0, 0, fmt.Errorf("%w: a directory with the name of a file of records", ErrCorrupt))
		}
	}
	if !r.files["info"] && !data {
		return nil, fmt.Errorf("%s: %w: neither an info file nor a file of records", name, ErrFormat)
	}
	if err := r.readInfo(); err != nil {
		return nil, damage.In(name, err)
	}
	if !data {
		r.missRecords()
	}
	r.readTexts()
	r.readTasks()
	if err := r.checkRecords(); err != nil {
		return nil, damage.In(name, err)
	}
	r.readModules()
	r.guessSessions()
	r.progs.indexSymbols()
	evaluate(r)
	r.progs.measure()
	r.useIndex()
	return r, nil
}

// missRecords reports if no thread listed in info has a file. A thread that called nothing has no
// file. If all threads lack one, uftrace rejects the recording ("No data available").
func (r *Recording) missRecords() {
	if len(r.info.TIDs) == 0 || r.config.follow != nil {
		return
	}
	r.damage.Note(recordFile(r.info.TIDs[0]), 0, 0,
		fmt.Errorf("%w, and no other thread that info names has one", ErrMissing))
}

// Position returns the number of bytes that the streams of the recording have read, and the number
// of bytes in their files. Any goroutine may call it.
func (r *Recording) Position() (done, total int64) { return r.read.Position() }

// Name returns the name under which the recording was opened.
func (r *Recording) Name() string { return r.name }

// FS returns the directory of the recording.
func (r *Recording) FS() fs.FS { return r.dir }

// Info returns the contents of the file info. Do not change it.
func (r *Recording) Info() *Info { return &r.info }

// Machine implements record.Recording. The clock is not recorded (uftrace.md 1).
func (r *Recording) Machine() record.Machine {
	online, _, _ := strings.Cut(r.info.CPUs, " ")
	cpus, err := strconv.Atoi(online)
	if err != nil || cpus < 0 {
		cpus = 0
	}
	m := record.Machine{BigEndian: r.info.BigEndian, WordSize: r.info.WordSize, CPUs: cpus, Host: r.info.Hostname}
	m.System, m.Release, _ = strings.Cut(r.info.Kernel, " ") // uname's sysname and release
	if date, err := time.Parse(time.ANSIC, r.info.RecordDate); err == nil {
		m.Date = date
	}
	// since 0.17: the difference of the wall clock and the monotonic clock
	if s := r.info.UTCOffset; s > 0 && s < math.MaxInt64/int64(time.Second) {
		m.HasWall, m.Wall = true, s*int64(time.Second)
	}
	return m
}

// DefaultOptions returns the options of default.opts. Analysis adds them: -t 1us.
func (r *Recording) DefaultOptions() []string { return r.defaults }

// Note returns the text of note.txt.
func (r *Recording) Note() string { return r.note }

// Tasks returns the threads with a file, in the order of the tids of info.
func (r *Recording) Tasks() []*Task { return r.threads.list }

// Threads returns the threads that info names, in its order, or the threads of Tasks if info names
// no thread. Unlike Tasks it includes threads that called nothing. Their File is empty.
func (r *Recording) Threads() []*Task {
	if len(r.info.TIDs) == 0 {
		return r.threads.list
	}
	var threads []*Task
	seen := make(map[int32]bool, len(r.info.TIDs))
	for _, tid := range r.info.TIDs {
		t := r.threads.byTID[tid]
		if t == nil || seen[tid] || len(r.config.tids) > 0 && !slices.Contains(r.config.tids, tid) {
			continue
		}
		seen[tid] = true
		threads = append(threads, t)
	}
	return threads
}

// Task finds a thread by its number. It returns nil if the recording does not have the thread.
func (r *Recording) Task(tid int32) *Task { return r.threads.byTID[tid] }

// Sessions returns the program images, in the order of their start.
func (r *Recording) Sessions() []*Session { return r.progs.sessions }

// Symbols returns all symbols of all modules. Symbol.Index is the position.
func (r *Recording) Symbols() []*Symbol { return r.progs.symbols }

// Close closes all files, as described at [record.Recording].
func (r *Recording) Close() error {
	r.opened.mu.Lock()
	defer r.opened.mu.Unlock()
	r.opened.closed = true
	var errs error
	for f := range r.opened.files {
		if f.grow != nil {
			errs = errors.Join(errs, f.grow.Close())
		}
		if f.handle != nil {
			errs = errors.Join(errs, f.handle.Close())
		}
		f.handle, f.grow, f.closed = nil, nil, true
	}
	for _, h := range r.opened.handles {
		errs = errors.Join(errs, h.Close())
	}
	clear(r.opened.files)
	clear(r.opened.handles)
	return errs
}

// readFile reads a whole text file, with memory that take frees. A missing file is not reported,
// but an unreadable one is.
func (r *Recording) readFile(name string) ([]byte, bool) {
	if !r.files[name] {
		return nil, false
	}
	return r.readFrom(r.dir, name, true)
}

// readFrom is readFile for any directory. A listed file that is missing is a dead link.
func (r *Recording) readFrom(dir fs.FS, name string, listed bool) ([]byte, bool) {
	f, size, err := openRegular(dir, name)
	if err != nil {
		if listed || !errors.Is(err, fs.ErrNotExist) {
			r.damage.Note(name, 0, 0, err)
		}
		return nil, false
	}
	defer f.Close()
	limit := textLimit(name)
	if err := r.memory.Take(min(size, limit)); err != nil { // its beginning may fit, and the items of its lines
		limit = r.memory.Left() / 4
		r.damage.Note(name, limit, size-limit, err)
		if err := r.memory.Take(limit); err != nil {
			return nil, false
		}
		size = limit
	}
	data, err := readAll(f, min(size, limit))
	switch {
	case err != nil:
		r.damage.Note(name, int64(len(data)), 0, err)
	case size > limit:
		r.damage.Note(name, limit, size-limit, ErrTooLong)
	}
	return data, true
}

// readTexts reads the small files that do not depend on other files.
func (r *Recording) readTexts() {
	if data, ok := r.readFile("default.opts"); ok {
		r.defaults = strings.Fields(string(data))
	}
	if data, ok := r.readFile("note.txt"); ok {
		r.note = string(data)
	}
	r.readEvents()
	r.readKernelHeader()
}

func baseName(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}
