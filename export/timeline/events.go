package timeline

import (
	"bytes"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/syscalls"
)

// A rule is the meaning of the events of a type.
type rule struct {
	do   func(t *Timeline, ru *rule, ev *tracec.Event)
	kind TrackKind
	key  uint32 // key of the spans that it begins or ends
	name *Name
	// Fields, -1 if missing: the name of the span, and fields that only some rules read.
	field, depth, call, ret, flags int
	calls                          syscalls.Table // names for the values of field
	alone                          bool           // at most one span of the key is open, instead of one of each name
	prefix                         string         // prefix of the value of field
	names                          map[uint64]*Name
}

// event handles an event of any system except uftrace.
func (t *Timeline) event(ev *tracec.Event) {
	t.now, t.given = max(t.now, ev.Time), false
	if ev.Lost != 0 {
		t.graph.losses++
	}
	n := ev.Type.Number
	for len(t.rules) <= n {
		t.rules = append(t.rules, nil)
	}
	ru := t.rules[n]
	if ru == nil {
		ru = t.newRule(ev.Type)
		t.rules[n] = ru
	}
	ru.do(t, ru, ev)
}

// thread returns the track of the thread of an event. If the event has no thread, the track holds
// such events of its processor.
func (t *Timeline) thread(kind TrackKind, ev *tracec.Event) *Track {
	if ev.Task < 0 {
		return t.tracks.at(Unknown, ev.CPU, ev.CPU)
	}
	tr := t.tracks.at(kind, ev.Task, ev.CPU)
	tr.before, tr.last = tr.last, ev.Time
	if comm := ev.Comm(); comm != tr.Name && comm != "" {
		tr.Name, tr.Process = comm, ev.Process()
	} else if tr.Process < 0 { // the process may be known before the name
		tr.Process = ev.Process()
	}
	return tr
}

func (t *Timeline) cpu(kind TrackKind, ev *tracec.Event) *Track {
	if ev.CPU < 0 {
		return t.tracks.at(Unknown, -1, -1)
	}
	return t.tracks.at(kind, ev.CPU, ev.CPU)
}

// track returns the track for the events of a rule.
func (t *Timeline) track(ru *rule, ev *tracec.Event) *Track {
	if ru.kind <= Functions {
		return t.thread(ru.kind, ev)
	}
	return t.cpu(ru.kind, ev)
}

func doInstant(t *Timeline, ru *rule, ev *tracec.Event) {
	t.instant(t.track(ru, ev), ru.name, ev)
}

func doBegin(t *Timeline, ru *rule, ev *tracec.Event) {
	t.begin(t.track(ru, ev), Span{Name: t.nameOf(ru, ev), Begin: ev.Time, key: ru.key}, ev)
}

// doBeginOne begins a span that cannot be within another of its kind, unless it interrupts that. An
// open span in the same context has ended unseen.
func doBeginOne(t *Timeline, ru *rule, ev *tracec.Event) {
	tr, name, in := t.track(ru, ev), t.nameOf(ru, ev), int32(kernel.Context(ev, ru.flags))
	for i := len(tr.Open) - 1; i >= 0; i-- {
		if s := &tr.Open[i]; s.key == ru.key && s.depth == in && (ru.alone || s.Name == name) {
			t.cut(tr, i, ev.Time)
			break
		}
	}
	t.begin(tr, Span{Name: name, Begin: ev.Time, key: ru.key, depth: in}, ev)
}

// doEnd ends the innermost span of its key, and the spans inside it.
func doEnd(t *Timeline, ru *rule, ev *tracec.Event) {
	t.endKey(t.track(ru, ev), ru.key, ru.name, ev)
}

func (t *Timeline) endKey(tr *Track, key uint32, name *Name, ev *tracec.Event) {
	around := tr.around(key)
	if around < 0 {
		t.instant(tr, name, ev)
		return
	}
	t.cut(tr, around+1, ev.Time)
	t.end(tr, ev.Time, ev)
}

