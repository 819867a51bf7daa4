package uftrace

import "github.com/tracec/tracec/runtime/record"

// Names is the record.Names of a recording. Threads have the names of task.txt until an event of
// perf renames them. Symbols are the symbols of the program that a thread ran at the time, and of
// the kernel.
type Names struct {
	rec     *Recording
	renamed map[int32]string
}

var _ record.Names[Entry] = (*Names)(nil)

// maxRenamed limits the names of a damaged recording.
const maxRenamed = 1 << 16

// Names returns the names of the recording, for use from its first record on.
func (r *Recording) Names() *Names { return &Names{rec: r, renamed: map[int32]string{}} }

// Follow implements record.Names.
func (n *Names) Follow(r *record.Record, x *Entry) {
	if x.Kind == Event && r.ID == EventTaskName && (n.renamed[r.Task] != "" || len(n.renamed) < maxRenamed) {
		n.renamed[r.Task] = string(r.Data)
	}
}

// Thread implements record.Names.
func (n *Names) Thread(r *record.Record, _ *Entry) record.Thread {
	t := n.rec.Task(r.Task)
	if t == nil {
		return record.Unknown
	}
	if name, ok := n.renamed[r.Task]; ok {
		return record.Thread{Comm: name, Process: t.PID}
	}
	return record.Thread{Comm: t.Comm, Process: t.PID}
}

// Symbol implements record.Names. Names are as in Symbol.Shown.
func (n *Names) Symbol(r *record.Record, addr uint64) (name string, offset uint64, ok bool) {
	t := n.rec.Task(r.Task)
	if t == nil {
		return "", 0, false
	}
	sym, offset := t.SessionAt(r.Time).Find(addr, r.Time)
	if sym == nil {
		return "", 0, false
	}
	return sym.Shown(), offset, true
}
