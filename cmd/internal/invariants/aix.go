package main

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/aix"
)

// The hooks that switch tracing on and off (aix.md 2.7), in their form of 16 bits.
const (
	hookOn  = 0x0010
	hookOff = 0x0020
)

// aixSystem checks AIX traces.
type aixSystem struct {
	found   *findings
	streams streams
	offsets map[int32]int64
	off     map[int32]bool // by stream: whether tracing was switched off
}

func (a *aixSystem) event(ev *tracec.Event) {
	x := ev.Entry.(*aix.Entry)
	s := a.streams.at(ev.Stream)
	if ev.Lost != 0 {
		s.lose()
		delete(a.off, ev.Stream)
	}
	s.time(a.found, ev.Time, ev.Type.Label)
	if last, ok := a.offsets[ev.Stream]; ok && x.Offset <= last {
		a.found.add("offset goes back", "%d after %d of file %d", x.Offset, last, ev.Stream)
	}
	a.offsets[ev.Stream] = x.Offset
	switch ev.ID {
	case hookOn:
		delete(a.off, ev.Stream)
	case hookOff:
		a.off[ev.Stream] = true
	default:
		if a.off[ev.Stream] {
			a.found.add("event while tracing is off", "hook %04x at %d", ev.ID, x.Offset)
		}
	}
}

func (a *aixSystem) finish() {}
