package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// events writes Chrome's trace events, one a line.
type events struct {
	lines
	w      io.Writer
	err    error // of w, after which nothing more is written
	some   bool  // one was written
	rec    *uftrace.Recording
	opts   *Options
	vals   *values.Printer
	names  *line.Texts
	shift  uint64            // added to times, in ns; may wrap around
	walker *callstack.Walker // nil: a player
	at     []track           // by callstack.Task.Index
}

// track is a thread.
type track struct {
	begin, end id              // such as `,"ph":"B","pid":1,"tid":2,"name":"`
	last       uint64          // time of the last record that was read
	open       []uftrace.Entry // calls that were open when the range began, until they are written
	// session is that of from ≤ time < from+span.
	session    *uftrace.Session
	from, span uint64
}

func chrome(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	e := &events{lines: newLines(), w: w, rec: rec, opts: opts, vals: values.New(rec, values.JSON, opts.Style),
		names: jsonNames(opts.Name)}
	if opts.Style != values.V013 {
		e.shift = uint64(rec.Info().UTCOffset * int64(time.Second))
	}
	o := *opts
	if opts.Style != values.V013 && opts.Play.Scope.Range.From > 0 && !callstack.Selective(&opts.Play) {
		o.Play.Hooks.Before = e.before
	}
	p, err := o.open(rec, e)
	if err != nil {
		return err
	}
	e.walker = p.walker
	e.out = append(e.out, `{"traceEvents":[`...)
	if err := e.threads(ctx, p.tasks()); err != nil {
		return err
	}
	played := p.play(ctx, e)
	if err := cmp.Or(e.err, ctx.Err()); err != nil {
		return err
	}
	for _, t := range p.unfinished() {
		e.close(t)
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
	lives, err := about.Lives(ctx, e.rec, e.opts.Play.Scope.TIDs)
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
		text := strconv.AppendInt([]byte(beginPhase+`,"pid":`), int64(t.PID), 10)
		if t.TID != t.PID {
			text = strconv.AppendInt(append(text, `,"tid":`...), int64(t.TID), 10)
		}
		text = append(text, `,"name":"`...)
		begin := newID(text)
		copy(text, endPhase)
		e.at = append(e.at, track{begin: begin, end: newID(text)})
	}
	return nil
}

// Both phases are as long.
const (
	beginPhase = `,"ph":"B"`
	endPhase   = `,"ph":"E"`
)

// title names a thread.
func (e *events) title(tid int32, comm string) {
	for _, kind := range []string{"process_name", "thread_name"} {
		e.next()
		e.out = fmt.Appendf(e.out, `{"ts":0,"ph":"M","pid":%d,"name":"%s","args":{"name":"[%d] `, tid, kind, tid)
		e.out = append(appendJSON(e.out, comm), `"}}`...)
	}
}

// watch implements viewer.
func (e *events) watch(task int, r *record.Record, n *uftrace.Entry) {
	if n.Kind != uftrace.Lost {
		e.at[task].last = r.Time
	}
}

// calls implements viewer.
func (e *events) calls(*callstack.Player) callstack.Calls {
	return callstack.Calls{
		Entered: e.call,
		Left:    func(t *callstack.Task, r *record.Record, n *uftrace.Entry, _ *callstack.Frame) { e.call(t, r, n) },
		Other: func(s *callstack.Step) {
			e.opts.show()
			if s.Entry.Kind == uftrace.Event {
				e.event(s.Task, s.Record)
			}
		},
		Err: func() error { return e.err },
	}
}

// Calls implements callstack.Visitor.
func (e *events) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	for i := range recs {
		r, n := &recs[i], &ents[i]
		switch n.Kind {
		case uftrace.Enter:
			e.walker.Enter(t, r, n)
			e.call(t, r, n)
		case uftrace.Leave:
			e.walker.Leave(t, r, n)
			e.call(t, r, n)
		case uftrace.Lost:
			e.walker.Lose(t)
			e.opts.show()
			continue
		case uftrace.Event:
			e.Event(t, r)
		}
		e.at[t.Index].last = r.Time
	}
	return e.err
}

// Event implements callstack.Visitor.
func (e *events) Event(t *callstack.Task, r *record.Record) error {
	e.at[t.Index].last = r.Time
	if _, shown := e.walker.Event(t, r); shown {
		e.opts.show()
		e.event(t, r)
	}
	return e.err
}

// event writes what an event means.
func (e *events) event(t *callstack.Task, r *record.Record) {
	switch at := e.opts.of(r); {
	case at != nowhere:
		e.write(r.Time, at, t, scheduleText)
		e.flush()
	case r.ID == callstack.TaskName:
		e.rename(t, r)
	}
}

