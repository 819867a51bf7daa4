package tracecmd

import (
	"context"
	"fmt"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/pair"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Profile are the options of --profile. If Options.Profile is nil, events are printed.
type Profile struct {
	Hooks      []Hook // -H
	GlobalIRQs bool   // -G: interrupts count for processors instead of tasks
	ByComm     bool   // --by-comm: sum up tasks with the same name
}

// profile sums up one input. All its tables are bounded, since damaged recordings have a new task
// and a new value in every record.
type profile struct {
	p       *printer
	in      *input
	opts    *Profile
	kinds   map[uint32]*profileKind
	tasks   map[int32]*account
	cpus    map[int32]*account // accounts of processors
	open    pair.Table[openKey, start]
	lost    uint32 // number of gaps: switches before them have no end
	entries int
	held    int // number of entries so far; ended entries free their memory
	dropped int64
}

// maxEntries bounds the entries and the pending starts of an input. The largest recording of all
// events of a busy minute has some 10,000.
const maxEntries = 1 << 20

// entryBytes is the approximate size of an entry or an account, including its places in maps and in
// the order of printing.
const entryBytes = 1 << 10

// account is the state of one task, or of one processor.
type account struct {
	number  int32 // unique in the profile
	comm    string
	entries map[entryKey]*entry
	running bool      // runs, after a switch without a wakeup
	execed  bool      // comm is out of date
	last    lastEvent // the event for a stack that follows
}

// entryKey distinguishes the entries of an account. label is the text after the name.
type entryKey struct {
	label string
	value uint64
}

// lastEvent is the event of a task that a directly following stack belongs to: starts, or an entry.
type lastEvent struct {
	starts []pair.Ref
	entry  *entry
}

// entry is one line of the output.
type entry struct {
	durations
	key    entryKey
	kind   *pairing // nil for an entry without times
	stacks *stackNode
}

// profiles prints the profile of every input.
func (p *printer) profiles(ctx context.Context) error {
	streams, err := p.streams(ctx, false)
	if err != nil {
		return err
	}
	byInput := map[*input]*profile{}
	for _, in := range p.inputs {
		byInput[in] = newProfile(p, in)
	}
	if err := p.each(streams, func(s *source, r *record.Record) {
		byInput[s.buffer.in].record(s, r)
	}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, in := range p.inputs {
		if len(p.inputs) > 1 {
			p.buf = fmt.Appendf(p.buf, "\n%s:\n", in.name)
		}
		byInput[in].print()
		if n := byInput[in].dropped; n > 0 {
			p.damage(fmt.Errorf("%s: %d events are not in the profile: it has too many different values (option --memory raises the limit)", in.opts.Path, n))
		}
	}
	return p.flush()
}

func newProfile(p *printer, in *input) *profile {
	pr := &profile{
		p: p, in: in, opts: p.opts.Profile, kinds: map[uint32]*profileKind{},
		tasks: map[int32]*account{}, cpus: map[int32]*account{},
	}
	// Pairs of one kind may be nested, since all processors share task 0. After a loss only the
	// times of switches are in doubt: see end.
	pr.open = pair.Table[openKey, start]{Limit: maxEntries, Nested: true, AcrossLost: true}
	pairs := pairings(in, pr.opts)
	for id, f := range in.formats.byID {
		pr.kinds[id] = newProfileKind(f, in, pr.opts, pairs)
	}
	return pr
}

// profileKind describes the use of an event in the profile.
type profileKind struct {
	format *ftrace.Format
	first  span // the first field that is not common: the value of events without times
	starts []*pairing
	ends   []*pairing
	silent bool
	exec   bool
	stack  *stackFields

	// The names and pids of the tasks in sched_switch.
	comm, pid, prevComm, prevPID span
	fn                           bool // event of the function tracer: value is a function
}

func newProfileKind(f *ftrace.Format, in *input, o *Profile, pairs []*pairing) *profileKind {
	k := &profileKind{format: f}
	for i := range f.Fields {
		if !f.Fields[i].Common {
			k.first = span{f.Fields[i].Offset, f.Fields[i].Size}
			break
		}
	}
	for _, p := range pairs {
		if p.startFormat == f {
			k.starts = append(k.starts, p)
		}
		if p.endFormat == f {
			k.ends = append(k.ends, p)
		}
	}
	for _, b := range builtin { // even if a hook uses the other event of the pair
		if findFormat(in, b.start) != nil && findFormat(in, b.end) != nil {
			k.silent = k.silent || findFormat(in, b.start) == f || findFormat(in, b.end) == f
		}
	}
	switch f.System + ":" + f.Name {
	case "ftrace:kernel_stack":
		k.stack = newStackFields(f, in.info.WordSize)
	case "ftrace:function":
		k.fn = true
	case "sched:sched_process_exec": // holds a name, and does not count
		k.silent, k.exec = true, true
	case "sched:sched_switch":
		if hooked(in, o.Hooks, "sched:sched_switch") {
			break
		}
		k.comm, k.pid = fieldSpan(f, "next_comm"), fieldSpan(f, "next_pid")
		k.prevComm, k.prevPID = fieldSpan(f, "prev_comm"), fieldSpan(f, "prev_pid")
	}
	return k
}

// record adds a record to the profile.
func (pr *profile) record(s *source, r *record.Record) {
	k := pr.kinds[r.ID]
	if k == nil {
		return
	}
	if ev := pr.p.event(pr.in, r.ID); ev.hidden || pr.p.skip(s, ev, r) {
		return
	}
	if r.Lost != 0 {
		pr.lost++
	}
	task := pr.account(pr.tasks, r.Task)
	if task == nil {
		return
	}
	if k.stack != nil {
		pr.stack(task, k.stack, r)
		return
	}
	task.last = lastEvent{starts: task.last.starts[:0]}
	if k.comm.size > 0 {
		pr.learn(k, r)
	}
	if k.exec {
		task.execed = true
	}
	ended := false
	for _, p := range k.ends {
		one := pr.end(task, p, r)
		ended = ended || one
		if k.comm.size > 0 && p.label == "sched_switch" {
			pr.switched(k, one, r)
		}
	}
	for i, p := range k.starts {
		// two pairs may share one start
		if p.follows && !ended && !pr.running(p, r) || i > 0 && k.starts[i-1].label == p.label {
			continue
		}
		pr.start(task, p, r)
	}
	if len(k.starts)+len(k.ends) == 0 && !k.silent {
		key := entryKey{k.format.Name, k.first.uint64(r.Data, pr.in.formats.target.BigEndian)}
		if k.fn {
			key.label = "func"
		}
		if e := pr.entry(task, key, nil); e != nil {
			e.count++
			task.last.entry = e
		}
	}
}

// switched notes which task runs, and whether it runs without a wakeup.
func (pr *profile) switched(k *profileKind, unawoken bool, r *record.Record) {
	big := pr.in.formats.target.BigEndian
	for i, pid := range [...]span{k.prevPID, k.pid} {
		if a := pr.tasks[int32(pid.uint64(r.Data, big))]; a != nil {
			a.running = i == 1 && unawoken
		}
	}
}

// running reports whether the task of a wakeup already runs.
func (pr *profile) running(p *pairing, r *record.Record) bool {
	a := pr.tasks[int32(p.startPID.uint64(r.Data, pr.in.formats.target.BigEndian))]
	return a != nil && a.running
}

// account finds the account of a task or processor. It returns nil if there are too many.
func (pr *profile) account(list map[int32]*account, id int32) *account {
	a := list[id]
	if a == nil {
		if !pr.room() {
			return nil
		}
		a = &account{number: int32(len(pr.tasks) + len(pr.cpus)), entries: map[entryKey]*entry{}}
		list[id] = a
	}
	return a
}

func (pr *profile) entry(a *account, key entryKey, kind *pairing) *entry {
	e := a.entries[key]
	if e == nil {
		if !pr.room() {
			return nil
		}
		e = &entry{key: key, kind: kind}
		a.entries[key] = e
	}
	return e
}

// room reports whether one more entry fits.
func (pr *profile) room() bool {
	if pr.entries >= maxEntries || pr.entries == pr.held && pr.in.rec.Hold(entryBytes) != nil {
		pr.dropped++
		return false
	}
	pr.entries++
	pr.held = max(pr.held, pr.entries)
	return true
}

// learn takes the names of tasks from a switch. Like trace-cmd, it keeps the first name of task 0.
func (pr *profile) learn(k *profileKind, r *record.Record) {
	big := pr.in.formats.target.BigEndian
	for _, t := range [...][2]span{{k.prevPID, k.prevComm}, {k.pid, k.comm}} {
		a := pr.account(pr.tasks, int32(t[0].uint64(r.Data, big)))
		if a == nil || a.comm != "" || t[1].off+t[1].size > len(r.Data) {
			continue
		}
		a.comm = string(render.CString(r.Data[t[1].off:][:t[1].size]))
	}
}

// comm returns the name of a task.
func (pr *profile) comm(pid int32) string {
	name := pr.in.comm(pid)
	if a := pr.tasks[pid]; a != nil && a.comm != "" && !a.execed {
		return a.comm
	}
	return name
}

// uint64 reads a field of 1, 2, 4 or 8 bytes. It returns 0 for other sizes, as trace-cmd does, and
// if the record is too short.
func (s span) uint64(data []byte, big bool) uint64 {
	switch s.size {
	case 1, 2, 4:
		return uint64(s.of(data, big))
	case 8:
		low, high := span{s.off, 4}, span{s.off + 4, 4}
		if big {
			low, high = high, low
		}
		if s.off+8 > len(data) {
			return 0
		}
		return uint64(high.of(data, big))<<32 | uint64(low.of(data, big))
	}
	return 0
}

func fieldSpan(f *ftrace.Format, name string) span {
	if fd := f.Field(name); fd != nil {
		return span{fd.Offset, fd.Size}
	}
	return span{}
}
