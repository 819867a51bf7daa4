package ctf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

// WithIndex names the index file of the recording. The default is the file beside its directory:
// see [Recording.Index]. An empty name means no index.
func WithIndex(name string) Option { return func(c *config) { c.index = &name } }

// useIndex loads the index of a recording that is a directory.
func (r *Recording) useIndex() {
	r.index.Name = r.config.index
	if r.watch == nil {
		r.index.Path = r.config.path
	}
	r.index.Load(r.identity, r.memory)
}

// IndexErr returns the reason why an existing index is not used: it is damaged, of another version,
// or of an earlier state of the recording. It returns nil if no index exists or if it is used.
func (r *Recording) IndexErr() error { return r.index.Err() }

// identity identifies the recording: its files, their beginnings and ends, and the events that its
// metadata describe.
func (r *Recording) identity() (index.Identity, error) {
	sum := index.NewDigest()
	for _, t := range r.traces {
		if err := sum.File(r.dir, path.Join(t.Path, "metadata")); err != nil {
			return index.Identity{}, err
		}
	}
	for _, f := range r.files {
		if err := sum.File(r.dir, f.Path); err != nil {
			return index.Identity{}, err
		}
	}
	for _, e := range r.events {
		fmt.Fprintf(sum, "%q %d %d %q\n", e.trace.Path, e.Stream.ID, e.ID, e.Name)
	}
	return sum.Identity(), nil
}

// Index reads all of a recording and returns an index of it. [Open] uses an index file named by
// [index.Name]. With an index, streams skip packets without records that options select by their
// ids: only the headers of these packets are read. The streams of the index are named by the paths
// of files. Parts are packets, their times are cycles, and their kinds are positions in Events.
// Packets with damage, and packets without their whole time, are not listed.
func (r *Recording) Index(ctx context.Context) (*index.Index, error) {
	lease := r.memory.Lease()
	defer lease.End()
	take := func(bytes int64) error { return lease.Swap(0, bytes) }
	return r.index.Build(r.identity, take, func(b *index.Builder) error {
		for _, f := range r.files {
			b.Stream(f.Path)
			s := r.stream(&chain{files: []*File{f}}, &record.Options{Context: ctx})
			s.made.single = true
			if err := s.listPackets(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// listPackets lists the packets of a stream.
func (s *Stream) listPackets(to *index.Builder) error {
	defer s.Close()
	l, faults := index.Lister{To: to}, int32(0)
	for {
		b, err := s.Next()
		damaged := s.harm.faults != faults // damaged in this packet, or before it
		faults = s.harm.faults
		if len(b.Records) == 0 {
			l.End(damaged)
			if d := (*Damage)(nil); errors.As(err, &d) || errors.Is(err, io.EOF) { // continue with other files
				return nil
			}
			return err
		}
		l.Batch(s.pk.offset, damaged, !s.pk.timed)
		for i := range b.Records {
			l.Add(b.Records[i].ID, b.Entries[i].Cycles)
		}
	}
}

// unwanted are the packets of a stream without selected events, by the index.
type unwanted map[*File]*index.Unwanted

// find finds the packets of a file if that has not been done yet.
func (u *unwanted) find(s *Stream) {
	kinds := s.kinds().List()
	if _, ok := (*u)[s.file]; ok || kinds == nil {
		return
	}
	if *u == nil {
		*u = unwanted{}
	}
	(*u)[s.file] = s.rec.index.Unwanted(s.file.Path, kinds, nil)
}

// isUnwanted reports whether the packet has no selected event. The packets that a part reads before
// it begins are wanted.
func (s *Stream) isUnwanted() bool {
	return (s.part == nil || s.part.started) && s.unwanted[s.file].Has(s.pk.offset)
}
