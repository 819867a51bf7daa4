package aix

import "github.com/tracec/tracec/runtime/record"

// Names is the record.Names of a trace: threads come from Context and its layouts. Traces have no
// symbols.
type Names struct{ *Context }

var _ record.Names[Entry] = Names{}

// Names returns the names of the trace, for use from its first entry on. layouts may be nil.
// Without layouts there are no names.
func (r *Recording) Names(layouts *Layouts) Names { return Names{r.Context(layouts)} }

// Follow implements record.Names.
func (n Names) Follow(r *record.Record, e *Entry) { n.Update(r, e) }

// Thread implements record.Names.
func (n Names) Thread(*record.Record, *Entry) record.Thread {
	pid := n.PID()
	if pid != int64(int32(pid)) {
		pid = -1
	}
	return record.Thread{Comm: n.Process(), Process: int32(pid)}
}

// Symbol implements record.Names. It returns false.
func (n Names) Symbol(*record.Record, uint64) (name string, offset uint64, ok bool) {
	return "", 0, false
}
