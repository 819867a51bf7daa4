package ftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// openSnapshot reads a directory laid out as tracefs: a copy, since the files of a live one have no size, and reading
// them takes the events away. Only events/header_page is needed; every other file may
// be missing. Instances lie below instances/ as they do in tracefs.
func openSnapshot(dir string, cfg *openConfig) (*Recording, error) {
	r := &Recording{memory: memory.New(cfg.memory)}
	r.info.Name = dir
	var err error
	if r.info.HeaderPage, err = r.readText(filepath.Join(dir, "events", "header_page")); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: no tracefs snapshot: %w", ErrFormat, err)
		}
		return nil, err
	}
	if err := r.snapshot(dir, cfg); err != nil {
		r.Close()
		return nil, err
	}
	r.finish()
	return r, nil
}

func (r *Recording) snapshot(dir string, cfg *openConfig) error {
	page := filepath.Join(dir, "events", "header_page")
	if err := r.layout.parseHeaderPage(r.info.HeaderPage, 8); err != nil {
		return &Damage{File: page, CPU: -1, Want: "the layout of a page", Err: err}
	}
	r.info.HeaderEvent = r.optional(dir, "events", "header_event")
	if err := parseHeaderEvent(r.info.HeaderEvent); err != nil {
		return &Damage{File: filepath.Join(dir, "events", "header_event"), CPU: -1, Want: "the layout of an event", Err: err}
	}
	r.info.RecorderWord = r.layout.word
	r.info.PageSize = r.layout.data + r.layout.capacity
	if !validPageSize(r.info.PageSize) {
		return &Damage{File: page, CPU: -1, Want: "a page size", Err: fmt.Errorf("%w: %d", ErrCorrupt, r.info.PageSize)}
	}
	r.info.Uname = strings.TrimSpace(r.optional(dir, "uname"))
	r.snapshotFormats(filepath.Join(dir, "events"))
	text := func(name string) func() (string, error) {
		return func() (string, error) { return r.optional(dir, name), nil }
	}
	r.kallsyms, r.printk = text("kallsyms"), text("printk_formats")
	r.cmdlines, r.tgids = text("saved_cmdlines"), text("saved_tgids")
	r.buffers = append(r.buffers, r.snapshotBuffer(dir, "", cfg))
	r.info.TraceClock = r.buffers[0].Clock
	instances, _ := os.ReadDir(filepath.Join(dir, "instances"))
	for _, e := range instances {
		if e.IsDir() {
			r.buffers = append(r.buffers, r.snapshotBuffer(filepath.Join(dir, "instances", e.Name()), e.Name(), cfg))
		}
	}
	r.setOrder(cfg)
	return nil
}

// readText reads a file that is not larger than any text we know. A pipe or a device in its place may never end.
func (r *Recording) readText(path string) (string, error) {
	f, err := openRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size := int64(0)
	if st, err := f.Stat(); err == nil { // a file of tracefs itself has size 0
		size = min(st.Size(), maxText)
	}
	if err := r.memory.Take(size); err != nil {
		return "", &Damage{File: path, CPU: -1, Want: fmt.Sprintf("memory for a text of %d bytes", size), Err: err, Skipped: size}
	}
	var b strings.Builder
	b.Grow(int(size))
	_, err = io.Copy(&b, io.LimitReader(f, max(size, maxFormat)+1))
	if int64(b.Len()) > max(size, maxFormat) && err == nil {
		err = &Damage{File: path, CPU: -1, Offset: int64(b.Len()), Want: "the end of a text", Err: ErrLimit}
	}
	return b.String(), err
}

// openRegular opens a file without waiting for the other end of a pipe.
func openRegular(path string) (*os.File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &Damage{File: path, CPU: -1, Want: "a regular file", Err: fmt.Errorf("%w: %s", ErrCorrupt, st.Mode().Type())}
	}
	return os.Open(path)
}

