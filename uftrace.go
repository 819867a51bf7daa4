package tracec

import (
	"iter"
	"slices"

	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// uftraceSource reads recordings of uftrace.
type uftraceSource struct {
	rec    *uftrace.Recording
	calls  *programs.Calls
	kernel *programs.Formats
	types  [2]programs.Table[Type] // by symbol, for calls and for returns
	events map[uint32]*Type
	others [4]*Type // by kind, without a symbol

	naming  *uftrace.Names
	threads bool            // follow names of threads
	chosen  *record.Options // the selection to apply above the container; nil selects all
	inside  []bool          // by Record.Stream: whether the last record with a time is in the window of chosen
}

// The machines of a recording. The word size of the kernel may differ from the word size of the
// program.
const (
	programMachine = iota
	kernelMachine
)

func newUftrace(rec *uftrace.Recording, o *options) *uftraceSource {
	s := &uftraceSource{rec: rec, calls: programs.NewCalls(rec), events: map[uint32]*Type{}, naming: rec.Names()}
	s.kernel, _ = programs.KernelFormats(rec)
	s.threads = o.threads
	return s
}

func (s *uftraceSource) open(o record.Options, chosen *chooser) walker {
	s.naming, s.chosen, s.inside = s.rec.Names(), nil, nil
	if s.threads && o.After == nil && s.renames() { // skipped events also carry names of threads
		own := o
		s.chosen, o.Since, o.LostSince = &own, 0, o.Since
		if o.IDs != nil {
			o.IDs = append(slices.Clone(o.IDs), uftrace.EventTaskName)
		}
	}
	return newWalk(s, s.rec.Merge(uftrace.MergeOptions{Options: o}), chosen, s.typeOf, asked(s.threads, s.naming))
}

// renames reports whether events may name threads. Only events of perf do.
func (s *uftraceSource) renames() bool {
	i := s.rec.Info()
	return i.Features&uftrace.FeatPerfEvent != 0 || i.Missing
}

func (s *uftraceSource) prepare(ev *Event) {
	_, tracepoints := programs.KernelFormats(s.rec)
	ev.symbols = &symbols{s.rec.Names(), ev}
	ev.use(plainText, programs.NewPrinter(s.calls.Env(ev.symbols)), tracepoints)
}

func (s *uftraceSource) entries() entries { return &list[uftrace.Entry]{} }

func (s *uftraceSource) successive() bool { return false }

func (s *uftraceSource) typeOf(r *record.Record, x *uftrace.Entry) *Type {
	if s.threads {
		s.naming.Follow(r, x)
	}
	if t := s.leaves(r, x); t != nil {
		return t
	}
	switch {
	case x.Kind == uftrace.Event:
		return s.event(r.ID)
	case x.Kind == uftrace.Lost || x.Sym == nil:
		return s.other(x.Kind)
	}
	return s.function(x.Sym, x.Kind)
}

// leaves is the function leaves, except for losses of threads, which have no time: see
// choice.Choice.Untimed.
func (s *uftraceSource) leaves(r *record.Record, x *uftrace.Entry) *Type {
	if s.chosen == nil {
		return nil
	}
	for int(r.Stream) >= len(s.inside) {
		s.inside = append(s.inside, s.chosen.Since == 0)
	}
	if x.Kind != uftrace.Lost || r.Time != 0 {
		s.inside[r.Stream] = within(s.chosen, r)
	}
	return leavesIn(s.chosen, r, s.inside[r.Stream])
}

func (s *uftraceSource) typeFor(r *record.Record, entry any) *Type {
	return s.typeOf(r, entry.(*uftrace.Entry))
}

// function returns the type of the calls of a function, or of its returns.
func (s *uftraceSource) function(sym *uftrace.Symbol, kind uftrace.Kind) *Type {
	return s.types[kind].At(uint32(sym.Index), func() *Type {
		p := s.calls.Call(sym, kind == uftrace.Leave)
		if p.Err != nil {
			t := unknown(sym.Module.Name, "%s", sym.Name)
			t.Err, t.Exit = p.Err, kind == uftrace.Leave
			return t
		}
		t := newType(p)
		t.Label = sym.Shown()
		return t
	})
}

// other returns the type of records of a kind without further information.
func (s *uftraceSource) other(kind uftrace.Kind) *Type {
	if s.others[kind] == nil {
		s.others[kind] = unknown("", "%s", otherNames[kind])
		s.others[kind].Exit = kind == uftrace.Leave
	}
	return s.others[kind]
}

// otherNames are the names of records without a symbol, by kind.
var otherNames = [...]string{"call", "return", "lost", "event"}

// maxEvents bounds the events of a damaged recording.
const maxEvents = 1 << 16

// event returns the type of an event of the kernel, perf or the recorder itself.
func (s *uftraceSource) event(id uint32) *Type {
	t := s.events[id]
	switch {
	case t != nil:
	case len(s.events) < maxEvents:
		t = s.newEvent(id)
		s.events[id] = t
	default:
		t = s.other(uftrace.Event)
	}
	return t
}

func (s *uftraceSource) newEvent(id uint32) *Type {
	if p := s.kernel.Program(id); p != nil {
		t := newType(p)
		t.machine = kernelMachine
		return t
	}
	if p := s.calls.Event(id); p != nil {
		return newType(p)
	}
	u := unknown("", "%s", s.rec.EventName(id))
	u.Err = nil // the event has only its name
	return u
}

// symbols finds the names of addresses in the program that a thread runs at the time of an event.
type symbols struct {
	names *uftrace.Names
	event *Event
}

// Symbol implements render.Symbols.
func (s *symbols) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	return s.names.Symbol(s.event.Record, addr)
}

