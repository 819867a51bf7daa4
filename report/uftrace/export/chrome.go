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

// events writes Chrome's trace events, one per line.
type events struct {
	lines
	w      io.Writer
	err    error // error of w; nothing is written after it
	some   bool  // an event was written
	rec    *uftrace.Recording
	opts   *Options
	vals   *values.Printer
	names  *line.Texts
	shift  uint64            // added to times, in ns; may wrap around
	walker *callstack.Walker // nil if a player is used
	at     []track           // by callstack.Task.Index
}

// track is the state of a thread.
type track struct {
	begin, end id              // such as `,"ph":"B","pid":1,"tid":2,"name":"`
	last       uint64          // time of the last record
	open       []uftrace.Entry // calls that were open at the start of the range, until they are written
	// session is the session for times with from ≤ time < from+span.
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

// next begins an event. For all but the first, it first ends the previous line.
func (e *events) next() {
	if e.some {
		e.out = append(e.out, ',')
	}
	e.some = true
	e.out = append(e.out, '\n')
}

// threads writes the names of the threads. A thread has its last name.
func (e *events) threads(ctx context.Context, tasks []*callstack.Task) error {
	lives, err := about.Lives(ctx, e.rec, e.opts.Play.Scope.TIDs)
	if err != nil {
		return err
	}
	names := e.rec.Info().TIDs // includes threads without a file
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

// Both phases have the same length.
const (
	beginPhase = `,"ph":"B"`
	endPhase   = `,"ph":"E"`
)

// title writes the name of a thread.
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

// event writes a schedule or a new name of a thread.
func (e *events) event(t *callstack.Task, r *record.Record) {
	switch at := e.opts.of(r); {
	case at != nowhere:
		e.write(r.Time, at, t, scheduleText)
		e.flush()
	case r.ID == callstack.TaskName:
		e.rename(t, r)
	}
}

// before follows the calls before the range. Calls that are open when the range begins are begun
// there, as in uftrace's development version (issue 2029). Otherwise their ends would have no
// beginning.
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

// begin writes the calls that were open at the start of the range.
func (e *events) begin(t *callstack.Task, now uint64) {
	at := &e.at[t.Index]
	for i := range at.open {
		e.write(now, begins, t, e.names.Text(at.open[i].Addr, at.open[i].Sym))
	}
	at.open = nil
}

// call writes the begin or the end of a call.
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

// more adds the values of a call and its place in the source.
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

// flush writes the buffered text if it exceeds flushSize.
func (e *events) flush() {
	if len(e.out) < flushSize {
		return
	}
	if e.err == nil {
		_, e.err = e.w.Write(e.out)
	}
	e.out = e.out[:0]
}

// rename writes the new name of a thread. The name of the first thread of a process is also the
// name of the process.
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

// scheduleText is the name of schedules in the form of jsonNames.
var scheduleText = []byte(schedule + `"}`)

// write writes an event. The event ends with its name.
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

// source appends the place of a function in the source, and reports whether it is known. more is
// set if other members follow.
func (e *events) source(sym *uftrace.Symbol, more bool) bool {
	// Like uftrace, omit the places of weak symbols.
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

// values appends the arguments or the result of a call, and ends their object.
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

// close ends the calls that are open at the end of the recording. It skips calls without a recorded
// begin.
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
	// The recorder escapes only quotes in the command line.
	line := e.rec.Info().CmdLine
	e.out = append(e.out, `"command_line":"`...)
	if json.Valid([]byte(`"` + line + `"`)) {
		e.out = append(e.out, line...)
	} else {
		e.out = appendJSON(e.out, line)
	}
	e.out = append(e.out, "\"\n} }\n"...)
}
