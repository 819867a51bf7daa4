package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/report/uftrace/clock"
	"github.com/tracec/tracec/report/uftrace/names"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// flushSize is how much text is collected before it is written.
const flushSize = 128 << 10

// events writes Chrome's trace events, one a line.
type events struct {
	w     io.Writer
	out   []byte
	some  bool // one was written
	rec   *uftrace.Recording
	opts  *Options
	vals  *values.Printer
	names *names.Cache
	clock clock.Clock
	shift uint64 // added to times, in ns; may wrap around
	// ids come between time and name, by callstack.Task.Index and place: `,"ph":"B","pid":1,"tid":2,"name":"`.
	ids  [][2][]byte
	last []uint64 // time of the last record that was read, by callstack.Task.Index
}

func chrome(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	e := &events{w: w, rec: rec, opts: opts, vals: values.New(rec, values.JSON, opts.Style), names: jsonNames(opts.Name)}
	if opts.Style == values.V019 {
		e.shift = uint64(rec.Info().UTCOffset * int64(time.Second))
	}
	e.last = make([]uint64, len(rec.Tasks()))
	p, err := opts.player(rec, func(task int, r *record.Record, n *uftrace.Entry) {
		if n.Kind != uftrace.Lost {
			e.last[task] = r.Time
		}
	})
	if err != nil {
		return err
	}
	e.out = append(e.out, `{"traceEvents":[`...)
	if err := e.threads(ctx, p.Tasks()); err != nil {
		return err
	}
	played := opts.walk(ctx, p, e.step)
	if ctx.Err() != nil {
		return played
	}
	for _, t := range p.Tasks() {
		if opts.closes(p) {
			e.close(t)
		}
	}
	e.footer()
	if _, err := w.Write(e.out); err != nil {
		return err
	}
	return played
}

// next begins an event: all but the first end the line before.
func (e *events) next() {
	if e.some {
		e.out = append(e.out, ',')
	}
	e.some = true
	e.out = append(e.out, '\n')
}

// threads names the threads, by the last name that each of them had.
func (e *events) threads(ctx context.Context, tasks []*callstack.Task) error {
	lives, err := about.Lives(ctx, e.rec, e.opts.Filters.TIDs)
	if err != nil {
		return err
	}
	names := e.rec.Info().TIDs // also of threads without a file
	if len(names) == 0 {
		for _, t := range tasks {
			names = append(names, t.TID)
		}
	}
	for _, tid := range names {
		e.title(tid, lives[tid].Comm)
	}
	for _, t := range tasks {
		id := strconv.AppendInt([]byte(`,"pid":`), int64(t.PID), 10)
		if t.TID != t.PID {
			id = strconv.AppendInt(append(id, `,"tid":`...), int64(t.TID), 10)
		}
		id = append(id, `,"name":"`...)
		e.ids = append(e.ids, [2][]byte{begins & 1: append([]byte(`,"ph":"B"`), id...), ends & 1: append([]byte(`,"ph":"E"`), id...)})
	}
	return nil
}

// title names a thread.
func (e *events) title(tid int32, comm string) {
	for _, kind := range []string{"process_name", "thread_name"} {
		e.next()
		e.out = fmt.Appendf(e.out, `{"ts":0,"ph":"M","pid":%d,"name":"%s","args":{"name":"[%d] `, tid, kind, tid)
		e.out = append(appendJSON(e.out, comm), `"}}`...)
	}
}

// step writes a call's begin or end.
func (e *events) step(s *callstack.Step) error {
	at := e.opts.of(s)
	if at == nowhere {
		if s.Entry.Kind == uftrace.Event && s.Record.ID == callstack.TaskName {
			e.rename(s)
		}
		return nil
	}
	if s.Entry.Kind == uftrace.Event {
		e.event(s.Record.Time, at, s.Task, scheduleText)
	} else {
		e.event(s.Record.Time, at, s.Task, e.names.Text(s.Entry.Addr, s.Entry.Sym))
		more := s.Entry.More && s.Record.Data != nil && !e.opts.NoArgs
		if !e.source(s.Entry.Sym, more) && more {
			e.out = append(e.out, `,"args":{`...)
		}
		if more {
			e.values(s)
		}
	}
	e.out = append(e.out, '}')
	if len(e.out) < flushSize {
		return nil
	}
	_, err := e.w.Write(e.out)
	e.out = e.out[:0]
	return err
}

