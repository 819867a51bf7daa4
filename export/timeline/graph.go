package timeline

import (
	"strconv"

	"github.com/tracec/tracec/compiler/dynamic"
)

// graph is what is known of the tracer function_graph.
type graph struct {
	funcs [4096]struct { // names of functions, by a part of the address
		addr uint64
		name *Name
	}
}

// graphRule makes the rules of the entries of function_graph: its events say the depth of the call.
func graphRule(typ *dynamic.Type, exit bool) *rule {
	ru := &rule{do: graphEntry, field: typ.Index("func"), depth: typ.Index("depth"), call: typ.Index("calltime"), ret: typ.Index("rettime")}
	if exit {
		ru.do = graphExit
	}
	if ru.field < 0 || ru.depth < 0 {
		return nil
	}
	return ru
}

func graphEntry(t *Timeline, ru *rule, ev *dynamic.Event) {
	tr := t.thread(Functions, ev)
	depth, ok := ev.Bits(ru.depth)
	if !ok {
		t.instant(tr, ru.name, ev)
		return
	}
	d := int32(depth)
	for n := len(tr.Open); n > 0 && tr.Open[n-1].depth >= d; n-- {
		t.cut(tr, n-1, ev.Time)
	}
	t.begin(tr, Span{Name: t.function(ru, ev), Begin: ev.Time, Call: true, depth: d}, ev)
}

// graphExit ends a call. Of one whose entry was not recorded, the exit says the length.
func graphExit(t *Timeline, ru *rule, ev *dynamic.Event) {
	tr := t.thread(Functions, ev)
	depth, ok := ev.Bits(ru.depth)
	if !ok {
		t.instant(tr, ru.name, ev)
		return
	}
	d, name := int32(depth), t.function(ru, ev)
	for n := len(tr.Open); n > 0 && tr.Open[n-1].depth > d; n-- {
		t.cut(tr, n-1, ev.Time)
	}
	if n := len(tr.Open); n > 0 && tr.Open[n-1].depth == d {
		if tr.Open[n-1].Name == name {
			t.end(tr, ev.Time, ev)
			return
		}
		t.cut(tr, n-1, ev.Time)
	}
	length, ok := ru.length(ev)
	if !ok || length > ev.Time {
		t.instant(tr, name, ev)
		return
	}
	t.begin(tr, Span{Name: name, Begin: ev.Time - length, Unseen: true, Call: true, depth: d}, nil)
	t.end(tr, ev.Time, ev)
}

// length is how long a call took by its exit.
func (ru *rule) length(ev *dynamic.Event) (uint64, bool) {
	if ru.call < 0 || ru.ret < 0 {
		return 0, false
	}
	call, _ := ev.Bits(ru.call)
	ret, ok := ev.Bits(ru.ret)
	return ret - call, ok && call != 0 && ret >= call
}

// function is the name of the function whose address an event has.
func (t *Timeline) function(ru *rule, ev *dynamic.Event) *Name {
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
