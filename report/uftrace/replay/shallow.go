package replay

import (
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// shallow leaves the calls out of a slice that -D hides: those that are so deep, as records say. What is left is printed as a recording without deeper calls. A slice is strange
// where calls do not nest, times go back, records are lost, and where there is anything but functions that return below the depth.
type shallow struct {
	player  *callstack.Player
	limit   int
	strange bool
	last    uint64
	nests   []nest // of all threads
	touched []int
}

// nest is what a slice has of the calls of a thread.
type nest struct {
	task   int
	known  bool
	before int // open calls at its begin
	open   int
	deep   []call // the last hidden one of each depth, from limit on; without a time where the slice has none
}

// call is what is to be known of a hidden call that is open.
type call struct {
	time, addr uint64
	sym        *uftrace.Symbol
	id         uint32
}

// begin begins a slice.
func (s *shallow) begin() {
	for _, i := range s.touched {
		s.nests[i] = nest{task: i, deep: s.nests[i].deep[:0]}
	}
	s.strange, s.last, s.touched = false, 1, s.touched[:0]
}

// end returns what became of threads, nothing of a strange slice.
func (s *shallow) end() []nest {
	if s.strange {
		return nil
	}
	list := make([]nest, 0, len(s.touched))
	for _, i := range s.touched {
		n := s.nests[i]
		n.deep = slices.Clone(n.deep)
		list = append(list, n)
	}
	return list
}

// through is for record.Merger.Through.
func (s *shallow) through(recs []record.Record, ents []uftrace.Entry) ([]record.Record, []uftrace.Entry) {
	n, shown := &s.nests[recs[0].Stream], 0
	for i := 0; i < len(recs) && !s.strange; i++ {
		r, e := &recs[i], &ents[i]
		if r.Time < s.last {
			s.strange = true
			break
		}
		s.last = r.Time
		if !s.takes(n, r, e) || s.strange {
			continue
		}
		if shown < i {
			recs[shown], ents[shown] = *r, *e
		}
		shown++
	}
	return recs[:shown], ents[:shown]
}

// takes follows a record and reports whether it is shown.
func (s *shallow) takes(n *nest, r *record.Record, e *uftrace.Entry) bool {
	depth := int(e.Depth)
	if !n.known && e.Kind <= uftrace.Leave {
		n.known, n.task = true, int(r.Stream)
		n.before = depth + int(e.Kind) // of a Leave it is open
		n.open = n.before
		s.touched = append(s.touched, n.task)
	}
	switch e.Kind {
	case uftrace.Enter:
		s.strange = n.open != depth
		if n.open++; depth < s.limit {
			return true
		}
		s.strange = s.strange || !s.player.Nests(e.Sym)
		at := depth - s.limit
		for len(n.deep) <= at {
			n.deep = append(n.deep, call{})
		}
		n.deep[at] = call{r.Time, e.Addr, e.Sym, r.ID}
		return false
	case uftrace.Leave:
		s.strange = n.open != depth+1
		n.open = depth
		return depth < s.limit
	case uftrace.Event:
		s.strange = !n.known || n.open >= s.limit
		return true
	}
	s.strange = true
	return false
}
