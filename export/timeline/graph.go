package timeline

import (
	"strconv"

	"github.com/tracec/tracec"
)

// graph is the state for the tracer function_graph.
type graph struct {
	losses int            // number of places with missing events
	unseen int            // number of open calls without a begin whose functions are not yet known
	funcs  [4096]struct { // names of functions, by a part of the address
		addr uint64
		name *Name
	}
}

// graphRule sets the rule of an event of function_graph, which records the depth of the call.
func graphRule(typ *tracec.Type, exit bool) *rule {
	ru := &rule{do: graphEntry, field: typ.Index("func"), depth: typ.Index("depth"), call: typ.Index("calltime"),
		ret: typ.Index("rettime")}
	if exit {
		ru.do = graphExit
	}
	if ru.field < 0 || ru.depth < 0 {
		return nil
	}
	return ru
}

// maxUnseen bounds the open calls without a begin on all tracks together. maxReveal bounds the open
// calls that a single event may reveal. The kernel has space for fewer frames on a stack
// (FTRACE_RETFUNC_DEPTH is 50), so more indicate a damaged recording.
const (
	maxUnseen  = 1 << 16
	maxCallers = 256
)

func graphEntry(t *Timeline, ru *rule, ev *tracec.Event) {
	tr, d, ok := t.graphTrack(ru, ev)
	if !ok {
		t.instant(tr, ru.name, ev)
		return
	}
	for n := len(tr.Open); n > 0 && tr.Open[n-1].depth >= d; n-- {
		t.graphCut(tr, ev.Time)
	}
	t.callers(tr, d, ev.Time)
	t.begin(tr, Span{Name: t.function(ru, ev), Begin: ev.Time, Call: true, depth: d}, ev)
}

// graphExit ends a call. If its entry was not recorded, the exit has its function and duration.
func graphExit(t *Timeline, ru *rule, ev *tracec.Event) {
	tr, d, ok := t.graphTrack(ru, ev)
	if !ok {
		t.instant(tr, ru.name, ev)
		return
	}
	name := t.function(ru, ev)
	for n := len(tr.Open); n > 0 && tr.Open[n-1].depth > d; n-- {
		t.graphCut(tr, ev.Time)
	}
	length, ok := ru.length(ev)
	ok = ok && length <= ev.Time
	n := len(tr.Open)
	if n > 0 && tr.Open[n-1].depth == d {
		top := &tr.Open[n-1]
		switch {
		case top.unnamed():
			t.graph.unseen--
			if top.Name = name; ok {
				top.Begin = min(top.Begin, t.earlier(tr, n-1, ev.Time-length))
			}
			t.end(tr, ev.Time, ev)
			return
		case top.Name == name:
			t.end(tr, ev.Time, ev)
			return
		}
		t.graphCut(tr, ev.Time)
	}
	if !ok {
		t.instant(tr, name, ev)
		return
	}
	t.callers(tr, d, ev.Time-length)
	begin := t.earlier(tr, len(tr.Open), ev.Time-length)
	t.begin(tr, Span{Name: name, Begin: begin, Unseen: true, Call: true, depth: d}, nil)
	t.end(tr, ev.Time, ev)
}

// graphTrack returns the track of an event of function_graph, and its depth. The depth is negative
// only in damaged events.
func (t *Timeline) graphTrack(ru *rule, ev *tracec.Event) (*Track, int32, bool) {
	tr := t.thread(Functions, ev)
	depth, ok := ev.Bits(ru.depth)
	return tr, int32(depth), ok && int32(depth) >= 0
}

// callers opens the calls around a call if they began before the recording, or among lost events.
// Their exits name them. Otherwise a missing depth is a function that another tracer follows, and
// this recording has no data of it.
func (t *Timeline) callers(tr *Track, depth int32, time uint64) {
	if tr.losses == t.graph.losses+1 {
		return
	}
	tr.losses = t.graph.losses + 1
	d := int32(0)
	if n := len(tr.Open); n > 0 {
		d = tr.Open[n-1].depth + 1
	}
	for ; d < depth && depth <= maxCallers && t.graph.unseen < maxUnseen; d++ {
		t.graph.unseen++
		begin := t.earlier(tr, len(tr.Open), time)
		unknown := t.names.of("", UnseenName)
		t.begin(tr, Span{Name: unknown, Begin: begin, Unseen: true, Call: true, depth: d}, nil)
	}
}

// earlier returns the begin of an unseen call on a track that began at the given time or earlier.
// Calls around it began no later. Outer calls with a known begin bound it. Outer calls with an
// unknown begin get the same time if they began later.
func (t *Timeline) earlier(tr *Track, place int, time uint64) uint64 {
	i := place
	for i > 0 && tr.Open[i-1].Unseen {
		i--
	}
	if i > 0 {
		time = max(time, tr.Open[i-1].Begin)
	}
	for ; i < place; i++ {
		tr.Open[i].Begin = min(tr.Open[i].Begin, time)
	}
	return time
}

// unnamed reports whether the function of a call is not yet known.
func (s *Span) unnamed() bool { return s.Unseen && s.Name.Text == UnseenName && s.Name.Category == "" }

// graphCut closes the innermost call, whose end was not recorded. An unnamed call is known only up
// to the previous event.
func (t *Timeline) graphCut(tr *Track, time uint64) {
	n := len(tr.Open) - 1
	if tr.Open[n].unnamed() {
		t.graph.unseen--
		time = max(tr.before, tr.ended)
	}
	t.cut(tr, n, time)
}

// length returns the duration of a call from its exit.
func (ru *rule) length(ev *tracec.Event) (uint64, bool) {
	if ru.call < 0 || ru.ret < 0 {
		return 0, false
	}
	call, _ := ev.Bits(ru.call)
	ret, ok := ev.Bits(ru.ret)
	return ret - call, ok && call != 0 && ret >= call
}

// function returns the name of the function at the address in an event.
func (t *Timeline) function(ru *rule, ev *tracec.Event) *Name {
	addr, ok := ev.Bits(ru.field)
	if !ok {
		return ru.name
	}
	slot := &t.graph.funcs[addr*0x9e3779b97f4a7c15>>52]
	if slot.name != nil && slot.addr == addr {
		return slot.name
	}
	text, _, ok := ev.Symbol(addr)
	if !ok {
		text = "0x" + strconv.FormatUint(addr, 16)
	}
	slot.addr, slot.name = addr, t.names.of(ru.name.Category, text)
	return slot.name
}
