package uftrace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// stat counts calls by function, and events. It reads one file after the other.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	if _, err := window(o); err != nil {
		return nil, err
	}
	rec, err := open(ctx, job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	t := &tally{rec: rec, names: map[uint32]string{}}
	t.Memory = job.Memory
	if err := t.choose(o); err != nil {
		return nil, err
	}
	for _, f := range files(rec, t.chosen(), t.ids()) {
		if err := t.file(ctx, f); err != nil {
			return nil, report.Tell(job, rec, err)
		}
	}
	s := &report.Stat{Recording: facts.Of(job.Path, "uftrace", rec)}
	s.Add(t.Buffer("", t.statNames()))
	return s, report.Tell(job, rec, nil)
}

// files returns the files of threads, with the selected records, and the files of processors. With
// an index, parts without any of ids are skipped. Nil ids mean all.
func files(rec *uftrace.Recording, o record.Options, ids []uint32) (files []uftrace.Reader) {
	for _, s := range rec.Streams(o) {
		s.PassOver(ids)
		files = append(files, s)
	}
	for _, s := range rec.KernelStreams() {
		files = append(files, s)
	}
	return append(files, rec.PerfStreams()...)
}

// tally counts events by number. Functions have the index of their symbol. Then follow calls of
// unknown functions, then events in the order of their first records.
type tally struct {
	report.Tally
	rec     *uftrace.Recording
	wanted  []bool                    // by number; nil selects all
	wants   func(selection.Name) bool // selects events when they get their number
	tids    []int32                   // sorted; nil selects all
	span    callstack.Range
	events  []uint32          // ids of events, by number
	numbers map[uint32]uint32 // numbers of events, by id
	names   map[uint32]string
	match   func(*record.Record, *uftrace.Entry) bool // matches the filters; nil passes all
	// by thread and depth: a call is open that did not pass match, but its end may
	waiting map[int32][]bool
	last    uint32 // id of the last event
	lastNum uint32
}

func (t *tally) choose(o *report.Options) error {
	c := sources.FunctionsAndEvents(t.rec)
	f, err := choose(c, o)
	if err != nil {
		return err
	}
	t.span, t.tids = f.Scope.Range, f.Scope.TIDs
	if t.match, err = matchOf(t.rec, o); err != nil {
		return err
	}
	if t.wants, err = matcherOf(c, o); t.wants == nil {
		return err
	}
	t.wanted = make([]bool, len(t.rec.Symbols())+1) // unknown functions are not selected
	for i, s := range t.rec.Symbols() {
		t.wanted[i] = t.wants(sources.FunctionName(s))
	}
	return nil
}

// chosen returns options for the records of threads that may count.
func (t *tally) chosen() record.Options {
	o := record.Options{Tasks: t.tids}
	o.Since, o.Until = t.span.Window()
	return o
}

// ids returns the ids of records of threads that may count: calls of selected functions. With
// filters they include returns, since a filter may use return values. It returns nil for all ids,
// and also if events are selected.
func (t *tally) ids() []uint32 {
	if t.wanted == nil || slices.ContainsFunc(sources.EventNames(t.rec), t.wants) {
		return nil
	}
	ids := []uint32{} // not nil, since nil selects all
	for i, s := range t.rec.Symbols() {
		if !t.wanted[i] {
			continue
		}
		if ids = append(ids, s.ID(uftrace.Enter)); t.match != nil {
			ids = append(ids, s.ID(uftrace.Leave))
		}
	}
	return ids
}

// file counts the records of a file.
func (t *tally) file(ctx context.Context, f uftrace.Reader) error {
	for {
		batch, err := f.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		records, entries := batch.Records, batch.Entries
		for i := range records {
			r, e := &records[i], &entries[i]
			if t.tids != nil { // files of processors have records of all threads
				if _, found := slices.BinarySearch(t.tids, r.Task); !found {
					continue
				}
			}
			if e.Kind == uftrace.Lost {
				t.Miss(r.Lost)
				continue
			}
			if e.Kind == uftrace.Leave && t.match == nil || r.Time < t.span.From ||
				t.span.To > 0 && r.Time > t.span.To {
				continue
			}
			kind := t.kind(r.ID, e)
			if t.wanted != nil && !t.wanted[kind] {
				continue
			}
			if t.match != nil && !t.passes(r, e) {
				continue
			}
			cpu, task := r.CPU, int64(r.Task)
			if e.Source == uftrace.User {
				cpu = -1 // the processor is unknown
			}
			if r.Task < 0 {
				task = report.NoTask
			}
			t.Add(kind, cpu, task, r.Time)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// passes reports whether a record passes the filters: an event, a call, or the end of a call if the
// call itself did not pass. The end of a call without a recorded beginning does not count. It does
// not count without filters either.
func (t *tally) passes(r *record.Record, e *uftrace.Entry) bool {
	passes := t.match(r, e)
	if e.Kind == uftrace.Event {
		return passes
	}
	waiting := t.waiting[r.Task]
	for len(waiting) <= int(e.Depth) {
		waiting = append(waiting, false)
	}
	before := waiting[e.Depth]
	waiting[e.Depth] = !passes && e.Kind == uftrace.Enter
	if t.waiting == nil {
		t.waiting = map[int32][]bool{}
	}
	t.waiting[r.Task] = waiting
	return passes && (e.Kind == uftrace.Enter || before)
}

// kind returns the number of the function or event of a record.
func (t *tally) kind(id uint32, e *uftrace.Entry) uint32 {
	symbols := uint32(len(t.rec.Symbols()))
	if e.Kind != uftrace.Event {
		if e.Sym == nil {
			return symbols
		}
		return uint32(e.Sym.Index)
	}
	if len(t.events) > 0 && id == t.last {
		return t.lastNum
	}
	if t.numbers == nil {
		t.numbers = map[uint32]uint32{}
	}
	n, ok := t.numbers[id]
	if !ok {
		n = symbols + 1 + uint32(len(t.events))
		t.numbers[id] = n
		t.events = append(t.events, id)
		if t.wanted != nil {
			t.wanted = append(t.wanted, t.wants(sources.EventName(t.rec.EventName(id))))
		}
	}
	t.last, t.lastNum = id, n
	return n
}

func (t *tally) statNames() report.Names {
	symbols := t.rec.Symbols()
	return report.Names{
		Event: func(n uint32) report.EventName {
			switch i := int(n) - len(symbols); {
			case i < 0:
				s := symbols[n]
				return report.EventName{System: sources.ModuleName(s), Name: s.Shown(),
					Text: sources.ModuleName(s) + ":" + s.Shown()}
			case i == 0:
				return report.EventName{Text: "(unknown functions)"}
			default:
				id := t.events[i-1]
				name := t.rec.EventName(id)
				system, event, found := strings.Cut(name, ":")
				if !found {
					system, event = "", name
				}
				return report.EventName{System: system, Name: event, ID: facts.Number(id), Text: name}
			}
		},
		Process: func(id int64) (int64, bool) {
			if task := t.rec.Task(int32(id)); task != nil {
				return int64(task.PID), true
			}
			return 0, false
		},
		Task: func(id int64) string {
			if task := t.rec.Task(int32(id)); task != nil {
				return task.Comm
			}
			return ""
		},
		Time: func(ns uint64) string { return fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9) },
	}
}
