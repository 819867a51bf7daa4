package lttng

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/record"
)

// following is the additional state of a followed recording.
type following struct {
	watch    *growing.Watch // nil if the recording is not followed
	live     *record.Live   // of the streams of metadata
	metadata []*Stream      // they describe the markers

	finished bool // the end has been reached

	opening sync.Mutex
	opened  map[*growing.File]bool
}

// await waits until a followed recording has a file with more than a header, other than a file that
// describes markers.
func (r *Recording) await() error {
	if r.config.follow == nil {
		return nil
	}
	r.watch = growing.New(*r.config.follow)
	r.watch.Directory(r.dir, r.name)
	r.live, r.opened = r.watch.Live(context.Background()), map[*growing.File]bool{}
	return r.watch.Await(context.Background(), func() (bool, error) { return r.hasData(".", 0), nil })
}

// hasData reports whether a file below a directory has a whole sub-buffer, or its first page. Files
// that describe markers do not count.
func (r *Recording) hasData(dir string, depth int) bool {
	list, _ := fs.ReadDir(r.dir, dir) // an unreadable directory counts as empty
	for _, e := range list {
		name := within(".", e.Name())
		if dir != "." {
			name = dir + "/" + e.Name()
		}
		if e.IsDir() {
			if depth < maxDepth && r.hasData(name, depth+1) {
				return true
			}
			continue
		}
		f := File{Channel: first(channelOf(name, Auto))}
		if f.isMetadata() || first(channelOf(name, V26)) == "metadata" {
			continue
		}
		if st, err := fs.Stat(r.dir, name); err == nil && st.Size() >= pageSize && hasMagic(r.dir, name, e) {
			return true
		}
	}
	return false
}

func first(name string, _ int) string { return name }

// openGrowing opens the file of a followed stream.
func (s *Stream) openGrowing() error {
	f, err := s.rec.watch.Open(s.rec.dir, s.file.Path, s.rec.name+"/"+s.file.Path, false)
	if err != nil {
		return err
	}
	s.sub.src = &appended{f, s.rec}
	s.rec.opening.Lock()
	defer s.rec.opening.Unlock()
	s.rec.opened[f] = true
	return nil
}

// appended is a followed file.
type appended struct {
	*growing.File
	rec *Recording
}

func (a *appended) close() {
	a.rec.opening.Lock()
	defer a.rec.opening.Unlock()
	if a.rec.opened[a.File] {
		delete(a.rec.opened, a.File)
		a.File.Close()
	}
}

// closeFollowed closes the followed files.
func (r *Recording) closeFollowed() error {
	r.opening.Lock()
	defer r.opening.Unlock()
	var errs []error
	for f := range r.opened {
		errs = append(errs, f.Close())
	}
	clear(r.opened)
	return errors.Join(errs...)
}

// Live implements record.Growing. It returns nil if the recording is not followed.
func (s *Stream) Live() *record.Live { return s.grow.live }

// Seen implements record.Growing.
func (s *Stream) Seen() time.Time {
	if g, ok := s.grow.late.(record.Growing); ok {
		return g.Seen()
	}
	if a, ok := s.sub.src.(*appended); ok {
		return a.Seen()
	}
	return time.Time{}
}

// await waits for a complete sub-buffer. After bytes that are not a sub-buffer, it waits for the
// next one. A first sub-buffer without a size extends to the second. await sets the size of the
// file.
func (s *Stream) await() error {
	f := s.sub.src.(*appended).File
	have, err := f.Need(s.sub.at, max(s.grow.needed, maxHeader))
	s.sub.size = s.sub.at + have
	switch {
	case errors.Is(err, record.ErrPending):
		return record.ErrPending
	case errors.Is(err, io.EOF), errors.Is(err, record.ErrReplaced):
		if have == 0 {
			return err
		}
		s.grow.needed, s.grow.searched = 0, 0
		return nil
	case err != nil:
		return &Damage{File: s.file.Path, Offset: s.sub.at, Err: err}
	}
	whole, err := s.decided(have)
	if err != nil {
		return err
	}
	if !whole {
		return s.await() // this returns record.ErrPending, unless there are more bytes
	}
	s.grow.needed, s.grow.searched = 0, 0
	if !s.file.isMetadata() {
		s.rec.refresh()
	}
	return nil
}

// decided reports whether the available part of the file determines the size of the sub-buffer and
// contains all of it. If not, it sets the number of bytes needed.
func (s *Stream) decided(have int64) (bool, error) {
	head := make([]byte, maxHeader)
	if err := s.sub.read(head, s.sub.at, s.file.Path); err != nil {
		return false, err
	}
	h, ok := parseHeader(head, s.rec.config.dialect)
	if ok && h.kind() == s.dec.head.kind() && h.block > 0 && h.block%pageSize == 0 && h.block <= maxBlock {
		s.grow.needed = h.block
		return have >= h.block, nil
	}
	from := max(s.grow.searched, pageSize)
	for ; from+maxHeader <= have && from < maxBlock; from += pageSize {
		if err := s.sub.read(head, s.sub.at+from, s.file.Path); err != nil {
			return false, err
		}
		if h, ok := parseHeader(head, s.rec.config.dialect); ok && h.kind() == s.dec.head.kind() {
			return true, nil
		}
	}
	s.grow.searched, s.grow.needed = from, from+maxHeader
	return from >= maxBlock, nil
}

