package ftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// openSnapshot reads a copy of a tracefs directory. In a live tracefs, files have no size, and
// reading them removes the events. Only events/header_page is required. Every other file may be
// missing. Instances are in instances/, as in tracefs.
func openSnapshot(dir fs.FS, name string, cfg *openConfig) (*Recording, error) {
	r := &Recording{memory: memory.New(cfg.memory), dir: dir}
	r.info.Name = name
	if cfg.follow != nil {
		r.grow.watch = growing.New(*cfg.follow)
		r.grow.watch.Directory(dir, name)
		if err := r.await(); err != nil {
			return nil, err
		}
	}
	var err error
	if r.info.HeaderPage, err = r.readText("events/header_page"); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: not a tracefs snapshot: %w", ErrFormat, err)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := r.snapshot(cfg); err != nil {
		r.Close()
		return nil, err
	}
	r.finish()
	return r, nil
}

func (r *Recording) snapshot(cfg *openConfig) error {
	if err := r.describe(nil); err != nil {
		return err
	}
	text := func(name string) func() (string, error) {
		return func() (string, error) { return r.optional(name), nil }
	}
	r.texts.cmdlines, r.texts.tgids = text("saved_cmdlines"), text("saved_tgids")
	r.info.Modules = r.optional("modules")
	r.buffers = append(r.buffers, r.snapshotBuffer(".", "", cfg))
	r.info.TraceClock = r.buffers[0].Clock
	for _, e := range r.list("instances") {
		if e.IsDir() {
			r.buffers = append(r.buffers, r.snapshotBuffer("instances/"+e.Name(), e.Name(), cfg))
		}
	}
	r.setOrder(cfg)
	return nil
}

// describe reads the descriptions of events, and the names that do not change. wanted selects
// formats. If nil, all are read.
func (r *Recording) describe(wanted func(system, name string) bool) error {
	page := r.fileName("events/header_page")
	if err := r.layout.parseHeaderPage(r.info.HeaderPage, 8); err != nil {
		return &Damage{File: page, Want: "the layout of a page", Err: err}
	}
	r.info.HeaderEvent = r.optional("events/header_event")
	if err := parseHeaderEvent(r.info.HeaderEvent); err != nil {
		return &Damage{File: r.fileName("events/header_event"), Want: "the layout of an event", Err: err}
	}
	r.info.RecorderWord = r.layout.word
	r.info.PageSize = r.layout.data + r.layout.capacity
	if !validPageSize(r.info.PageSize) {
		return &Damage{File: page, Want: "a page size", Err: fmt.Errorf("%w: %d", ErrCorrupt, r.info.PageSize)}
	}
	r.info.Uname = strings.TrimSpace(r.optional("uname"))
	r.snapshotFormats(wanted)
	r.texts.kallsyms = func() (string, error) { return r.optional("kallsyms"), nil }
	r.texts.printk = func() (string, error) { return r.optional("printk_formats"), nil }
	r.texts.btf = func() (string, error) { return r.optional(btf.Vmlinux(r.dir)), nil }
	return nil
}

// fileName returns the name of a file of the snapshot for messages.
func (r *Recording) fileName(name string) string {
	return path.Join(filepath.ToSlash(r.info.Name), name)
}

// list reads a directory that may be missing.
func (r *Recording) list(name string) []fs.DirEntry {
	list, err := fs.ReadDir(r.dir, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.damage.Add(&Damage{File: r.fileName(name), Want: "a directory", Err: err}, 0)
	}
	return list
}

// readText reads a file of limited size. The limit exceeds the size of any known text. A pipe or a
// device might never end.
func (r *Recording) readText(name string) (string, error) {
	text, _, err := r.readLent(name)
	return text, err
}

// readLent is readText for callers that later free the took bytes of memory.
func (r *Recording) readLent(name string) (text string, took int64, err error) {
	f, err := openRegular(r.dir, name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	size := int64(0)
	if st, err := f.Stat(); err == nil { // a file of tracefs itself has size 0
		size = min(st.Size(), maxText)
	}
	if err := r.memory.Take(size); err != nil {
		return "", 0, &Damage{File: r.fileName(name), Want: fmt.Sprintf("memory for a text of %d bytes", size),
			Err: err, Skipped: size}
	}
	var b strings.Builder
	b.Grow(int(size))
	_, err = io.Copy(&b, io.LimitReader(f, max(size, maxFormat)+1))
	if int64(b.Len()) > max(size, maxFormat) && err == nil {
		err = &Damage{File: r.fileName(name), Offset: int64(b.Len()), Want: "the end of a text", Err: ErrLimit}
	}
	return b.String(), size, err
}

// openRegular opens a file without waiting for the other end of a pipe.
func openRegular(dir fs.FS, name string) (fs.File, error) {
	st, err := fs.Stat(dir, name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: not a regular file: %s", ErrCorrupt, st.Mode().Type())
	}
	return dir.Open(name)
}

// optional reads a file that may be missing.
func (r *Recording) optional(name string) string {
	s, err := r.readText(name)
	r.missing(name, err)
	return s
}

// missing notes the reason why an optional file could not be read.
func (r *Recording) missing(name string, err error) {
	var d *Damage
	switch {
	case errors.As(err, &d):
		r.damage.Add(d, 0)
	case err != nil && (!errors.Is(err, fs.ErrNotExist) || r.listed(name)):
		r.damage.Add(&Damage{File: r.fileName(name), Want: "a text", Err: err}, 0)
	}
}

// listed reports whether a directory lists a file that cannot be found: a dead link.
func (r *Recording) listed(name string) bool {
	list, err := fs.ReadDir(r.dir, path.Dir(name))
	return err == nil && slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == path.Base(name) })
}

