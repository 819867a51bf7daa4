package replay

import (
	"errors"
	"io"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// kept is a copy of a record.
type kept struct {
	recs [1]record.Record
	ents [1]uftrace.Entry
}

func keep(r *record.Record, e *uftrace.Entry) *kept {
	k := &kept{[1]record.Record{*r}, [1]uftrace.Entry{*e}}
	k.recs[0].Data = slices.Clone(r.Data)
	return k
}

// edges is the source of a slice without what depends on its neighbours: an end of a call that comes first is not played, since the call may have no calls of its own
// and then is one line with it; for the same reason a call that comes last is not printed.
type edges struct {
	*record.Merger[uftrace.Entry]
	prior *kept  // to be played before the slice
	begun bool   // there is a record
	time  uint64 // of the first one
	first *kept  // nil: the slice does not begin with the end of a call
	last  *kept  // nil: it does not end with a call
}

// NextRun implements callstack.Source.
func (x *edges) NextRun() ([]record.Record, []uftrace.Entry, error) {
	if k := x.prior; k != nil {
		x.prior = nil
		return k.recs[:], k.ents[:], nil
	}
	recs, ents, err := x.Merger.NextRun()
	if x.begun || err != nil || len(recs) == 0 {
		return recs, ents, err
	}
	x.begun, x.time = true, recs[0].Time
	if ents[0].Kind != uftrace.Leave {
		return recs, ents, nil
	}
	x.first = keep(&recs[0], &ents[0])
	if len(recs) == 1 {
		return x.Merger.NextRun()
	}
	return recs[1:], ents[1:], nil
}

// takes keeps a step that ends the slice and cannot be printed yet.
func (x *edges) takes(p *callstack.Player, step *callstack.Step) bool {
	if step.Entry.Kind != uftrace.Enter {
		return false
	}
	x.last = keep(step.Record, step.Entry)
	p.TakeBack()
	return true
}

// join prints the text of a piece after that of the one before it, which ends with last.
func (p *printer) join(x *piece, last *kept) (*kept, error) {
	if !x.edges.begun {
		p.damaged = errors.Join(p.damaged, x.damaged)
		return last, nil
	}
	defer func() { p.shared.first.Store(p.player.First()) }()
	if last != nil && x.edges.first == nil && last.recs[0].Time == 0 { // elapsed times count from the record that follows
		return p.again(x, last)
	}
	if err := p.between(last, x.edges.first); err != nil {
		return nil, err
	}
	if !p.player.Fits(x.stretch) || !p.counted(x) {
		if p.misfits++; p.misfits == mostMisfits {
			p.shared.hopeless.Store(true)
		}
		return p.again(x, nil)
	}
	p.misfits = 0
	p.fill(x)
	p.player.Join(x.stretch)
	p.header()
	p.shown = p.shown || x.shown
	p.damaged = errors.Join(p.damaged, x.damaged)
	return x.edges.last, p.writePiece(x)
}

// again prints a slice whose text is not what it should be, after a call that may be missing.
func (p *printer) again(x *piece, last *kept) (*kept, error) {
	m := x.slice.MergeAgain()
	defer m.Close()
	edges := edges{Merger: m, prior: last}
	p.player.Play(&edges)
	for {
		switch step, err := p.player.Next(); {
		case errors.Is(err, io.EOF):
			return edges.last, nil
		case err != nil:
			p.damaged = errors.Join(p.damaged, err)
		case p.player.AtEnd() && edges.takes(p.player, step):
			return edges.last, nil
		default:
			p.header()
			if err := p.step(step); err != nil {
				return nil, err
			}
		}
		if len(p.buf) >= flushAt && !p.leaf {
			if err := p.flush(); err != nil {
				return nil, err
			}
		}
	}
}

// between prints what is between two slices: a call that the first one ends with, and the end of one that the second one begins with. Both may be missing.
func (p *printer) between(last, first *kept) error {
	var list border
	for _, k := range []*kept{last, first} {
		if k != nil {
			list = append(list, k)
		}
	}
	p.player.Play(&list)
	for range len(list) {
		if err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

// border is a source of a few records.
type border []*kept

// NextRun implements callstack.Source.
func (b *border) NextRun() ([]record.Record, []uftrace.Entry, error) {
	if len(*b) == 0 {
		return nil, nil, io.EOF
	}
	k := (*b)[0]
	*b = (*b)[1:]
	return k.recs[:], k.ents[:], nil
}
