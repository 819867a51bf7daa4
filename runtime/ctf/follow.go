package ctf

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"time"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/record"
)

// following is the state of a recording that is still being made.
type following struct {
	watch    *growing.Watch     // nil if the recording is not followed
	known    []fs.FileInfo      // files that have been opened; a rotation moves them
	unread   map[string]reading // by folder: metadata that were incomplete so far
	finished bool               // the last search for files has begun
	noting   bool               // the current search is the last one
}

// reading is the state of the metadata of a trace when they were read.
type reading struct {
	bytes int64 // size, for which memory is taken
	size  int64
	time  time.Time // when the file was changed
	ended bool      // the metadata were read after the end, so they are final
}

// ended reports whether files do not grow any more.
func (r *Recording) ended() bool { return r.watch == nil || r.watch.Ended() }

// notes reports whether a search notes damage. In a followed recording, only the last search does.
func (r *Recording) notes() bool { return r.watch == nil || r.noting }

// await waits for a trace that describes a stream and has a file with data.
func (r *Recording) await() error {
	r.watch = growing.New(*r.config.follow)
	r.watch.Directory(r.dir, r.name)
	return r.watch.Await(context.Background(), func() (bool, error) {
		for _, t := range r.traces {
			r.memory.Give(t.read.bytes * modelBytes)
		}
		r.traces, r.known, r.noting, r.unread = nil, nil, r.watch.Ended(), map[string]reading{}
		left := mostFolders
		err := r.find(".", 0, &left)
		return slices.ContainsFunc(r.traces, func(t *Trace) bool {
			return len(t.Trace.Streams) > 0 && slices.ContainsFunc(t.files, func(f *File) bool { return f.Size > 0 })
		}), err
	})
}

// remember notes opened files.
func (r *Recording) remember(files []*File) {
	for _, f := range files {
		if st, err := fs.Stat(r.dir, f.Path); err == nil && r.watch != nil {
			r.known = append(r.known, st)
		}
	}
}

// isKnown reports whether a file has already been opened, perhaps by an earlier path.
func (r *Recording) isKnown(t *Trace, name string, st fs.FileInfo) bool {
	return r.watch != nil && (slices.ContainsFunc(t.files, func(f *File) bool { return f.Path == name }) ||
		slices.ContainsFunc(r.known, func(k fs.FileInfo) bool { return os.SameFile(k, st) }))
}

// state returns the state of the metadata in a folder.
func (r *Recording) state(dir string) reading {
	s := reading{ended: r.ended()}
	if st, err := fs.Stat(r.dir, path.Join(dir, "metadata")); err == nil {
		s.size, s.time = st.Size(), st.ModTime()
	}
	return s
}

// tried reports whether metadata were incomplete and have not changed since.
func (r *Recording) tried(dir string) bool {
	now := r.state(dir)
	before, ok := r.unread[dir]
	r.unread[dir] = now
	return ok && now == before
}

// add sets the index of an event. An event that was known before the metadata grew keeps its index.
func (r *Recording) add(ev *Event, before []*stream) {
	for _, s := range before {
		if s.ID != ev.Stream.ID {
			continue
		}
		if old := s.events[ev.ID]; old != nil && old.Name == ev.Name &&
			reflect.DeepEqual(old.Scopes(), ev.Scopes()) {
			ev.Index = old.Index
			r.events[ev.Index] = ev
			return
		}
	}
	ev.Index = int32(len(r.events))
	r.events = append(r.events, ev)
}

// refresh reads the metadata of a trace again if they have grown, and a last time at the end. It
// reports whether they have changed.
func (r *Recording) refresh(t *Trace) bool {
	state, bytes := r.state(t.Path), t.read.bytes
	if state.bytes = bytes; state == t.read {
		return false
	}
	t.read = state
	now := &Trace{Path: t.Path}
	if r.readTrace(now) != nil || now.Trace == nil { // they are being written, or a rotation has moved them
		r.memory.Give(now.read.bytes * modelBytes)
		return false
	}
	r.memory.Give(bytes * modelBytes)
	t.Trace, t.process, t.read = now.Trace, now.process, now.read
	t.lateEnds, t.lateBegins = now.lateEnds, now.lateBegins
	r.events = slices.Clone(r.events) // other goroutines may read the list
	r.plan(t)
	return true
}

// growth is the state of a stream of a followed recording.
type growth struct {
	live   *record.Live
	file   *growing.File
	needed int64 // required number of bytes of the packet
	stuck  bool  // at an event that the metadata do not describe yet
	late   record.Stream[Entry]
	latest []*Stream // the streams that late merges
}

// undescribed is the error for fields or events that the metadata do not describe.
type undescribed struct{ error }

// waits reports whether more metadata may remove the cause of an error.
func (s *Stream) waits(err error) bool {
	return s.grow != nil && errors.As(err, new(undescribed)) && !s.file.trace.read.ended
}

// follow makes streams follow their files. It adds one stream for all files that appear later.
func (r *Recording) follow(streams []*Stream, opts *record.Options) []*Stream {
	live := r.watch.Live(opts.Context)
	for _, s := range streams {
		s.grow = &growth{live: live}
	}
	late := &Stream{rec: r, chain: &chain{files: []*File{{Path: ".", trace: r.traces[0]}}},
		held: held{lease: r.memory.Lease()},
		grow: &growth{live: live}}
	late.grow.late = growing.Newcomers(opts.Context, r.watch, nil, func() (list []record.Stream[Entry]) {
		r.noting = r.watch.Ended() && !r.finished
		r.finished = r.finished || r.noting
		left, known := mostFolders, len(r.chains)
		if err := r.find(".", 0, &left); err != nil && r.noting {
			r.damage.Note(".", 0, 0, err)
		}
		r.number()
		for _, c := range r.chains[known:] {
			s := r.stream(c, opts)
			s.grow = &growth{live: live}
			late.grow.latest, list = append(late.grow.latest, s), append(list, s)
		}
		return list
	})
	return append(streams, late)
}

// nextLate returns the next records of files that have appeared.
func (s *Stream) nextLate() (record.Batch[Entry], error) {
	b, err := s.grow.late.Next()
	for i := range b.Records {
		b.Records[i].Stream = s.made.index
	}
	return b, err
}

// Live implements record.Growing. It returns nil if the recording is not followed.
func (s *Stream) Live() *record.Live {
	if s.grow == nil {
		return nil
	}
	return s.grow.live
}

// Seen implements record.Growing.
func (s *Stream) Seen() time.Time {
	if g, ok := s.grow.late.(record.Growing); ok {
		return g.Seen()
	}
	return s.grow.file.Seen()
}

// Optional implements record.Optional.
func (s *Stream) Optional() bool {
	o, ok := s.grow.late.(record.Optional)
	return ok && o.Optional()
}