func (s *uftraceSource) names(yield func(system, name, alias string) bool) {
	for _, y := range s.rec.Symbols() {
		if !yield(y.Module.Name, y.Name, y.Shown()) {
			return
		}
	}
	for id := range s.eventIDs() {
		if t := s.event(id); !yield(t.System, t.Name, t.Label) {
			return
		}
	}
	for _, name := range otherNames {
		if !yield("", name, "") {
			return
		}
	}
}

func (s *uftraceSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, y := range s.rec.Symbols() {
		if match(y.Module.Name, y.Name, y.Shown()) &&
			(!yield(s.function(y, uftrace.Enter)) || !yield(s.function(y, uftrace.Leave))) {
			return
		}
	}
	for id := range s.eventIDs() {
		if !yield(s.event(id)) {
			return
		}
	}
}

// ids returns nil if patterns may select events without a description, since these events are not
// listed.
func (s *uftraceSource) ids(c *chooser) (ids, after []uint32) {
	if !c.unlike("user_event:", "linux:", "builtin_event:", otherNames[uftrace.Event]) {
		return nil, nil
	}
	ids = []uint32{}
	for _, y := range s.rec.Symbols() {
		if c.named(y.Module.Name, y.Name, y.Shown()) {
			ids = append(ids, y.ID(uftrace.Enter), y.ID(uftrace.Leave))
		}
	}
	for id := range s.eventIDs() {
		if t := s.event(id); c.named(t.System, t.Name, t.Label) {
			ids = append(ids, id)
		}
	}
	if slices.ContainsFunc(otherNames[:], func(name string) bool { return c.named("", name, "") }) {
		ids = append(ids, uftrace.NoSymbol)
	}
	return ids, nil
}

// eventIDs returns an iterator over the events that the recording describes, and over the events
// that every recording may have.
func (s *uftraceSource) eventIDs() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for id := range s.rec.Events() {
			if !yield(id) {
				return
			}
		}
		for _, r := range [...][2]uint32{
			{uftrace.EventReadStatm, uftrace.EventCallsite}, {uftrace.EventSchedIn, uftrace.EventSchedPre},
			{uftrace.EventExtern, uftrace.EventExtern},
		} {
			for id := r[0]; id <= r[1]; id++ {
				if !yield(id) {
					return
				}
			}
		}
	}
}

func (s *uftraceSource) kinds() (labels, exits bool) { return true, true }

func (s *uftraceSource) commOf(r *record.Record, entry any) string {
	return s.naming.Thread(r, entry.(*uftrace.Entry)).Comm
}
