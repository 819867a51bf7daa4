package ftrace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// await waits until a processor has written data. A copy of tracefs has its descriptions by then.
// Only pages determine the byte order.
func (r *Recording) await() error {
	return r.grow.watch.Await(context.Background(), func() (bool, error) {
		dirs := []string{"."}
		instances, _ := fs.ReadDir(r.dir, "instances")
		for _, e := range instances {
			dirs = append(dirs, path.Join("instances", e.Name()))
		}
		for _, dir := range dirs {
			cpus, _ := fs.ReadDir(r.dir, path.Join(dir, "per_cpu"))
			for _, e := range cpus {
				st, err := fs.Stat(r.dir, path.Join(dir, "per_cpu", e.Name(), rawFile))
				if err == nil && st.Mode().IsRegular() && st.Size() >= pageHead {
					return true, nil
				}
			}
		}
		return false, nil
	})
}

// rawFile is the data of a processor.
const rawFile = "trace_pipe_raw"

// cpuFile is the file of a processor's data.
func (b *Buffer) cpuFile(id int) string {
	return path.Join(b.dir, "per_cpu", fmt.Sprintf("cpu%d", id), rawFile)
}

// append turns a stream into a stream of a growing file.
func (s *stream) append(opts *StreamOptions) {
	r, page := s.rec, int64(s.buf.PageSize)
	s.live = r.grow.watch.Live(opts.Context)
	s.blocks = &appended{rec: r, path: s.buf.cpuFile(s.cpu.ID), page: page,
		block: max(page, r.pool.share.block/page*page), lease: s.lease}
	if page <= int64(s.layout.data) {
		s.err = io.EOF
	}
}

// last returns the error that ends the stream.
func (s *stream) last() error {
	if s.rec.grow.watch != nil {
		return s.rec.grow.watch.End()
	}
	return io.EOF
}

// appended is the data of a processor in a file to which sub-buffers are appended.
type appended struct {
	rec   *Recording
	path  string
	file  *growing.File // nil if it does not exist yet
	off   int64
	page  int64
	block int64 // bytes read at a time: whole pages
	lease *memory.Lease
	buf   []byte
	ended bool
}

// next implements blocks.
func (a *appended) next() (data []byte, off int64, err error) {
	for !a.ended {
		n, err := a.more()
		switch {
		case n >= a.page:
			return a.read(min(n, a.block) / a.page * a.page)
		case errors.Is(err, record.ErrRestarted):
			a.off = 0
			continue
		case errors.Is(err, record.ErrPending):
			return nil, a.off, record.ErrPending
		}
		a.ended = true
		switch {
		case n > 0:
			return a.read(n)
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, record.ErrReplaced):
			return nil, a.off, a.lost(err)
		}
	}
	return nil, a.off, io.EOF
}

// more returns the number of bytes after off. If it is less than a page, it also returns an error.
func (a *appended) more() (int64, error) {
	if a.file == nil {
		ended := a.rec.grow.watch.Ended()
		file, err := a.rec.grow.watch.Open(a.rec.dir, a.path, a.rec.fileName(a.path), true)
		switch {
		case errors.Is(err, fs.ErrNotExist) && ended:
			return 0, io.EOF
		case errors.Is(err, fs.ErrNotExist):
			return 0, record.ErrPending
		case err != nil:
			return 0, err
		}
		a.file = file
		a.rec.keep(file)
	}
	return a.file.Need(a.off, a.page)
}

// read returns the next n bytes.
func (a *appended) read(n int64) ([]byte, int64, error) {
	if int64(cap(a.buf)) < n {
		if err := a.lease.Swap(int64(cap(a.buf)), n); err != nil {
			a.ended = true
			return nil, a.off, a.lost(err)
		}
		a.buf = make([]byte, n)
	}
	off := a.off
	a.off += n
	if m, err := a.file.ReadAt(a.buf[:n], off); int64(m) < n {
		if errors.Is(err, io.EOF) {
			err = ErrTruncated // truncated since the last look; the next look also reports it
		}
		return nil, off, &Damage{File: a.rec.fileName(a.path), Offset: off, Want: "CPU data", Skipped: n, Err: err}
	}
	return a.buf[:n], off, nil
}

func (a *appended) lost(err error) error {
	return &Damage{File: a.rec.fileName(a.path), Offset: a.off, Want: "CPU data", Err: err}
}

// seek implements blocks.
func (a *appended) seek(late func(head []byte) bool) {
	n, err := a.more()
	if err != nil {
		return
	}
	var buf [pageHead]byte
	a.off = a.page * bisect(n/a.page, func(i int64) bool {
		m, _ := a.file.ReadAt(buf[:min(a.page, pageHead)], i*a.page)
		return late(buf[:m])
	})
}

// keep closes f with the recording.
func (r *Recording) keep(f io.Closer) {
	r.opening.Lock()
	defer r.opening.Unlock()
	r.sources = append(r.sources, &source{open: f})
}

// newcomers returns a stream of the processors that appeared after the recording was opened.
func (b *Buffer) newcomers(opts *StreamOptions) record.Stream[record.None] {
	o, known := *opts, map[int]bool{}
	for i := range b.CPUs {
		known[b.CPUs[i].ID] = true
	}
	return growing.Newcomers(o.Context, b.rec.grow.watch, nil, func() (list []record.Stream[record.None]) {
		cpus, _ := fs.ReadDir(b.rec.dir, path.Join(b.dir, "per_cpu")) // an unreadable directory counts as empty
		for _, e := range cpus {
			id, ok := cpuOf(e.Name())
			if !ok || known[id] || !o.HasCPU(int32(id)) {
				continue
			}
			if known[id] = true; b.rec.charge(cpuSize) == nil {
				file := b.rec.fileName(b.cpuFile(id))
				list = append(list, b.stream(&CPU{ID: id, src: memorySource(file, nil)}, &o, nil))
			}
		}
		return list
	})
}