// doSyscall begins a system call. A thread is in one call at a time, so an open call has ended
// unseen. If both events of one call are recorded, raw_syscalls:sys_enter and syscalls:sys_enter_X,
// the second one is an instant.
func doSyscall(t *Timeline, ru *rule, ev *tracec.Event) {
	tr := t.track(ru, ev)
	flavour := int32(ru.depth)
	if around := tr.around(ru.key); around >= 0 {
		switch open := &tr.Open[around]; {
		case open.depth != flavour:
			t.instant(tr, ru.name, ev)
			return
		case open.exits: // a new thread has the number of the old one
			t.cut(tr, around, max(tr.before, tr.ended))
		default:
			t.cut(tr, around, ev.Time)
		}
	}
	name := t.nameOf(ru, ev)
	exits := name.Text == "exit" || name.Text == "exit_group"
	s := Span{Name: name, Begin: ev.Time, key: ru.key, depth: flavour, exits: exits}
	if flavour == rawSyscall && ru.field >= 0 {
		s.call, _ = ev.Bits(ru.field)
	}
	t.begin(tr, s, ev)
}

// doSyscallEnd ends a system call. A different number belongs to another call: its begin is
// missing, and so is the end of the open call (docs/spec/tables.md section 4). The number is -1 at
// the end of sigreturn.
func doSyscallEnd(t *Timeline, ru *rule, ev *tracec.Event) {
	tr := t.track(ru, ev)
	around := tr.around(ru.key)
	if around >= 0 && tr.Open[around].depth == rawSyscall && ru.field >= 0 {
		if n, ok := ev.Bits(ru.field); ok && int64(n) != -1 && n != tr.Open[around].call {
			t.cut(tr, around, ev.Time)
		}
	}
	t.endKey(tr, ru.key, ru.name, ev)
}

// doSwitch ends the previous span of the processor and begins the next one. It is an instant of the
// thread that is switched from.
func doSwitch(t *Timeline, ru *rule, ev *tracec.Event) {
	from := t.thread(Thread, ev)
	t.instant(from, ru.name, ev)
	prev, _ := ev.Bits(ru.call)
	if ev.Task > 0 && uint32(prev) == uint32(ev.Task) && t.dead(ru, ev) {
		t.gone(ev.Task, ev.Time)
	}
	tr := t.cpu(CPU, ev)
	next, ok := ev.Bits(ru.ret)
	if n := len(tr.Open); n > 0 {
		tr.Open[0].Cut = tr.Open[0].key != uint32(prev) // a switch in between was lost
		t.cut(tr, 1, ev.Time)
		t.end(tr, ev.Time, ev)
	}
	if ok && uint32(next) != 0 { // 0 is the idle thread
		t.begin(tr, Span{Name: t.nameOf(ru, ev), Begin: ev.Time, key: uint32(next)}, ev)
	}
}

// doPrint handles texts in the form of Android that programs write to trace_marker: B|pid|name
// begins a section, E ends it.
func doPrint(t *Timeline, ru *rule, ev *tracec.Event) {
	tr := t.thread(Thread, ev)
	v, _ := ev.At(ru.field)
	text := bytes.TrimRight(v.Bytes(), "\n")
	switch {
	case len(text) > 2 && text[0] == 'B' && text[1] == '|':
		if _, name, ok := bytes.Cut(text[2:], []byte("|")); ok {
			t.begin(tr, Span{Name: t.names.ofBytes(ru.name.Category, name), Begin: ev.Time, key: ru.key}, ev)
			return
		}
	case len(text) > 0 && text[0] == 'E' && (len(text) == 1 || text[1] == '|'):
		t.endKey(tr, ru.key, ru.name, ev)
		return
	}
	t.instant(tr, ru.name, ev)
}

// nameOf returns the name of the span that an event begins.
func (t *Timeline) nameOf(ru *rule, ev *tracec.Event) *Name {
	if ru.field < 0 {
		return ru.name
	}
	v, ok := ev.At(ru.field)
	if !ok {
		return ru.name
	}
	if v.Kind() == tracec.Text {
		return t.names.ofBytes(ru.name.Category, v.Bytes())
	}
	n := ru.names[v.Uint()]
	if n == nil {
		text := []byte(ru.prefix)
		if call, ok := ru.calls[v.Uint()]; ok {
			text = []byte(call)
		} else if named, ok := v.AppendName(text); ok {
			text = named
		} else if name, _, ok := ev.Symbol(v.Uint()); ok && ev.Type.Fields[ru.field].Size >= 4 && ru.prefix == "" {
			text = append(text, name...)
		} else {
			text = v.Append(text)
		}
		if n = t.names.of(ru.name.Category, string(text)); len(ru.names) < maxNames {
			ru.names[v.Uint()] = n
		}
	}
	return n
}
