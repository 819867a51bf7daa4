package traces

import (
	"fmt"
	"path/filepath"
	"strings"

	compiler "github.com/tracec/tracec/compiler/ctf"
	events "github.com/tracec/tracec/compiler/ctf/recorded"
	"github.com/tracec/tracec/compiler/ir"
	markers "github.com/tracec/tracec/compiler/lttng/recorded"
	lowered "github.com/tracec/tracec/compiler/perf"
	attrs "github.com/tracec/tracec/compiler/perf/recorded"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/layout"
	"github.com/tracec/tracec/runtime/lttng"
	recorded "github.com/tracec/tracec/runtime/lttng/layout"
	"github.com/tracec/tracec/runtime/perf"
	samples "github.com/tracec/tracec/runtime/perf/layout"
)

// lttngTrace opens a trace of LTTng.
func lttngTrace(dir string) trace[lttng.Entry, *lttng.Stream] {
	rec, err := lttng.Open(dir)
	if err != nil {
		panic(err)
	}
	info := rec.Traces()[0].Info()
	tr := trace[lttng.Entry, *lttng.Stream]{source: recorded.Source(rec), target: markers.Target(info), streams: rec.Streams}
	rules := markers.Rules(info)
	for i, m := range rec.Markers() {
		d := described[lttng.Entry]{id: uint32(i), same: fmt.Sprint(m.Format, rules.Era), own: true, entry: lttng.Entry{Marker: m}}
		if ev, err := markers.Compile(m, rules); err == nil {
			d.event = ev
		}
		tr.events = append(tr.events, d)
	}
	return tr
}

// ctfTrace opens a trace of the Common Trace Format.
func ctfTrace(dir string) trace[ctf.Entry, *ctf.Stream] {
	rec, err := ctf.Open(dir)
	if err != nil {
		panic(err)
	}
	tr := trace[ctf.Entry, *ctf.Stream]{source: layout.Source(rec), target: compiler.Target, streams: rec.Streams}
	chosen := map[[2]string]string{}
	u, _ := events.Unit(rec, func(string, string) bool { return true })
	for _, ev := range u.Events {
		chosen[[2]string{ev.Group, ev.Name}] = dump(ev)
	}
	for _, e := range rec.Events() {
		d := described[ctf.Entry]{id: uint32(e.Index), entry: ctf.Entry{Event: e}}
		if ev, err := compiler.Compile(e, compiler.Default); err == nil {
			values, _ := layout.Fields(e)
			d.event, d.same = ev, same(values)
			d.own = dump(ev) == chosen[[2]string{ev.Group, ev.Name}]
		}
		tr.events = append(tr.events, d)
	}
	return tr
}

// ctfApart opens such a trace. The group of its events is the name of its directory.
func ctfApart(dir string) trace[ctf.Entry, *ctf.Stream] {
	tr, group := ctfTrace(dir), filepath.Base(dir)
	for i := range tr.events {
		if ev := tr.events[i].event; ev != nil {
			ev.Group = group
		}
	}
	source := tr.source
	tr.source = func(name string) []bind.Event {
		events := source(name)
		for i := range events {
			events[i].Group = group
		}
		return events
	}
	return tr
}

// perfData opens a perf.data.
func perfData(name string) trace[perf.Entry, *perf.Stream] {
	rec, err := perf.Open(name)
	if err != nil {
		panic(err)
	}
	tr := trace[perf.Entry, *perf.Stream]{source: samples.Source(rec), target: attrs.Target(rec), streams: rec.Streams}
	told := map[string]bool{}
	for _, e := range rec.Events() {
		if e.IsTracepoint() {
			continue
		}
		d := described[perf.Entry]{id: e.ID, own: !told[e.Name], entry: perf.Entry{Event: e}}
		told[e.Name] = true
		if ev, err := lowered.Compile(e, tr.target.BigEndian); err == nil && len(ev.Fields) > 1 {
			d.event, d.same = ev, dump(ev)
		}
		tr.events = append(tr.events, d)
	}
	return tr
}

// same distinguishes descriptions with different texts or values.
func same(values []layout.Value) (s string) {
	for _, v := range values {
		s += fmt.Sprintf("%s %s ", v.Name, v.Label)
		if c := v.Class; c != nil {
			s += fmt.Sprint(c.Describe(), c.Base, c.Labels, c.Roles)
		}
		s += "{" + same(v.Parts) + "}"
	}
	return s
}

// dump describes an event.
func dump(ev *ir.Event) string {
	var b strings.Builder
	if err := ev.Dump(&b); err != nil {
		panic(err)
	}
	return b.String()
}
