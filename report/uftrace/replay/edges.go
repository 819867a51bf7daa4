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

// mostHead bounds the number of records in the head of a slice.
const mostHead = 1 << 12

// edges is the source of a slice without the parts that depend on neighbouring slices.
//
// The head of the slice is not played. It is a first record that ends a call or a time off the
// processor: a call without inner calls is one line with its end. The events of perf around that
// record belong to the head, since the search for the end may skip them. For the same reason, a
// last record that begins a call or a time off the processor is not printed.
type edges struct {
	*record.Merger[uftrace.Entry]
	prior *kept // played before the slice
	whole bool  // also play the head
	head  border
	ended bool   // the head has the end of a call
	own   bool   // a record of a thread's own file, but no sched-in, follows the head
	begun bool   // a record was played
	time  uint64 // time of the first played record
	last  *kept  // nil if the slice does not end with a call or a sched-out
}

// NextRun implements callstack.Source.
func (x *edges) NextRun() ([]record.Record, []uftrace.Entry, error) {
	if k := x.prior; k != nil {
		x.prior = nil
		return k.recs[:], k.ents[:], nil
	}
	for {
		recs, ents, err := x.Merger.NextRun()
		if x.begun || err != nil || len(recs) == 0 {
			return recs, ents, err
		}
		n := 0
		for n < len(recs) && !x.whole && x.first(&recs[n], &ents[n]) {
			n++
		}
		if n < len(recs) {
			x.begun, x.time = true, recs[n].Time
			return recs[n:], ents[n:], nil
		}
	}
}

// first adds a record to the head if it belongs there.
func (x *edges) first(r *record.Record, e *uftrace.Entry) bool {
	if len(x.head) == mostHead {
		return false
	}
	if e.Source == uftrace.User {
		back := e.Kind == uftrace.Event && r.ID == callstack.SchedIn
		if x.ended || e.Kind != uftrace.Leave && !back {
			x.own = !back
			return false
		}
		x.ended = true
	}
	x.head = append(x.head, keep(r, e))
	return true
}

// held takes back the last step of a source if it cannot be printed yet, and returns a copy of its
// record. It returns nil for any other step.
func held(p *callstack.Player, step *callstack.Step) *kept {
	if id := step.Record.ID; step.Entry.Kind != uftrace.Enter &&
		(step.Entry.Kind != uftrace.Event || id != callstack.SchedOut && id != callstack.SchedOutPreempt) {
		return nil
	}
	k := keep(step.Record, step.Entry)
	p.TakeBack()
	return k
}

// joiner is the state of fold: the printer that has printed the earlier pieces.
type joiner struct {
	*printer
	last *kept // last record of the pieces, if it cannot be printed yet
}

// join prints the lines between the last piece and x, and then x.
func (j *joiner) join(x *piece) (err error) {
	defer j.tell()
	if j.last != nil && j.last.recs[0].Time == 0 { // elapsed times count from the next record
		j.last, err = j.again(x, &edges{prior: j.last, whole: true})
		return err
	}
	if j.last, err = j.between(j.last, &x.edges); err != nil || !x.edges.begun {
		j.damaged = errors.Join(j.damaged, x.damaged)
		return err
	}
	return j.shared.fold.Add(x)
}

// Fits implements fold.State. The lines between the pieces have been printed.
func (j *joiner) Fits(x *piece) bool { return j.last == nil && j.follows(x) }

// Take implements fold.State.
func (j *joiner) Take(x *piece) error {
	j.fill(x)
	j.player.Join(x.stretch)
	j.header()
	j.shown = j.shown || x.shown
	j.damaged = errors.Join(j.damaged, x.damaged)
	j.last = x.edges.last
	return j.writePiece(x)
}

// Again implements fold.State.
func (j *joiner) Again(x *piece) (err error) {
	j.last, err = j.again(x, &edges{prior: j.last})
	return err
}

// follows reports whether a piece, without its head, was printed with the right state.
func (p *printer) follows(x *piece) bool {
	return p.player.Fits(x.stretch) && p.counted(x) && (!p.named() || p.player.Named(x.stretch))
}

// tell publishes the state after the joined pieces to the workers.
func (p *printer) tell() {
	if first := p.player.First(); first != 0 {
		p.shared.first.Store(first)
	}
	if p.named() {
		names := p.player.Names()
		if last := p.shared.names.Load(); last == nil || !slices.Equal(names, *last) {
			p.shared.names.Store(&names)
		}
	}
}

// named reports whether there is a column with names of threads.
func (f *format) named() bool { return slices.Contains(f.fields, taskName) }

// again prints a slice whose text is wrong.
func (p *printer) again(x *piece, src *edges) (*kept, error) {
	src.Merger = x.slice.MergeAgain()
	defer src.Merger.Close()
	return p.play(src, true)
}

// between prints the records between two slices: the last record of the first one, if any, and the
// head of the second one, if any. It returns a last record that cannot be printed yet.
func (p *printer) between(last *kept, second *edges) (*kept, error) {
	var list border
	if last != nil {
		list = append(list, last)
	}
	if second == nil {
		return p.play(&list, false)
	}
	list = append(list, second.head...)
	return p.play(&list, !second.own)
}

// play prints the records of a source. With hold it returns the last record if that cannot be
// printed yet.
func (p *printer) play(src callstack.Source, hold bool) (*kept, error) {
	p.player.Play(src)
	for {
		step, err := p.player.Next()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			p.damaged = errors.Join(p.damaged, err)
			continue
		}
		if hold && p.player.AtEnd() {
			if k := held(p.player, step); k != nil {
				return k, nil
			}
		}
		p.header()
		if err := p.step(step); err != nil {
			return nil, err
		}
		if len(p.buf) >= flushAt && !p.leaf {
			if err := p.flush(); err != nil {
				return nil, err
			}
		}
	}
}

// border is a source with a few records.
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
