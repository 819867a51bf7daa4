package timeline

import (
	"bytes"

	"github.com/tracec/tracec/compiler/dynamic"
)

// rule is what events of a type are.
type rule struct {
	do   func(t *Timeline, ru *rule, ev *dynamic.Event)
	kind TrackKind
	key  uint32 // of the spans that it begins or ends
	name *Name
	// Fields, -1 for none: what names the span, and what only some rules read.
	field, depth, call, ret int
	exits                   bool   // the span is the end of the thread
	prefix                  string // before what field says
	names                   map[uint64]*Name
}

// event follows an event of any system but uftrace.
func (t *Timeline) event(ev *dynamic.Event) {
	t.now, t.told = max(t.now, ev.Time), false
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

// thread returns the track of the thread of an event; where it says none, that of such events of its processor.
func (t *Timeline) thread(kind TrackKind, ev *dynamic.Event) *Track {
	if ev.Task < 0 {
		return t.tracks.at(Unknown, ev.CPU, ev.CPU)
	}
	tr := t.tracks.at(kind, ev.Task, ev.CPU)
	tr.last = ev.Time
	if comm := ev.Comm(); comm != tr.Name && comm != "" {
		tr.Name, tr.Process = comm, ev.Process()
	}
	return tr
}

func (t *Timeline) cpu(kind TrackKind, ev *dynamic.Event) *Track {
	if ev.CPU < 0 {
		return t.tracks.at(Unknown, -1, -1)
	}
	return t.tracks.at(kind, ev.CPU, ev.CPU)
}

// track is that of the events of a rule.
func (t *Timeline) track(ru *rule, ev *dynamic.Event) *Track {
	if ru.kind <= Functions {
		return t.thread(ru.kind, ev)
	}
	return t.cpu(ru.kind, ev)
}

func doInstant(t *Timeline, ru *rule, ev *dynamic.Event) {
	t.instant(t.track(ru, ev), ru.name, ev)
}

func doBegin(t *Timeline, ru *rule, ev *dynamic.Event) {
	t.begin(t.track(ru, ev), Span{Name: t.nameOf(ru, ev), Begin: ev.Time, key: ru.key}, ev)
}

// doEnd ends the innermost span of its key, and those within it.
func doEnd(t *Timeline, ru *rule, ev *dynamic.Event) {
	t.endKey(t.track(ru, ev), ru.key, ru.name, ev)
}

func (t *Timeline) endKey(tr *Track, key uint32, name *Name, ev *dynamic.Event) {
	around := tr.around(key)
	if around < 0 {
		t.instant(tr, name, ev)
		return
	}
	t.cut(tr, around+1, ev.Time)
	t.end(tr, ev.Time, ev)
}

// doSyscall begins a system call. A thread is in one at a time: one that is open has ended unseen. Where both events of one call are recorded,
// raw_syscalls:sys_enter and syscalls:sys_enter_X, the second is an instant.
func doSyscall(t *Timeline, ru *rule, ev *dynamic.Event) {
	tr := t.track(ru, ev)
	flavour := int32(ru.depth)
	if around := tr.around(ru.key); around >= 0 {
		if tr.Open[around].depth != flavour {
			t.instant(tr, ru.name, ev)
			return
		}
		t.cut(tr, around, ev.Time)
	}
	t.begin(tr, Span{Name: t.nameOf(ru, ev), Begin: ev.Time, key: ru.key, depth: flavour, exits: ru.exits}, ev)
}

// doSwitch ends what the processor ran and begins what it runs; of the thread that is switched from it is an instant.
func doSwitch(t *Timeline, ru *rule, ev *dynamic.Event) {
	t.instant(t.thread(Thread, ev), ru.name, ev)
	tr := t.cpu(CPU, ev)
	prev, _ := ev.Bits(ru.call)
	next, ok := ev.Bits(ru.ret)
	if n := len(tr.Open); n > 0 {
		tr.Open[0].Cut = tr.Open[0].key != uint32(prev) // a switch between was lost
		t.cut(tr, 1, ev.Time)
		t.end(tr, ev.Time, ev)
	}
	if ok && uint32(next) != 0 { // 0 is the idle thread
		t.begin(tr, Span{Name: t.nameOf(ru, ev), Begin: ev.Time, key: uint32(next)}, ev)
	}
}

// doPrint follows texts that programs write to trace_marker as those of Android do: B|pid|name begins a section, E ends it.
func doPrint(t *Timeline, ru *rule, ev *dynamic.Event) {
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

// nameOf is the name of the span that an event begins.
func (t *Timeline) nameOf(ru *rule, ev *dynamic.Event) *Name {
	if ru.field < 0 {
		return ru.name
	}
	v, ok := ev.At(ru.field)
	if !ok {
		return ru.name
	}
	if v.Kind() == dynamic.Text {
		return t.names.ofBytes(ru.name.Category, v.Bytes())
	}
	n := ru.names[v.Uint()]
	if n == nil {
		text := []byte(ru.prefix)
		if named, ok := v.AppendName(text); ok {
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
