package lttng

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
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
// or of an earlier state of the recording. It returns nil if no index exists or if it is used.
func (r *Recording) IndexErr() error { return r.index.Err() }

// identity identifies the recording: its files, their beginnings and ends, and the markers. The
// numbers of the markers depend on the options of opening.
func (r *Recording) identity() (index.Identity, error) {
	sum := index.NewDigest()
	for _, f := range r.files {
		if err := sum.File(r.dir, f.Path); err != nil {
			return index.Identity{}, err
		}
	}
	for _, tr := range r.traces { // options on which the places of events depend
		if d := tr.info.Dialect; d == Seed || d.facilities() {
			fmt.Fprintf(sum, "%q %v\n", tr.path, d)
		}
	}
	for _, m := range r.markers {
		fmt.Fprintf(sum, "%q %q %q %d %q\n", m.trace.path, m.Channel, m.Name, m.ID, m.Format)
		if m.trace.info.Dialect.facilities() {
			fmt.Fprintf(sum, "%+v\n", m.Fields)
		}
	}
	return sum.Identity(), nil
}

// Index reads all of a recording and returns an index of it. [Open] uses an index file named by
// [index.Name]. With an index, streams skip sub-buffers without records that options select by
// their ids. The streams of the index are named by the paths of files. Parts are sub-buffers, their
// times are time stamps as recorded, and their kinds are positions in Markers. Damage is not
// listed.
func (r *Recording) Index(ctx context.Context) (*index.Index, error) {
	lease := r.memory.Lease()
	defer lease.End()
	take := func(bytes int64) error { return lease.Swap(0, bytes) }
	return r.index.Build(r.identity, take, func(b *index.Builder) error {
		for _, f := range r.files {
			b.Stream(f.Path)
			s := r.plainStream(f, record.Options{Context: ctx})
			if err := s.listBlocks(b, r.damage.Met()); err != nil {
				return err
			}
		}
		return nil
	})
}

// listBlocks lists the sub-buffers of a stream. damage is the damage found before.
func (s *Stream) listBlocks(to *index.Builder, damage int64) error {
	defer s.Close()
	l := index.Lister{To: to}
	for {
		b, err := s.Next()
		now := s.rec.damage.Met()
		damaged := now != damage // damaged in this part, or before it
		damage = now
		if len(b.Records) == 0 {
			l.End(damaged)
			if d := (*Damage)(nil); errors.As(err, &d) || errors.Is(err, io.EOF) { // continue with other files
				return nil
			}
			return err
		}
		l.Batch(s.sub.at, damaged, s.dec.open)
		for i := range b.Records {
			l.Add(b.Records[i].ID, b.Entries[i].TSC)
		}
	}
}
