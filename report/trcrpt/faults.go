package trcrpt

import (
	"fmt"
	"slices"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// fault is an error of an event or of a stream.
type fault struct {
	hook  uint16
	kind  faultKind
	env   aix.Env
	place int // in a block: twice the number of earlier events, plus one for a fault of the event itself
	err   error
}

type faultKind uint8

const (
	ofStream   faultKind = iota
	tooShort             // too short for its template; err is nil for later events of the hook
	noTemplate           // the template cannot be used in one of its environments
)

// shortMessages is the maximum number of messages about events of a hook that are too short.
const shortMessages = 10

// faults holds the reported faults.
type faults struct {
	short   map[uint16]int64 // number of too short events, by hook
	broken  map[fault]bool   // without err and place
	damaged bool
}

// tell reports a fault, at once or when its block is passed on.
func (p *printer) tell(f fault) {
	if p.block == nil {
		p.report(f)
		return
	}
	if f.place = 2 * p.block.N; !p.block.filling {
		f.place = 2*p.block.Done + 1
	}
	p.block.faults = append(p.block.faults, f)
}

// report reports a fault, unless there were enough faults of its kind.
func (p *printer) report(f fault) {
	p.faults.damaged = true
	switch f.kind {
	case tooShort:
		if p.faults.short == nil {
			p.faults.short = map[uint16]int64{}
		}
		if p.faults.short[f.hook]++; p.faults.short[f.hook] > shortMessages {
			return
		}
	case noTemplate:
		key := fault{hook: f.hook, kind: f.kind, env: f.env}
		if p.faults.broken[key] {
			return
		}
		if p.faults.broken == nil {
			p.faults.broken = map[fault]bool{}
		}
		p.faults.broken[key] = true
	}
	p.job.Warn(f.err)
}

// tooShort reports that an event was too short for its template. The message for loops with too
// many turns is counted with it (compiler/trcfmt, Options.MaxLoop).
func (p *printer) tooShort(h *hook, r *record.Record, e *aix.Entry) {
	f := fault{hook: uint16(r.ID), kind: tooShort}
	// Of several goroutines, each makes that many messages at most. report then limits them.
	if h.short++; h.short <= shortMessages {
		why := fmt.Sprintf("the event ends after %d bytes, its template reads %d", len(r.Data),
			p.templates.texts.Outcome.At)
		if p.templates.texts.Outcome.At <= int64(len(r.Data)) {
			why = "a loop of its template has more turns than an event can have"
		}
		f.err = fmt.Errorf("%s: offset %d: hook %s: %s", p.facts.File, e.Offset, h.name, why)
	}
	p.tell(f)
}

// tellShort reports the number of further events that are too short.
func (p *printer) tellShort() {
	var ids []uint16
	for id := range p.faults.short {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if n := p.faults.short[id] - shortMessages; n > 0 {
			p.job.Warn(fmt.Errorf("hook %s: %d more events are too short for its template", aix.HookName(id), n))
		}
	}
}
