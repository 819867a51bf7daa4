// Package facts provides the facts that templates of AIX use: about an entry, and about the entries
// before it. Its Facts are the Facts and the Hooks of a [render.Env].
package facts

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Facts are the facts known while entries are read in the order of time. The reader must call Next
// for each entry. Facts are for one goroutine.
type Facts struct {
	Info    *aix.Info      // of the recording of the entry
	Context *aix.Context   // of the same recording
	File    string         // name of the file of the entry
	Names   render.Symbols // of kernel addresses; may be nil
	Line    int            // of the page on which the text begins, from 1; 0 without pages
	Live    int            // number of streams that have more entries: see Count

	record *record.Record
	entry  *aix.Entry
	timers timers
	missed uint32 // facts that templates used but that are unknown, by bit
}

// Next makes an entry the current one, and passes it to Context. A record without a processor gets
// the one that Context knows.
func (f *Facts) Next(r *record.Record, e *aix.Entry) {
	f.At(r, e)
	f.Context.Update(r, e)
	if r.CPU < 0 {
		r.CPU = int32(f.Context.CPU())
	}
}

// At makes an entry the current one, for callers that need no state of Context.
func (f *Facts) At(r *record.Record, e *aix.Entry) { f.record, f.entry = r, e }

// known returns v if it is known, which means not negative. Otherwise it returns 0, like macros
// that nothing has set (aix.md 3.4): see Missed.
func (f *Facts) known(id render.Fact, v int) uint64 {
	if v < 0 {
		f.missed |= 1 << id
		return 0
	}
	return uint64(v)
}

// Missed reports whether a template used a fact that the recording does not contain.
func (f *Facts) Missed(id render.Fact) bool { return f.missed&(1<<id) != 0 }

// Fact implements render.Facts.
func (f *Facts) Fact(id render.Fact) uint64 {
	switch id {
	case render.FactPID:
		return f.known(id, int(f.Context.PID()))
	case render.FactTID:
		return f.entry.TID
	case render.FactCPUID:
		return f.known(id, f.CPU())
	case render.FactPriority:
		return f.known(id, f.Context.Priority())
	case render.FactSVC:
		addr, _ := strconv.ParseUint(f.Context.SVC(), 16, 64)
		return addr
	case render.FactTotalCPUs:
		if n := f.Context.TotalCPUs(); n > 0 {
			return uint64(n)
		}
		return f.known(id, -1)
	case render.FactLargeData, render.FactBuffering, render.FactIPAddress:
		return f.known(id, -1)
	case render.FactTracedCPUs:
		if n := f.Context.TracedCPUs(); n > 0 {
			return uint64(n)
		}
		if n := f.Info.TracedCPUs(); n > 0 {
			return uint64(n)
		}
		return f.known(id, -1)
	case render.FactReportedCPUs:
		return uint64(f.Live)
	case render.FactLogIndex, render.FactLogIndex0:
		return uint64(f.entry.Offset)
	case render.FactTraceID:
		if f.record.ID&0xF == 0 {
			return uint64(f.record.ID >> 4)
		}
		return uint64(f.record.ID)
	case render.FactTraceEnv:
		if f.entry.Has(aix.Trace64) {
			return 64
		}
		return 32
	case render.FactLine:
		return uint64(f.Line)
	case render.FactRelativeLine:
		return 1
	}
	return 0
}

// FactText implements render.Facts.
func (f *Facts) FactText(dst []byte, id render.Fact) []byte {
	switch id {
	case render.FactSVC:
		return append(dst, f.SVC()...)
	case render.FactExecPath:
		return append(dst, f.Context.ExecPath()...)
	case render.FactLogFile:
		return append(dst, f.File...)
	}
	return dst
}

// CPU returns the processor of the entry, or -1 if it is unknown.
func (f *Facts) CPU() int {
	if f.record.CPU >= 0 {
		return int(f.record.CPU)
	}
	return f.Context.CPU()
}

// SVC returns the name of the current system call, or its address in hexadecimal. It returns "" if
// the system call is unknown.
func (f *Facts) SVC() string {
	s := f.Context.SVC()
	if f.Names == nil || s == "" {
		return s
	}
	if addr, err := strconv.ParseUint(s, 16, 64); err == nil {
		if name, off, ok := f.Names.Symbol(addr); ok && off == 0 {
			return name
		}
	}
	return s
}

// AppendError appends the message of $ERROR to the text of the entry, on a separate line (aix.md
// 3.4). The text begins at dst[text]. hook is the id as reports print it.
func (f *Facts) AppendError(dst []byte, text int, hook string) []byte {
	if len(dst) > text {
		dst = append(dst, '\n')
	}
	return fmt.Appendf(dst, "ERROR: file %s, offset %d, trace id %s", f.File, f.entry.Offset, hook)
}

// StartTimer implements render.Hooks.
func (f *Facts) StartTimer(a, b uint64) { f.timers.start(timer{a, b}, f.record.Time) }

// EndTimer implements render.Hooks.
func (f *Facts) EndTimer(a, b uint64) (uint64, bool) {
	t, ok := f.timers.end(timer{a, b})
	if !ok || f.record.Time < t {
		return 0, false
	}
	return (f.record.Time - t) / 1000, true
}

// ProcessPath implements render.Hooks.
func (f *Facts) ProcessPath(dst []byte, pid uint64) ([]byte, bool) {
	path := f.Context.PathOf(int64(pid))
	return append(dst, path...), path != ""
}

// Call implements render.Hooks. Functions that look up names append nothing, because their tables
// have an unpublished form in recordings.
func (f *Facts) Call(dst []byte, name string, _ render.HookArgs) []byte {
	switch name {
	case "flih":
		f.Context.Interrupt()
	case "resume":
		f.Context.Resume()
	}
	return dst
}

// Count returns a stream that counts as live until its end.
func (f *Facts) Count(s record.Stream[aix.Entry]) record.Stream[aix.Entry] {
	f.Live++
	return &counted{s, f}
}

type counted struct {
	record.Stream[aix.Entry]
	facts *Facts
}

// Unwrap returns the stream itself.
func (c *counted) Unwrap() any { return c.Stream }

// Next implements record.Stream.
func (c *counted) Next() (record.Batch[aix.Entry], error) {
	b, err := c.Stream.Next()
	if errors.Is(err, io.EOF) {
		c.facts.Live--
	}
	return b, err
}
