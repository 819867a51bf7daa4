package replay

import (
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// shallow leaves out of a slice what -D hides: calls that are so deep, as records say, and events of perf below them. What is left is printed as a recording without deeper
// calls. A slice is strange where calls do not nest, times go back, records are lost, where threads leave processors that they are not on, and where there is anything but
// functions that return, and times off processors, below the depth.
type shallow struct {
	player  *callstack.Player
	merger  *record.Merger[uftrace.Entry] // of the slice
	limit   int
	full    bool // events outside of functions are shown
	strange bool
	last    uint64
	nests   []nest // of all threads
	touched []int
}

// nest is what a slice has of the calls of a thread.
type nest struct {
	task   int
	known  bool
	before int   // open calls at its begin
	away   bool  // and the thread is off its processor
	on     place // where it is now
	open   int
	deep   []call // the last hidden one of each depth, from limit on; without a time where the slice has none
}

// place is where a thread is.
type place uint8

const (
	somewhere place = iota
	onProcessor
	offProcessor
)

// call is what is to be known of a hidden call that is open, and of a time off the processor that took its place in the stack after it.
type call struct {
	time, addr uint64
	sym        *uftrace.Symbol
	id         uint32
	out        uint32 // the event that began it; 0: none
	left       uint64 // when that was
}

func newShallow(player *callstack.Player, o *Options) *shallow {
	return &shallow{player: player, limit: o.Depth, full: o.EventFull, nests: make([]nest, len(player.Tasks()))}
}

// begin begins a slice.
func (s *shallow) begin(m *record.Merger[uftrace.Entry]) {
	for _, i := range s.touched {
		s.nests[i] = nest{task: i, deep: s.nests[i].deep[:0]}
	}
	s.merger, s.strange, s.last, s.touched = m, false, 1, s.touched[:0]
	m.Through(s.through)
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
	shown, perf := 0, ents[0].Source == uftrace.Perf
	var n *nest
	if !perf {
		n = &s.nests[recs[0].Stream]
	}
	for i := 0; i < len(recs) && !s.strange; i++ {
		r, e := &recs[i], &ents[i]
		if r.Time < s.last {
			s.strange = true
			break
		}
		s.last = r.Time
		if perf && !s.takesEvent(r) || !perf && !s.takes(n, r, e) || s.strange {
			continue
		}
		if shown < i {
			recs[shown], ents[shown] = *r, *e
		}
		shown++
	}
	return recs[:shown], ents[:shown]
}

// know notes how many calls of a thread are open at the begin of the slice, of which e is the first record, or comes after that.
func (s *shallow) know(n *nest, task int, e *uftrace.Entry) {
	n.known, n.task = true, task
	n.before = int(e.Depth) + int(e.Kind) // of a Leave it is open
	n.open = n.before
	s.touched = append(s.touched, task)
}

// takes follows a record of a thread's own file and reports whether it is shown.
func (s *shallow) takes(n *nest, r *record.Record, e *uftrace.Entry) bool {
	depth := int(e.Depth)
	if !n.known && e.Kind <= uftrace.Leave {
		s.know(n, int(r.Stream), e)
	}
	if n.on == offProcessor {
		s.strange = true
		return false
	}
	n.on = onProcessor
	switch e.Kind {
	case uftrace.Enter:
		s.strange = n.open != depth
		if n.open++; depth < s.limit {
			return true
		}
		s.strange = s.strange || !s.player.Nests(e.Sym)
		*n.at(depth - s.limit) = call{time: r.Time, addr: e.Addr, sym: e.Sym, id: r.ID}
		return false
	case uftrace.Leave:
		s.strange = n.open != depth+1
		n.open = depth
		return depth < s.limit
	case uftrace.Event:
		s.strange = !n.known || n.open >= s.limit || callstack.IsSchedule(r.ID)
		return true
	}
	s.strange = true
	return false
}

// takesEvent follows an event of perf and reports whether it may be shown: those below hidden calls are not.
func (s *shallow) takesEvent(r *record.Record) bool {
	t := s.player.Thread(r.Task)
	if t == nil {
		return true // the player passes over it
	}
	n := &s.nests[t.Index]
	first := !n.known
	if first {
		next := uftrace.NextCall(s.merger.Ahead(t.Index))
		if next == nil {
			s.strange = true
			return false
		}
		s.know(n, t.Index, next)
	}
	hidden := n.open >= s.limit
	switch r.ID {
	case callstack.SchedOut, callstack.SchedOutPreempt:
		s.strange = n.on == offProcessor
		if n.on = offProcessor; hidden {
			c := n.at(n.open - s.limit)
			c.out, c.left = r.ID, r.Time
		}
	case callstack.SchedIn:
		s.strange = n.on == onProcessor
		n.away = n.away || n.on == somewhere
		n.on = onProcessor
	case callstack.TaskName:
		s.strange = hidden || first && (s.full || n.open > 0)
	default:
		s.strange = first && (s.full || n.open > 0)
	}
	return !hidden
}

// at returns the hidden call so many levels below the first hidden one.
func (n *nest) at(level int) *call {
	for len(n.deep) <= level {
		n.deep = append(n.deep, call{})
	}
	return &n.deep[level]
}
