package tracec

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// unknown returns the type of events that the recording does not describe.
func unknown(system, format string, args ...any) *Type {
	name := fmt.Sprintf(format, args...)
	return &Type{System: system, Name: name, Label: name, Err: errorString("nothing describes it")}
}

// ftraceSource reads recordings of ftrace.
type ftraceSource struct {
	rec     *ftrace.Recording
	formats *programs.Formats
	target  ir.Target
	types   programs.Table[Type] // by id
	large   *Type                // the type of ids above programs.MaxID
	streams atomic.Pointer[[]record.Stream[record.None]]
	naming  *ftrace.Names
	threads bool // follow names of threads
}

func newFtrace(rec *ftrace.Recording, o *options) *ftraceSource {
	t := recorded.Target(rec)
	return &ftraceSource{
		rec: rec, formats: programs.NewFormats(rec.Formats(), t, rec.HoldFor), target: t,
		large: unknown("", "unknown"), threads: o.threads, naming: rec.Names(),
	}
}

func (s *ftraceSource) open(o record.Options, chosen *chooser) walker {
	streams := s.rec.Streams(ftrace.StreamOptions{Options: o})
	s.streams.Store(&streams)
	return newWalk(s, record.Merge(streams, nil), chosen, s.typeOf, asked(s.threads, s.naming))
}

func (s *ftraceSource) prepare(ev *Event) {
	env := recorded.Env(s.rec, s.target)
	ev.use(plainText, programs.NewPrinter(env))
	ev.symbols = env.Symbols
}

func (s *ftraceSource) entries() entries { return nil }

func (s *ftraceSource) successive() bool { return false }

func (s *ftraceSource) typeOf(r *record.Record, _ *record.None) *Type {
	if i := uint64(r.ID); i < uint64(len(s.types)) && s.types[i] != nil {
		return s.types[i]
	}
	return s.newType(r.ID)
}

func (s *ftraceSource) typeFor(r *record.Record, _ any) *Type { return s.typeOf(r, nil) }

func (s *ftraceSource) newType(id uint32) *Type {
	if id > programs.MaxID {
		return s.large
	}
	return s.types.At(id, func() *Type {
		if p := s.formats.Program(id); p != nil {
			return newType(p)
		}
		return unknown("", "%d", id)
	})
}

func (s *ftraceSource) names(yield func(system, name, alias string) bool) {
	for _, f := range s.rec.Formats() {
		if !yield(f.System, f.Name, "") {
			return
		}
	}
}

func (s *ftraceSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, f := range s.rec.Formats() {
		if f.ID >= 0 && match(f.System, f.Name, "") && !yield(s.newType(uint32(f.ID))) {
			return
		}
	}
}

// ids returns the selected ids. after holds the ids of stacks: a stack belongs to the event before
// it.
func (s *ftraceSource) ids(c *chooser) (ids, after []uint32) {
	ids = []uint32{}
	described := make([]bool, programs.MaxID+1)
	for _, f := range s.rec.Formats() {
		if f.ID < 0 || f.ID > programs.MaxID {
			continue
		}
		described[f.ID] = true
		if c.named(f.System, f.Name, "") {
			ids = append(ids, uint32(f.ID))
		} else if c.stacks && s.newType(uint32(f.ID)).stack != nil {
			after = append(after, uint32(f.ID))
		}
	}
	if !c.unlike("0", "1", "2", "3", "4", "5", "6", "7", "8", "9") {
		for id, d := range described {
			if !d && c.named("", strconv.Itoa(id), "") {
				ids = append(ids, uint32(id))
			}
		}
	}
	return c.narrowed(ids, s.newType), after
}

func (s *ftraceSource) kinds() (labels, exits bool) { return false, false }

func (s *ftraceSource) commOf(r *record.Record, _ any) string { return s.naming.Thread(r, nil).Comm }

// Position implements positioned.
func (s *ftraceSource) Position() (done, total int64) {
	streams := s.streams.Load()
	if streams == nil {
		return 0, 0
	}
	for _, st := range *streams {
		if p, ok := st.(positioned); ok {
			n, all := p.Position()
			done, total = done+n, total+all
		}
	}
	return done, total
}
