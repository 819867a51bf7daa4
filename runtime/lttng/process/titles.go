package process

import (
	"cmp"
	"slices"
)

// Titles collects the names of processes, in any order of the events.
type Titles struct {
	Limit    int  // maximum number of bytes to collect
	Overflow bool // there were more bytes: no names are known
	used     int
	changes  []change
}

// change gives a process a name: the recorded one, or the name of its parent.
type change struct {
	time        uint64
	pid, parent int32 // parent is noParent if name is set
	name        string
}

const (
	noParent    = -1
	changeBytes = 32
)

// note handles an event of the process p.
func (t *Titles) note(a *action, time uint64, p int32, data []byte) {
	c := change{time: time, pid: p, parent: noParent}
	switch f := a.fields; a.kind {
	case fork:
		c.pid, c.parent = int32(f[1].Uint(data)), p
	case exec:
		c.name = f[0].Text(data)
	case dump:
		c.pid, c.name = int32(f[0].Uint(data)), f[2].Text(data)
	default:
		return
	}
	if t.used += changeBytes + len(c.name); t.used > t.Limit {
		t.Overflow, t.changes = true, nil
	}
	if !t.Overflow {
		t.changes = append(t.changes, c)
	}
}

// Last returns the last name of each process before a time. Processes that never had a name are
// missing.
func (t *Titles) Last(until uint64) map[int32]string {
	slices.SortStableFunc(t.changes, func(a, b change) int { return cmp.Compare(a.time, b.time) })
	names := map[int32]string{}
	for _, c := range t.changes {
		switch {
		case c.time >= until:
			return names
		case c.parent == noParent:
			names[c.pid] = c.name
		default:
			names[c.pid] = names[c.parent]
		}
	}
	return names
}
