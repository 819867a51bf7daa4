package ctf

import "github.com/tracec/tracec/runtime/record"

// Names is the record.Names of a recording. Names of threads are in contexts of events, in the
// environments of traces of one process, and in events of the scheduler. There are no symbols.
type Names struct {
	small []known // by thread
	large map[int32]*known
}

// known are the known facts about a thread.
type known struct {
	name    string
	process int32 // 0 if unknown
}

const (
	maxSmall = 1 << 16
	maxNamed = 1 << 20 // bound for a hostile trace
)

var _ record.Names[Entry] = (*Names)(nil)

// Names returns the names of a recording, for use from its first record on.
func (r *Recording) Names() *Names { return &Names{large: map[int32]*known{}} }

// of returns the known facts about a thread.
func (n *Names) of(thread int32) *known {
	if thread >= 0 && thread < maxSmall {
		for int(thread) >= len(n.small) {
			n.small = append(n.small, known{})
		}
		return &n.small[thread]
	}
	k := n.large[thread]
	if k == nil {
		if len(n.large) >= maxNamed {
			clear(n.large)
		}
		k = new(known)
		n.large[thread] = k
	}
	return k
}

// OwnNames reports whether each event alone contains everything that [Names] know about its thread.
// Events can then be read in any order, and some of them can be skipped.
func (r *Recording) OwnNames() bool {
	var first *Event // the first event that has its thread
	for _, e := range r.events {
		t := &e.threads
		switch {
		case t.next.class != nil, t.other.class != nil:
			return false
		case t.id.class == nil:
			continue
		case t.name.class == nil && e.trace.process != "": // the first trace with the thread names it
			return false
		case first == nil:
			first = e
		}
		f := &first.threads
		if (t.name.class == nil) != (f.name.class == nil) || (t.process.class == nil) != (f.process.class == nil) {
			return false
		}
	}
	return true
}

func (k *known) call(name []byte) {
	if k.name != string(name) {
		k.name = string(name)
	}
}

// Follow implements record.Names.
func (n *Names) Follow(r *record.Record, x *Entry) {
	t := &x.Event.threads
	if r.Task >= 0 {
		k := n.of(r.Task)
		if t.name.class != nil {
			k.call(t.name.text(r.Data))
		}
		if k.name == "" {
			k.name = x.Event.trace.process
		}
		if p, ok := t.process.number(r.Data); ok {
			k.process = p
		}
	}
	if t.next.class != nil {
		n.tell(&t.prev, &t.prevName, r.Data)
		n.tell(&t.next, &t.nextName, r.Data)
	}
	if t.other.class != nil {
		k := n.tell(&t.other, &t.otherName, r.Data)
		if p, ok := t.otherProcess.number(r.Data); ok && k != nil {
			k.process = p
		}
	}
}

// tell notes the name of a thread other than the event's own thread.
func (n *Names) tell(id, name *place, data []byte) *known {
	number, ok := id.number(data)
	if !ok || number <= 0 { // 0 is the idle thread of each processor
		return nil
	}
	k := n.of(number)
	if text := name.text(data); len(text) > 0 {
		k.call(text)
	}
	return k
}

// Thread implements record.Names.
func (n *Names) Thread(r *record.Record, x *Entry) record.Thread {
	if r.Task < 0 {
		return record.Unknown
	}
	k := n.of(r.Task)
	t := record.Thread{Comm: k.name, Process: k.process}
	if k.process == 0 {
		t.Process = -1
	}
	return t
}

// Symbol implements record.Names. It returns false.
func (n *Names) Symbol(*record.Record, uint64) (name string, offset uint64, ok bool) {
	return "", 0, false
}
