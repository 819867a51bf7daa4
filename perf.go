package tracec

import (
	"slices"

	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// perfSource reads perf.data.
type perfSource struct {
	rec     *perf.Recording
	list    []*perf.Event
	events  *programs.Perf
	types   programs.Table[Type] // by Event.Index
	threads bool                 // follow names of threads
	naming  *perf.Names
	chosen  *record.Options // the selection to apply above the container; nil selects all
	since   uint64          // earlier samples are not needed
}

func newPerf(rec *perf.Recording, o *options) *perfSource {
	return &perfSource{rec: rec, list: rec.Events(), events: programs.NewPerf(rec), threads: o.threads,
		naming: rec.Names()}
}

func (s *perfSource) open(o record.Options, chosen *chooser) walker {
	o, since := s.choose(o)
	return s.walk(s.rec.MergeSince(o, since), s.rec.Names(), chosen)
}

// choose returns the selection for the container, and the time before which the container may skip
// samples. Skipped records also carry names of threads, so the container must read more if threads
// are needed. s.chosen then selects among its records.
func (s *perfSource) choose(o record.Options) (read record.Options, since uint64) {
	if s.chosen = nil; !s.threads || o.IDs == nil && o.Since == 0 && o.CPUs == nil && o.Tasks == nil {
		return o, s.since
	}
	s.chosen = &o
	return record.Options{Until: o.Until, Workers: o.Workers, Context: o.Context, IDs: s.withTypes(o.IDs)},
		max(s.since, o.Since)
}

// walk walks through records. names holds the names at the start of the recording.
func (s *perfSource) walk(m *record.Merger[perf.Entry], names *perf.Names, chosen *chooser) walker {
	s.naming.Close()
	s.naming = names
	return newWalk(s, m, chosen, s.typeOf, asked(s.threads, names))
}

// withTypes adds the ids of all record types to ids of events. Nil selects all and remains nil.
func (s *perfSource) withTypes(ids []uint32) []uint32 {
	if ids == nil {
		return nil
	}
	ids = slices.Clone(ids)
	for _, e := range s.list {
		if e.Attr == nil && e.Kind != perf.FinishedRound {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func (s *perfSource) prepare(ev *Event) {
	env := s.events.Env()
	symbols := &perfSymbols{ev: ev, resolver: s.rec.Resolver()}
	env.Symbols = symbols
	ev.use(plainText, programs.NewPrinter(env))
	ev.symbols, ev.chain = symbols, symbols
}

func (s *perfSource) entries() entries { return new(perfEntries) }

func (s *perfSource) successive() bool { return false }

func (s *perfSource) typeOf(r *record.Record, x *perf.Entry) *Type {
	if s.threads {
		s.naming.Follow(r, x)
	}
	if t := leaves(s.chosen, r); t != nil {
		return t
	}
	return s.eventType(x.Event)
}

func (s *perfSource) typeFor(_ *record.Record, entry any) *Type {
	return s.eventType(entry.(*perf.Entry).Event)
}

func (s *perfSource) eventType(e *perf.Event) *Type {
	return s.types.At(uint32(e.Index), func() *Type {
		t := s.newType(e)
		if e.Attr != nil && (e.Attr.SampleType&perf.HasCallchain != 0 ||
			e.Attr.SampleType&perf.HasIP != 0 && !e.IsTracepoint()) {
			t.stack = &stackLayout{kind: CallChain, size: -1, tgid: -1, unit: "count"}
			if e.Attr.CountsTime() {
				t.stack.unit = "nanoseconds"
			}
			t.addFrames()
		}
		return t
	})
}

func (s *perfSource) newType(e *perf.Event) *Type {
	if p := s.events.Program(e); p != nil {
		return newType(p)
	}
	system, name := e.Title()
	return unknown(system, "%s", name)
}

func (s *perfSource) names(yield func(system, name, alias string) bool) {
	for _, e := range s.list {
		if system, name := e.Title(); !yield(system, name, "") {
			return
		}
	}
}

func (s *perfSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, e := range s.list {
		if system, name := e.Title(); match(system, name, "") && !yield(s.eventType(e)) {
			return
		}
	}
}

func (s *perfSource) ids(c *chooser) (ids, after []uint32) {
	ids = []uint32{}
	of := map[uint32]*perf.Event{}
	for _, e := range s.list {
		if system, name := e.Title(); c.named(system, name, "") {
			ids, of[e.ID] = append(ids, e.ID), e
		}
	}
	return slices.Clip(c.narrowed(ids, func(id uint32) *Type { return s.eventType(of[id]) })), nil
}

func (s *perfSource) kinds() (labels, exits bool) { return false, false }

func (s *perfSource) commOf(r *record.Record, x any) string {
	return s.naming.Thread(r, x.(*perf.Entry)).Comm
}

// perfSymbols finds the symbols of an event's addresses at its time.
type perfSymbols struct {
	ev       *Event
	resolver *perf.Resolver
	lines    []program.Line
}

// Symbol implements render.Symbols.
func (s *perfSymbols) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	x := s.ev.Entry.(*perf.Entry)
	return s.resolver.Symbol(x.Maps, x.Misc, addr)
}

func (s *perfSymbols) appendAddresses(dst []uint64) []uint64 {
	s.each(func(_ *perf.Entry, _ uint16, addr uint64) { dst = append(dst, addr) })
	return dst
}

func (s *perfSymbols) appendFrames(dst []Frame) []Frame {
	first, last := len(dst), uint16(0)
	s.each(func(x *perf.Entry, mode uint16, addr uint64) {
		n := len(dst)
		dst = slices.Grow(dst, 1)[:n+1]
		s.frame(&dst[n], x, mode, addr)
		dst[n].Returns = n > first && mode == last // the first address of a mode is the address of the sample
		last = mode
	})
	return dst
}

func (s *perfSymbols) appendSources(dst []Source, f *Frame) []Source {
	if f.File == "" {
		return dst
	}
	x := s.ev.Entry.(*perf.Entry)
	mode := uint16(perf.ModeUser)
	if f.Kernel {
		mode = perf.ModeKernel
	}
	y := s.resolver.Frame(x.Maps, mode, f.Addr)
	s.lines = s.resolver.AppendLines(s.lines[:0], &y, f.Returns)
	for _, l := range s.lines {
		dst = append(dst, Source(l))
	}
	return dst
}

func (s *perfSymbols) period() (n uint64, ok bool) {
	x := s.ev.Entry.(*perf.Entry)
	if a := x.Event.Attr; a.Flags&perf.Freq != 0 && a.SampleType&perf.HasPeriod == 0 {
		return 0, false
	}
	return x.Period()
}

// each calls fn for the addresses of the call chain. If it is missing or empty, each calls fn for
// the address of the sample.
func (s *perfSymbols) each(fn func(x *perf.Entry, mode uint16, addr uint64)) {
	x := s.ev.Entry.(*perf.Entry)
	some := false
	x.Chain(func(addr uint64, mode uint16) bool {
		fn(x, mode, addr)
		some = true
		return true
	})
	if addr, ok := x.IP(); ok && !some {
		fn(x, x.Misc, addr)
	}
}

// frame sets all of f but Returns. A chain has dozens of frames, so none is copied.
func (s *perfSymbols) frame(f *Frame, x *perf.Entry, mode uint16, addr uint64) {
	y := s.resolver.At(x.Maps, mode, addr)
	f.Addr, f.Kernel, f.Function, f.Offset = addr, y.Mode == perf.ModeKernel, y.Symbol, y.Offset
	if f.File, f.FileOffset = "", 0; y.Module != nil {
		f.File, f.FileOffset = y.Module.Name, y.FileOffset
	}
}

// perfEntries are copies of entries with their bodies.
type perfEntries struct {
	all    []perf.Entry
	ends   []int // ends of their bodies
	bodies []byte
}

func (l *perfEntries) add(entry any) {
	x := entry.(*perf.Entry)
	l.bodies = append(l.bodies, x.Body...)
	l.all, l.ends = append(l.all, *x), append(l.ends, len(l.bodies))
}

func (l *perfEntries) at(i int) any {
	from, x := 0, &l.all[i]
	if i > 0 {
		from = l.ends[i-1]
	}
	x.Body = l.bodies[from:l.ends[i]:l.ends[i]]
	return x
}

func (l *perfEntries) reset() { l.all, l.ends, l.bodies = l.all[:0], l.ends[:0], l.bodies[:0] }