// rename writes that a thread has got another name. The first thread of a process names the process, too.
func (e *events) rename(s *callstack.Step) {
	t := s.Task
	kinds, prefix := []string{"process_name", "thread_name"}, ""
	if t.TID != t.PID {
		kinds, prefix = kinds[1:], fmt.Sprintf("[%d] ", t.TID)
	}
	id := e.ids[t.Index][0][len(`,"ph":"B"`):]
	for _, kind := range kinds {
		e.next()
		e.out = append(append(e.out, `{"ts":0,"ph":"M"`...), id...)
		e.out = append(append(append(e.out, kind...), `","args":{"name":"`...), prefix...)
		e.out = append(appendJSON(e.out, string(s.Record.Data)), `"}}`...)
	}
}

// scheduleText is a name as a names.Cache gives it.
var scheduleText = []byte(schedule + `"`)

// event writes an event up to its name.
func (e *events) event(t uint64, at place, task *callstack.Task, name []byte) {
	e.next()
	e.out = append(e.out, `{"ts":`...)
	e.out = e.clock.AppendMicroseconds(e.out, t+e.shift)
	e.out = append(append(e.out, e.ids[task.Index][at&1]...), name...)
}

// source writes where a function is in its source, and reports whether it did. More members follow when more says so.
func (e *events) source(sym *uftrace.Symbol, more bool) bool {
	if !e.opts.SrcLine || e.opts.Style == values.V013 || sym == nil || sym.File == "" || sym.Type == 'w' { // as uftrace: none of weak symbols
		return false
	}
	e.out = appendJSON(append(e.out, `,"args":{"srcline":"`...), sym.File)
	e.out = append(strconv.AppendInt(append(e.out, ':'), int64(sym.Line), 10), '"')
	if more {
		e.out = append(e.out, ',')
	} else {
		e.out = append(e.out, '}')
	}
	return true
}

// values writes the arguments or the result of a call, and ends the object that they are in.
func (e *events) values(s *callstack.Step) {
	session := s.Task.SessionAt(s.Record.Time)
	if s.Entry.Kind == uftrace.Enter {
		e.out = append(e.out, `"arguments":"(`...)
		e.out = e.vals.AppendArgs(e.out, session, s.Record.Time, s.Entry.Sym, s.Record.Data)
		e.out = append(e.out, `)"}`...)
		return
	}
	e.out = append(e.out, `"retval":"`...)
	e.out = e.vals.AppendResult(e.out, session, s.Record.Time, s.Entry.Sym, s.Record.Data)
	e.out = append(e.out, `"}`...)
}

// close ends the calls that are open at the end of the recording. Those that it did not see begin are left alone.
func (e *events) close(t *callstack.Task) {
	end := e.opts.end(e.last[t.Index])
	for i := len(t.Stack) - 1; i >= 0; i-- {
		f := &t.Stack[i]
		switch {
		case f.Addr == 0 || f.Hidden || f.Start > end:
			continue
		case f.Event:
			e.event(end, ends, t, scheduleText)
		default:
			e.event(end, ends, t, e.names.Text(f.Addr, f.Sym))
		}
		e.out = append(e.out, '}')
	}
}

func (e *events) footer() {
	e.out = fmt.Appendf(e.out, "\n], \"displayTimeUnit\": \"ns\", \"metadata\": {\n\"version\":\"%s\",\n", versions[e.opts.Style])
	if st, err := fs.Stat(e.rec.FS(), "info"); err == nil {
		e.out = fmt.Appendf(e.out, "\"recorded_time\":\"%s\",\n", st.ModTime().Format(time.ANSIC))
	}
	// The command line is recorded with its quotes escaped, but with nothing else escaped.
	line := e.rec.Info().CmdLine
	e.out = append(e.out, `"command_line":"`...)
	if json.Valid([]byte(`"` + line + `"`)) {
		e.out = append(e.out, line...)
	} else {
		e.out = appendJSON(e.out, line)
	}
	e.out = append(e.out, "\"\n} }\n"...)
}