// before follows the calls before the range. As the head of uftrace does, those that are open when
// it begins are begun there (issue 2029 of its repository): else their ends would be ends of
// nothing.
func (e *events) before(task int, _ *record.Record, n *uftrace.Entry) {
	at := &e.at[task]
	switch {
	case n.Kind > uftrace.Leave || n.Source != uftrace.User:
		return
	case int(n.Depth) < len(at.open):
		at.open = at.open[:n.Depth]
	}
	if n.Kind == uftrace.Enter {
		at.open = append(at.open, *n)
	}
}

// begin writes the calls that were open when the range began.
func (e *events) begin(t *callstack.Task, now uint64) {
	at := &e.at[t.Index]
	for i := range at.open {
		e.write(now, begins, t, e.names.Text(at.open[i].Addr, at.open[i].Sym))
	}
	at.open = nil
}

// call writes a call's begin or end.
func (e *events) call(t *callstack.Task, r *record.Record, n *uftrace.Entry) {
	e.opts.show()
	e.begin(t, r.Time)
	at := begins
	if n.Kind == uftrace.Leave {
		at = ends
	}
	e.write(r.Time, at, t, e.names.Text(n.Addr, n.Sym))
	if n.More || e.opts.SrcLine {
		e.more(t, r, n)
	}
	e.flush()
}

// more adds to a call its values and where it is in the source.
func (e *events) more(t *callstack.Task, r *record.Record, n *uftrace.Entry) {
	e.out = e.out[:len(e.out)-1] // the end of the object
	more := n.More && r.Data != nil && !e.opts.NoArgs
	if !e.source(n.Sym, more) && more {
		e.out = append(e.out, `,"args":{`...)
	}
	if more {
		e.values(t, r, n)
	}
	e.out = append(e.out, '}')
}

// flush writes what was collected when it is much.
func (e *events) flush() {
	if len(e.out) < flushSize {
		return
	}
	if e.err == nil {
		_, e.err = e.w.Write(e.out)
	}
	e.out = e.out[:0]
}

// rename writes that a thread has got another name. The first thread of a process names the
// process, too.
func (e *events) rename(t *callstack.Task, r *record.Record) {
	kinds, prefix := []string{"process_name", "thread_name"}, ""
	if t.TID != t.PID {
		kinds, prefix = kinds[1:], fmt.Sprintf("[%d] ", t.TID)
	}
	begin := &e.at[t.Index].begin
	id := begin.text[len(beginPhase):begin.size]
	for _, kind := range kinds {
		e.next()
		e.out = append(append(e.out, `{"ts":0,"ph":"M"`...), id...)
		e.out = append(append(append(e.out, kind...), `","args":{"name":"`...), prefix...)
		e.out = append(appendJSON(e.out, string(r.Data)), `"}}`...)
	}
}

// scheduleText is a name as jsonNames gives it.
var scheduleText = []byte(schedule + `"}`)

// write writes an event, which ends with its name.
func (e *events) write(t uint64, at place, task *callstack.Task, name []byte) {
	id, n := &e.at[task.Index].begin, len(e.out)
	if at == ends {
		id = &e.at[task.Index].end
	}
	e.line(t+e.shift, id, name)
	if !e.some { // without the comma
		e.some = true
		e.out = slices.Delete(e.out, n, n+1)
	}
}

// source writes where a function is in its source, and reports whether it did. More members follow
// when more says so.
func (e *events) source(sym *uftrace.Symbol, more bool) bool {
	// as uftrace: none of weak symbols
	if !e.opts.SrcLine || e.opts.Style == values.V013 || sym == nil || sym.File == "" || sym.Type == 'w' {
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
func (e *events) values(t *callstack.Task, r *record.Record, n *uftrace.Entry) {
	at := &e.at[t.Index]
	if r.Time-at.from >= at.span {
		session, from, to := t.SessionSpan(r.Time)
		at.session, at.from, at.span = session, from, to-from
	}
	if n.Kind == uftrace.Enter {
		e.out = append(e.out, `"arguments":"(`...)
		e.out = e.vals.AppendArgs(e.out, at.session, r.Time, n.Sym, r.Data)
		e.out = append(e.out, `)"}`...)
		return
	}
	e.out = append(e.out, `"retval":"`...)
	e.out = e.vals.AppendResult(e.out, at.session, r.Time, n.Sym, r.Data)
	e.out = append(e.out, `"}`...)
}

// close ends the calls that are open at the end of the recording. Those that it did not see begin
// are left alone.
func (e *events) close(t *callstack.Task) {
	end := e.opts.end(e.at[t.Index].last)
	for i := len(t.Stack) - 1; i >= 0; i-- {
		f := &t.Stack[i]
		switch {
		case f.Addr == 0 || f.Hidden || f.Start > end:
			continue
		case f.Event:
			e.write(end, ends, t, scheduleText)
		default:
			e.write(end, ends, t, e.names.Text(f.Addr, f.Sym))
		}
	}
}

func (e *events) footer() {
	e.out = fmt.Appendf(e.out, "\n], \"displayTimeUnit\": \"ns\", \"metadata\": {\n\"version\":\"%s\",\n",
		versions[e.opts.Style])
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