// optional reads a file that need not be there.
func (r *Recording) optional(dir string, path ...string) string {
	name := filepath.Join(append([]string{dir}, path...)...)
	s, err := r.readText(name)
	var d *Damage
	switch {
	case errors.As(err, &d):
		r.damage.add(d, 0)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		r.damage.add(&Damage{File: name, CPU: -1, Want: "a text", Err: err}, 0)
	}
	return s
}

// snapshotFormats reads events/SYSTEM/EVENT/format.
func (r *Recording) snapshotFormats(dir string) {
	systems, _ := os.ReadDir(dir)
	for _, s := range systems {
		if !s.IsDir() {
			continue
		}
		events, _ := os.ReadDir(filepath.Join(dir, s.Name()))
		for _, e := range events {
			if !e.IsDir() {
				continue
			}
			path := filepath.Join(dir, s.Name(), e.Name(), "format")
			if err := r.charge(nameSize); err != nil {
				r.damage.add(&Damage{File: path, CPU: -1, Want: "memory for a format", Err: err}, 0)
				continue
			}
			if text := r.optional(path); text != "" {
				r.addFormat(s.Name(), text, newCursor(memorySource(path, nil), binary.LittleEndian, 0))
			}
		}
	}
	slices.SortStableFunc(r.formats, func(a, b *Format) int { return strings.Compare(a.System, b.System) })
}

// snapshotBuffer finds per_cpu/cpuN/trace_pipe_raw.
func (r *Recording) snapshotBuffer(dir, name string, cfg *openConfig) *Buffer {
	b := &Buffer{Name: name, Clock: clockName(r.optional(dir, "trace_clock")), PageSize: r.info.PageSize}
	if text := r.optional(dir, "events", "header_page"); name != "" && text != "" {
		l := r.layout // sub-buffers of an instance have a size of their own
		if err := l.parseHeaderPage(text, 8); err == nil {
			if size := l.data + l.capacity; validPageSize(size) {
				b.layout, b.PageSize = l, size
			} else {
				r.damage.add(&Damage{File: filepath.Join(dir, "events", "header_page"), CPU: -1, Want: "a page size",
					Err: fmt.Errorf("%w: %d", ErrCorrupt, size)}, 0)
			}
		}
	}
	cpus, _ := os.ReadDir(filepath.Join(dir, "per_cpu"))
	for _, e := range cpus {
		id, err := strconv.Atoi(strings.TrimPrefix(e.Name(), "cpu"))
		if err != nil || id < 0 || id > maxCPUs {
			continue
		}
		if err := r.charge(cpuSize); err != nil {
			r.damage.add(&Damage{File: filepath.Join(dir, "per_cpu", e.Name()), CPU: id, Want: "memory for one more CPU", Err: err}, 0)
			continue
		}
		stats := strings.TrimSpace(r.optional(dir, "per_cpu", e.Name(), "stats"))
		if stats != "" {
			r.info.CPUStats = append(r.info.CPUStats, fmt.Sprintf("CPU: %d\n%s", id, stats))
		}
		path := filepath.Join(dir, "per_cpu", e.Name(), "trace_pipe_raw")
		c := CPU{ID: id, src: memorySource(path, nil)}
		if f, err := openRegular(path); err == nil {
			if src, err := fileSource(f, path, cfg.mapping); err == nil {
				r.sources = append(r.sources, src)
				c.src, c.Size = src, src.size
			} else {
				f.Close()
				r.damage.add(&Damage{File: path, CPU: id, Want: "CPU data", Err: err}, 0)
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			r.damage.add(&Damage{File: path, CPU: id, Want: "CPU data", Err: err}, 0)
		}
		b.CPUs = append(b.CPUs, c)
		r.info.CPUs = max(r.info.CPUs, id+1)
	}
	slices.SortFunc(b.CPUs, func(x, y CPU) int { return x.ID - y.ID })
	return b
}

// setOrder finds the byte order, which tracefs does not tell: a page's commit is a small number in one order
// only, unless it is 0.
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
				for _, l.big = range []bool{false, true} {
					n := l.commitWord(head) &^ (commitMissed | commitStored)
					if n == 0 || n > uint64(b.PageSize-l.data) {
						continue
					}
					if l.big {
						big++
					} else {
						little++
					}
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