// refresh reads the current metadata, before events that need them.
func (r *Recording) refresh() {
	for _, s := range r.metadata {
		if !s.done {
			s.trace.describeMarkers(s)
		}
	}
	for _, tr := range r.traces {
		r.join(tr)
	}
}

// join gives new markers an index.
func (r *Recording) join(tr *Trace) {
	for _, t := range tr.tables {
		for _, m := range t.byID {
			if m == nil || m.trace != nil {
				continue
			}
			m.trace, m.Index = tr, int32(len(r.markers))
			tr.markers, r.markers = append(tr.markers, m), append(r.markers, m)
			_, next, ok := m.Switch()
			if r.switches != nil || ok {
				for len(r.switches) < int(m.Index) {
					r.switches = append(r.switches, nil)
				}
				r.switches = append(r.switches, next)
			}
		}
		tr.prepare(t)
	}
}

// newcomers returns a stream of the files that did not exist, or had no header, when the recording
// was opened.
func (r *Recording) newcomers(opts record.Options) *Stream {
	s := &Stream{rec: r, file: &File{trace: r.traces[0], CPU: -1}, lease: r.memory.Lease(),
		grow: growth{live: r.watch.Live(opts.Context)}}
	known, sizes := map[string]bool{}, map[string]int64{}
	for _, f := range r.files {
		known[f.Path] = true
	}
	s.grow.late = growing.Newcomers(opts.Context, r.watch, nil, func() (list []record.Stream[Entry]) {
		ended := r.watch.Ended()
		r.scan(".", 0, func(name string, size int64) {
			if known[name] || sizes[name] == size || len(r.files) >= maxFiles {
				return
			}
			sizes[name] = size
			f, _ := r.probe(name)
			if f == nil || !r.adopt(f) {
				return
			}
			known[name] = true
			if opts.HasCPU(int32(f.CPU)) {
				late := r.plainStream(f, opts)
				s.grow.latest, list = append(s.grow.latest, late), append(list, late)
			}
		})
		if ended && !r.finished {
			r.finished = true
			r.missed(known)
		}
		return list
	})
	return s
}

// scan calls fn for the files below a directory.
func (r *Recording) scan(dir string, depth int, fn func(name string, size int64)) {
	list, _ := fs.ReadDir(r.dir, dir) // an unreadable directory counts as empty
	for _, e := range list {
		name := path.Join(dir, e.Name())
		if e.IsDir() {
			if depth < maxDepth && e.Name() != "eventdefs" {
				r.scan(name, depth+1, fn)
			}
			continue
		}
		if st, err := fs.Stat(r.dir, name); err == nil && st.Mode().IsRegular() && st.Size() > 0 {
			fn(name, st.Size())
		}
	}
}

// adopt adds a file to its trace.
func (r *Recording) adopt(f *File) bool {
	dir := r.traceOf(f)
	i := slices.IndexFunc(r.traces, func(tr *Trace) bool { return tr.path == dir })
	if i < 0 || f.head.kind() != r.traces[i].files[0].head.kind() {
		return false // see missed
	}
	tr := r.traces[i]
	f.trace, f.index = tr, int32(len(r.files))
	f.Channel, f.CPU = channelOf(within(tr.path, f.Path), f.head.dialect)
	tr.files, r.files = append(tr.files, f), append(r.files, f)
	t := tr.table(f.Channel)
	if f.isMetadata() && !tr.info.Dialect.facilities() {
		tr.readDescriptions(tr.newStream(f))
		r.join(tr)
	}
	f.switches = slices.ContainsFunc(t.byID, func(m *Marker) bool {
		return m != nil && int(m.Index) < len(r.switches) &&
			r.switches[m.Index] != nil
	})
	return true
}

// missed reports the files that do not belong to the recording at the end, as opening it now would.
func (r *Recording) missed(known map[string]bool) {
	now := &Recording{config: r.config, dir: r.dir, name: r.name, memory: r.memory}
	now.damage.Dir = r.name
	if now.findFiles() != nil || len(now.files) == 0 {
		return
	}
	for _, d := range now.damage.List() {
		d.File = strings.TrimPrefix(d.File, r.name+"/")
		r.damage.Add(d, 0)
	}
	for _, f := range now.files {
		if !known[f.Path] {
			r.damage.Note(f.Path, 0, f.Size, fmt.Errorf("a file of a trace that began after the recording was opened, or with another layout, is skipped: %w", ErrVersion))
		}
	}
}

// nextLate returns the next records of files that have appeared.
func (s *Stream) nextLate() (record.Batch[Entry], error) {
	b, err := s.grow.late.Next()
	if len(b.Records) > 0 {
		s.file = s.grow.latest[b.Records[0].Stream].file
		for i := range b.Records {
			b.Records[i].Stream = s.index
		}
	}
	return b, err
}

// Optional implements record.Optional.
func (s *Stream) Optional() bool {
	o, ok := s.grow.late.(record.Optional)
	return ok && o.Optional()
}
