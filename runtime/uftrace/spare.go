package uftrace

import (
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// spare keeps the buffers and lookups of ended slices for new ones. Without it each slice would
// look up all symbols again, and the garbage collector would run all the time.
type spare struct {
	mu    sync.Mutex
	views []*views
	bufs  []buffers
	perf  []buffers // of streams of perf
}

// buffers are the buffers of a stream.
type buffers struct {
	bytes []byte
	recs  []record.Record
	ents  []Entry
}

// lookups returns new lookups. For a slice, it returns the lookups of an ended slice if there are
// any.
func (r *Recording) lookups(c *record.Cut) *views {
	p := &r.spare
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.views) - 1
	if c == nil || last < 0 {
		return r.newViews()
	}
	v := p.views[last]
	p.views = p.views[:last]
	return v
}

// keep stores lookups for reuse.
func (p *spare) keep(v *views) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.views = append(p.views, v)
}

// equip gives a stream of a slice the buffers of another one. Their memory has already been taken.
func (p *spare) equip(s *Stream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.bufs) - 1
	if last < 0 || cap(p.bufs[last].recs) < s.out.room {
		return
	}
	b := p.bufs[last]
	s.out.recs, s.out.ents, s.out.dirty = b.recs[:s.out.room], b.ents[:s.out.room], true
	if s.lease.Swap(int64(cap(s.in.buf)), int64(cap(b.bytes))) == nil {
		s.in.buf = b.bytes[:0]
	}
	p.bufs = p.bufs[:last]
}

// strip stores the buffers of a stream that has ended.
func (p *spare) strip(s *Stream) {
	if s.part.alone {
		p.keep(s.addr.views)
	}
	if s.out.recs == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bufs = append(p.bufs, buffers{s.in.buf, s.out.recs[:cap(s.out.recs)], s.out.ents[:cap(s.out.ents)]})
}

// equipPerf gives a stream of perf its buffers, from another stream or new. Their memory has
// already been taken.
func (p *spare) equipPerf(s *perfStream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.perf) - 1; s.part != nil && last >= 0 {
		b := p.perf[last]
		s.recs, s.ents, s.in.buf = b.recs, b.ents, b.bytes[:0]
		p.perf = p.perf[:last]
	} else {
		s.recs, s.ents, s.in.buf = make([]record.Record, 0, perfBatch), make([]Entry, 0, perfBatch),
			make([]byte, 0, perfBlock)
	}
	if s.part != nil {
		s.offs = make([]int64, 0, perfBatch)
	}
}

// stripPerf stores the buffers of a stream of perf that has ended.
func (p *spare) stripPerf(s *perfStream) {
	if s.recs == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.perf = append(p.perf, buffers{s.in.buf, s.recs[:0], s.ents[:0]})
	s.in.buf, s.recs, s.ents = nil, nil, nil
}
