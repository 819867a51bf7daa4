package ftrace

import (
	"context"
	"io"
	"os"
	"strconv"

	"github.com/tracec/tracec/runtime/index"
)

// WithIndex sets the name of the recording's index, instead of the file beside the recording: see
// [Recording.Index]. If the name is empty, there is no index.
func WithIndex(name string) OpenOption { return func(c *openConfig) { c.index = &name } }

// WithPath sets the path of the file that OpenReaderAt opens. Its index is searched for beside it.
// Open sets it itself.
func WithPath(name string) OpenOption { return func(c *openConfig) { c.path = name } }

// identity returns the identity by which an index recognizes the recording.
func (r *Recording) identity() (index.Identity, error) {
	st, err := os.Stat(r.index.Path)
	if err != nil {
		return index.Identity{}, err
	}
	return index.FileIdentity(r.sources[0], r.sources[0].size, st.ModTime())
}

// IndexErr returns the reason why an existing index is not used: it is damaged, of another version,
// or of an earlier state of the recording. It returns nil if there is no index, or if it is used.
func (r *Recording) IndexErr() error { return r.index.Err() }

// Index reads all of a recording and returns an index of it. [Open] uses it, in a file with the
// name of the recording and [index.Suffix], to skip parts without records of the selected ids.
// Streams of the index are named by the offset of a CPU's data. Parts are sub-buffers or, in
// compressed recordings, chunks. Times are as recorded. Damaged parts and parts after lost events
// are not listed.
func (r *Recording) Index(ctx context.Context) (*index.Index, error) {
	lease := r.memory.Lease()
	defer lease.End()
	take := func(bytes int64) error { return lease.Swap(0, bytes) }
	return r.index.Build(r.identity, take, func(b *index.Builder) error {
		for _, buf := range r.buffers {
			for i := range buf.CPUs {
				c := &buf.CPUs[i]
				l := lister{stream: buf.stream(c, &StreamOptions{}, nil), to: b}
				b.Stream(streamName(c))
				if err := l.list(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// streamName returns the name of a processor's data in an index.
func streamName(c *CPU) string { return strconv.FormatInt(c.Offset, 10) }

// lister lists the parts of a stream.
type lister struct {
	*stream
	to     *index.Builder
	part   index.Part
	kinds  index.Kinds
	begun  bool
	bad    bool  // the part must be read
	damage int64 // number of damaged places found so far
}

func (l *lister) list(ctx context.Context) error {
	if l.err != nil || !l.begin() {
		return nil
	}
	defer l.end(io.EOF)
	l.damage = l.rec.damage.Met()
	for l.enter(false) {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.bad = l.bad || l.at.page.lost != 0 // including losses on an earlier page without events
		if !l.begun || l.at.pageOff != l.part.At {
			l.finishPart()
			l.begun, l.bad, l.kinds = true, l.at.page.lost != 0, l.kinds[:0]
			l.part = index.Part{At: l.at.pageOff, First: l.at.page.time, Last: l.at.page.time}
		}
		l.add(l.at.page.time)
		l.readPage()
	}
	l.bad = l.bad || l.at.page.lost != 0
	l.finishPart()
	return nil
}

// readPage adds the records of a page to the part.
func (l *lister) readPage() {
	for l.at.inside {
		var n int
		var f fault
		if l.plain {
			n, f = l.at.page.decodeFast(l.batch, nil)
		} else {
			n, f = l.at.page.walkAny(l.layout, l.batch)
		}
		for i := range l.batch[:n] {
			r := &l.batch[i]
			l.add(r.Time)
			l.kinds.Add(r.ID)
		}
		l.part.Records += n
		if f != faultNone {
			l.fault(f)
			l.bad = true
		} else if l.at.page.ended() {
			l.bad = l.bad || len(l.at.page.data) > l.at.page.pos
			l.at.inside = false
		}
	}
	l.bad = l.bad || l.at.cut
}

// add adds a time to the part.
func (l *lister) add(t uint64) {
	l.part.First, l.part.Last = min(l.part.First, t), max(l.part.Last, t)
}

// finishPart lists the part.
func (l *lister) finishPart() {
	now := l.rec.damage.Met()
	if l.begun && !l.bad && now == l.damage {
		l.to.Add(l.part, l.kinds)
	}
	l.damage = now
}

// unwanted are the parts of a stream that can be skipped.
type unwanted struct {
	*index.Unwanted
	page int64 // offsets are multiples of this
}

// pass makes the stream skip parts that have no selected records, according to the index.
func (s *stream) pass() {
	if s.sel.kinds == nil || s.err != nil {
		return
	}
	page := int64(s.buf.PageSize)
	if _, ok := s.blocks.(*chunks); ok {
		page = 1
	}
	// at the end of the walk
	late := func(t uint64) bool { return s.sel.until > 0 && s.clock.convert(t) >= s.sel.until }
	list := s.rec.index.Unwanted(streamName(s.cpu), s.sel.choice.Kinds().List(), func(p *index.Part) bool {
		return late(p.First) || late(p.Last) || (p.At-s.cpu.Offset)%page != 0
	})
	if list == nil {
		return
	}
	switch b := s.blocks.(type) {
	case *flat:
		b.unwanted = &unwanted{list, page}
	case *chunks:
		b.unwanted = &unwanted{list, page}
	}
}

// next returns the next range to read from an offset on.
func (u *unwanted) next(off, end int64) (from, to int64) {
	for off < end && u.Has(off) {
		off += u.page
	}
	if u.More {
		end = min(end, u.At)
	}
	return off, end
}