// snapshotFormats reads events/SYSTEM/EVENT/format.
func (r *Recording) snapshotFormats(wanted func(system, name string) bool) {
	for _, s := range r.list("events") {
		if !s.IsDir() {
			continue
		}
		for _, e := range r.list("events/" + s.Name()) {
			if !e.IsDir() || wanted != nil && s.Name() != "ftrace" && !wanted(s.Name(), e.Name()) {
				continue
			}
			name := path.Join("events", s.Name(), e.Name(), "format")
			if err := r.charge(nameSize); err != nil {
				r.damage.Add(&Damage{File: r.fileName(name), Want: "memory for a format", Err: err}, 0)
				continue
			}
			if text := r.optional(name); text != "" {
				r.addFormat(s.Name(), text, newCursor(memorySource(r.fileName(name), nil), binary.LittleEndian, 0))
			}
		}
	}
	slices.SortStableFunc(r.formats, func(a, b *Format) int { return strings.Compare(a.System, b.System) })
}

// snapshotBuffer finds per_cpu/cpuN/trace_pipe_raw.
func (r *Recording) snapshotBuffer(dir, name string, cfg *openConfig) *Buffer {
	b := &Buffer{Name: name, dir: dir, Clock: clockName(r.optional(path.Join(dir, "trace_clock"))),
		PageSize: r.info.PageSize}
	if text := r.optional(path.Join(dir, "events/header_page")); name != "" && text != "" {
		l := r.layout // an instance has its own sub-buffer size
		if err := l.parseHeaderPage(text, 8); err == nil {
			if size := l.data + l.capacity; validPageSize(size) {
				b.layout, b.PageSize = l, size
			} else {
				r.damage.Add(&Damage{File: r.fileName(path.Join(dir, "events/header_page")), Want: "a page size",
					Err: fmt.Errorf("%w: %d", ErrCorrupt, size)}, 0)
			}
		}
	}
	for _, e := range r.list(path.Join(dir, "per_cpu")) {
		id, ok := cpuOf(e.Name())
		if !ok {
			continue
		}
		if err := r.charge(cpuSize); err != nil {
			r.damage.Add(&Damage{File: r.fileName(path.Join(dir, "per_cpu", e.Name())), Part: cpuPart(id),
				Want: "memory for one more CPU", Err: err}, 0)
			continue
		}
		stats := strings.TrimSpace(r.optional(path.Join(dir, "per_cpu", e.Name(), "stats")))
		if stats != "" {
			r.info.CPUStats = append(r.info.CPUStats, fmt.Sprintf("CPU: %d\n%s", id, stats))
		}
		b.CPUs = append(b.CPUs, r.snapshotCPU(path.Join(dir, "per_cpu", e.Name(), "trace_pipe_raw"), id, cfg))
		r.info.CPUs = max(r.info.CPUs, id+1)
	}
	slices.SortFunc(b.CPUs, func(x, y CPU) int { return x.ID - y.ID })
	r.addLastBoot(name, r.optional(path.Join(dir, "last_boot_info")))
	return b
}

// cpuOf returns the processor of a directory of per_cpu.
func cpuOf(name string) (id int, ok bool) {
	id, err := strconv.Atoi(strings.TrimPrefix(name, "cpu"))
	return id, err == nil && id >= 0 && id <= maxCPUs
}

// snapshotCPU opens the data of a processor. If the file is missing, the processor has no data.
func (r *Recording) snapshotCPU(file string, id int, cfg *openConfig) CPU {
	name := r.fileName(file)
	c := CPU{ID: id, src: memorySource(name, nil)}
	f, err := openRegular(r.dir, file)
	if dir := path.Dir(file); errors.Is(err, fs.ErrNotExist) && !r.listed(file) && isDir(r.dir, dir) {
		return c
	}
	var src *source
	if err == nil {
		if src, err = openedSource(f, name); err != nil {
			f.Close()
		}
	}
	if err != nil {
		r.damage.Add(&Damage{File: name, Part: cpuPart(id), Want: "CPU data", Err: err}, 0)
		return c
	}
	r.sources = append(r.sources, src)
	c.src, c.Size = src, src.size
	return c
}

func isDir(dir fs.FS, name string) bool {
	st, err := fs.Stat(dir, name)
	return err == nil && st.IsDir()
}

// orders reports in which byte orders the head of a page of size bytes is valid.
func (l layout) orders(head []byte, size int) (little, big bool) {
	fits := func() bool {
		n := l.commitWord(head) &^ (commitMissed | commitStored)
		return n > 0 && n <= uint64(size-l.data)
	}
	l.big = false
	little = fits()
	l.big = true
	return little, fits()
}

// setOrder finds the byte order, which tracefs does not record. The commit word of a page is a
// small number in one order only, unless it is 0.
func (r *Recording) setOrder(cfg *openConfig) {
	if cfg.order != nil {
		r.layout.big = cfg.order.String() == binary.BigEndian.String()
	} else {
		little, big := 0, 0
		l := r.layout
		for _, b := range r.buffers {
			for i := range b.CPUs {
				c := &b.CPUs[i]
				head, err := c.src.view(0, min(c.Size, int64(l.data)), nil)
				if err != nil || len(head) < l.data {
					continue
				}
				isLittle, isBig := l.orders(head, b.PageSize)
				if isLittle {
					little++
				}
				if isBig {
					big++
				}
			}
		}
		r.layout.big = big > little
	}
	r.order = binary.LittleEndian
	if r.layout.big {
		r.order = binary.BigEndian
	}
	r.info.ByteOrder = r.order
}
