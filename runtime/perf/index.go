package perf

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/tracec/tracec/runtime/index"
)

// WithIndex names the index file of the recording. The default is the file beside it: see
// [Recording.Index]. An empty name means no index.
func WithIndex(name string) Option { return func(c *config) { c.index = &name } }

// WithPath sets the name of the file that OpenReaderAt opens. Its index may be beside that file.
// Open sets it itself.
func WithPath(name string) Option { return func(c *config) { c.path = name } }

// indexed is the name of the records in an index.
const indexed = "data"

// useIndex loads the index of a recording that is a file.
func (r *Recording) useIndex() {
	r.index.Name = r.config.index
	if !r.dir {
		r.index.Path = r.config.path
	}
	r.index.Load(r.identity, r.memory)
}

// identity identifies the recording.
func (r *Recording) identity() (index.Identity, error) {
	st, err := os.Stat(r.index.Path)
	if err != nil {
		return index.Identity{}, err
	}
	return index.FileIdentity(r.files[0].src, r.files[0].Size, st.ModTime())
}

// IndexErr returns the reason why an existing index is not used: it is damaged, of another version,
// or of an earlier state of the recording. It returns nil if no index exists or if it is used.
func (r *Recording) IndexErr() error { return r.index.Err() }

// Index reads all of a recording and returns an index of it. [Open] uses an index file named by
// [index.Name]. With an index, streams skip rounds without records that options select by their
// ids, and rounds before the begin of a window. Parts are rounds with their FINISHED_ROUND record,
// and their kinds are values of Record.ID. Rounds with damage or lost records are not listed.
// Compressed records and directories cannot be indexed.
func (r *Recording) Index(ctx context.Context) (*index.Index, error) {
	lease := r.memory.Lease()
	defer lease.End()
	take := func(bytes int64) error { return lease.Swap(0, bytes) }
	return r.index.Build(r.identity, take, func(b *index.Builder) error {
		b.Stream(indexed)
		s := Stream{rec: r, file: r.files[0], lease: r.memory.Lease()}
		defer s.Close()
		l := lister{stream: &s, to: b}
		return l.list(ctx)
	})
}

// lister lists the rounds of a file.
type lister struct {
	stream *Stream
	to     *index.Builder
	part   index.Part
	kinds  index.Kinds
	bad    bool // the round must be read
}

func (l *lister) list(ctx context.Context) error {
	s := l.stream
	if err := s.start(); err != nil {
		return err
	}
	l.begin(s.source.position())
	for {
		r, err := s.source.next()
		switch {
		case s.source.packed > 0:
			return fmt.Errorf("records are compressed: %w", index.ErrNone)
		case err == io.EOF:
			return nil
		case err != nil:
			s.note(s.source.position(), s.file.to-s.source.position(), err)
			return nil
		}
		l.add(r)
		w := &s.source.windows[fromFile]
		w.keep = w.at
		if r.kind != FinishedRound {
			continue
		}
		if l.part.Bytes = s.source.position() - l.part.At; !l.bad {
			l.to.Add(l.part, l.kinds)
		}
		s.sorter.barrier = s.sorter.latest
		l.begin(s.source.position())
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// begin begins a round.
func (l *lister) begin(at int64) {
	l.part, l.kinds, l.bad = index.Part{At: at}, l.kinds[:0], false
}

// add adds a record to the round.
func (l *lister) add(r raw) {
	s := l.stream
	e := s.eventOf(r)
	if e == nil || s.rec.isLate(r) {
		l.bad = true
		return
	}
	if e.IsTracepoint() {
		_, ok := e.raw(r.body)
		l.bad = l.bad || !ok
	}
	x := Entry{Event: e, Body: r.body}
	l.bad = l.bad || x.lost() != 0 || x.short()
	time := s.timeOf(e, r.body)
	s.sorter.latest = max(s.sorter.latest, time)
	if l.part.Records == 0 {
		l.part.First, l.part.Last = time, time
	}
	l.part.First, l.part.Last = min(l.part.First, time), max(l.part.Last, time)
	l.part.Records++
	l.kinds.Add(e.ID)
}

// early are the rounds before a time.
type early struct {
	since uint64
	kinds []uint32 // kinds that are also read before that time
	parts *index.Unwanted
}

// find finds the rounds in the index.
func (e *early) find(x *index.Beside) {
	if e.since > 0 {
		e.parts = x.Unwanted(indexed, e.kinds, func(p *index.Part) bool { return p.Last >= e.since })
	}
}

// unwantedAt returns the round at a place if it need not be read, otherwise nil. Records of an
// early round that come too late get the time of the records before them.
func (s *Stream) unwantedAt(at int64) *index.Unwanted {
	switch {
	case s.unwanted.Has(at):
		return s.unwanted
	case s.early.parts.Has(at) && s.sorter.latest < s.early.since:
		return s.early.parts
	}
	return nil
}

// passRounds skips rounds without selected records. They end as if they had been read.
func (s *Stream) passRounds() {
	l, w := &s.sorter, &s.source.windows[fromFile]
	for l.ready == 0 && !s.ended {
		u := s.unwantedAt(s.source.position())
		if u == nil {
			return
		}
		end := u.At + u.Bytes
		if u.Bytes < headerSize || end > s.source.end {
			s.unwanted, s.early.parts = nil, nil // the index belongs to another file
			return
		}
		l.latest = max(l.latest, u.Last)
		s.source.at += w.skip(u.Bytes)
		if s.endRound(end - headerSize); l.ready == 0 {
			s.pass()
		}
	}
}
