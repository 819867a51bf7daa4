package uftrace

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/index"
)

// WithIndex names the index file of the recording. The default is the file beside its directory:
// see [Recording.Index]. An empty name means no index.
func WithIndex(name string) Option { return func(c *config) { c.index = &name } }

// WithPath sets the name of the directory that OpenFS opens. Its index may be beside that
// directory. Open sets it itself.
func WithPath(name string) Option { return func(c *config) { c.path = name } }

// useIndex loads the index of a recording that is a directory.
func (r *Recording) useIndex() {
	r.index.Name = r.config.index
	if r.config.follow == nil {
		r.index.Path = r.config.path
	}
	r.index.Load(r.identity, r.memory)
}

// IndexErr returns the reason why an existing index is not used: it is damaged, of another version,
// or of an earlier state of the recording, including its symbols. It returns nil if no index exists
// or if it is used.
func (r *Recording) IndexErr() error {
	err := r.index.Err()
	if r.config.symbols != "" && errors.Is(err, index.ErrStale) {
		return fmt.Errorf("with the symbols of %s: %w", r.config.symbols, err)
	}
	return err
}

// Index reads the files of all threads and returns an index of them. [Open] uses an index file
// named by [index.Name]. With an index, streams skip parts without records that options select by
// their ids. The streams of the index are named by files. Parts are consecutive records in the
// order of time, without losses or damage in them or directly before them. Their times are times of
// records, and their kinds are values of Record.ID. Files of the kernel and of perf have no index.
func (r *Recording) Index(ctx context.Context) (*index.Index, error) {
	lease := r.memory.Lease()
	defer lease.End()
	take := func(bytes int64) error { return lease.Swap(0, bytes) }
	return r.index.Build(r.identity, take, func(b *index.Builder) error {
		v := r.newViews()
		for _, t := range r.threads.list {
			b.Stream(t.File)
			s := r.newStream(t, v, len(r.threads.list))
			s.file = r.openStream(t.File, false)
			l := lister{stream: s, to: b, least: r.leastPart()}
			if err := l.list(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// identity identifies the recording: the files of threads, their beginnings and ends, and all data
// that determine the function and the length of a record. If a file cannot be opened, the identity
// records that. The file is also reported as damage.
func (r *Recording) identity() (index.Identity, error) {
	sum := index.NewDigest()
	for _, tid := range r.fileTIDs() {
		name := recordFile(tid)
		if err := sum.File(r.dir, name); errors.Is(err, index.ErrNone) {
			return index.Identity{}, err
		} else if err != nil {
			fmt.Fprintf(sum, "%q %v\n", name, err)
		}
	}
	r.probeSessions(sum)
	r.progs.probeSymbols(sum)
	return sum.Identity(), nil
}

// probeSessions writes which thread runs which program at which addresses. The output is the same
// for all selections of [WithTIDs].
func (r *Recording) probeSessions(w io.Writer) {
	fmt.Fprintln(w, r.info.BigEndian, r.info.MaxStack, r.info.Missing, r.info.TIDs, r.threads.old,
		len(r.threads.events), len(r.progs.sessions))
	for i := range r.threads.events {
		fmt.Fprintf(w, "%+q\n", fmt.Sprint(r.threads.events[i]))
	}
	for _, s := range r.progs.sessions {
		fmt.Fprintf(w, "%q %d %d %q %x %v\n", s.ID, s.PID, s.Start, s.Exe, s.KernelBase, s.absolute)
		for i := range s.Maps {
			m := &s.Maps[i]
			fmt.Fprintf(w, "%x %x %s\n", m.Start, m.End, m.Module.identity())
		}
		for i := range s.Libs {
			l := &s.Libs[i]
			fmt.Fprintf(w, "%d %x %s\n", l.Time, l.Base, l.Module.identity())
		}
	}
	for id, name := range r.Events() {
		fmt.Fprintf(w, "%d %q\n", id, name)
	}
}

// probeSymbols writes the symbols in the order of their ids, with the known lengths of their
// payloads.
func (p *programTable) probeSymbols(w io.Writer) {
	var b []byte
	for _, m := range p.modules {
		fmt.Fprintf(w, "%s %d\n", m.identity(), len(m.Symbols))
		for _, s := range m.Symbols {
			b = binary.LittleEndian.AppendUint64(b[:0], s.Addr)
			b = binary.LittleEndian.AppendUint64(b, s.Size)
			b = binary.LittleEndian.AppendUint64(b, uint64(s.sizes[Enter])<<32|uint64(uint32(s.sizes[Leave])))
			b = append(append(b, s.Name...), 0)
			for _, specs := range [][]Spec{s.Args, s.Results} {
				for i := range specs {
					b = append(b, specs[i].Format)
					b = binary.LittleEndian.AppendUint32(b, uint32(specs[i].Size))
				}
				b = append(b, 0)
			}
			w.Write(b) // a write to a hash cannot fail
		}
	}
}

// identity identifies a module.
func (m *Module) identity() string {
	if m == nil {
		return "none"
	}
	return fmt.Sprintf("%q %q", m.Path, m.BuildID)
}
