package tables

import (
	"context"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// A Call is a row of [Calls]: a call of a function.
type Call struct {
	Row
	Function string
	Module   string // program, library or system of the events; may be empty
	Caller   string // the calling function; "" if unknown or for an outermost call
	Depth    int    // number of recorded outer calls
	Self     uint64 // time outside of inner calls; valid if the duration is known
	Outer    bool   // no outer call is of the same function: sums count only such calls
	// GapInside is set if events were lost between the begin and the end. Inner calls may be
	// missing, or the end may belong to another call of the function.
	GapInside bool
	// Arguments are the recorded arguments and Result the recorded result, as texts, or "".
	Arguments, Result string
}

// Calls has a row for each call of a function: of uftrace, or of the tracer function_graph of
// ftrace. Time off the processor, which uftrace calls linux:schedule, is also a call.
var Calls = &Table[Call]{
	name: "calls",
	doc:  "calls of functions, by uftrace or the tracer function_graph",
	columns: spans(func(c *Call) *Row { return &c.Row },
		column[Call]{Column{"name", "the function", Text}, func(c *Call) Value { return text(c.Function) }},
		column[Call]{Column{"module", "the program or library", Text}, func(c *Call) Value { return text(c.Module) }},
		column[Call]{Column{"caller", "the function that called it", Text},
			func(c *Call) Value { return text(c.Caller) }},
		column[Call]{
			Column{"depth", "number of calls around it", Integer},
			func(c *Call) Value { return integer(int64(c.Depth)) },
		},
		column[Call]{Column{"self", "time without nested calls", Duration}, func(c *Call) Value {
			if _, ok := c.Dur(); !ok {
				return null
			}
			return integer(int64(c.Self))
		}},
		column[Call]{
			Column{"outer", "no call around it is of the same function", Bool},
			func(c *Call) Value { return boolean(c.Outer) },
		},
		column[Call]{
			Column{"gap_inside", "events were lost between its begin and its end", Bool},
			func(c *Call) Value { return boolean(c.GapInside) },
		},
		column[Call]{Column{"args", "the recorded arguments", Text}, func(c *Call) Value { return text(c.Arguments) }},
		column[Call]{Column{"ret", "the recorded result", Text}, func(c *Call) Value { return text(c.Result) }},
	),
	alone: func(w *Walk, yield func(*Call) bool) (func(context.Context) error, error) {
		opts, err := callOptions(w.open)
		return func(ctx context.Context) error { return walkCalls(ctx, w, opts, yield) }, err
	},
}

// walkCalls reads the recording for Calls.
func walkCalls(ctx context.Context, w *Walk, opts []tracec.Option, yield func(*Call) bool) error {
	r, err := w.open(ctx, opts...)
	if err != nil {
		return err
	}
	tl, err := timeline.New(r)
	if err != nil {
		return err
	}
	c := &callWalk{w: w, yield: yield}
	_, c.byThread = r.Recording().(*uftrace.Recording)
	for it := range tl.All() {
		w.extent.see(it.Time)
		if !c.item(it) {
			break
		}
	}
	return tl.Err()
}

// callOptions returns the options of a reader of calls, or a *MissingError.
func callOptions(open Open) ([]tracec.Option, error) {
	r, err := open(context.Background())
	if err != nil {
		return nil, err
	}
	opts := []tracec.Option{tracec.WithThreads()}
	if _, ok := r.Recording().(*uftrace.Recording); ok {
		return opts, nil
	}
	var found []string
	r.Names(func(system, name, _ string) {
		if e := system + ":" + name; slices.Contains(kernel.GraphEvents[:], e) {
			found = append(found, e)
		}
	})
	if len(found) == 0 {
		return nil, &MissingError{Recording: r.Recording().Name(), Table: "calls",
			Events: append([]string{"uftrace"}, kernel.GraphEvents[:]...)}
	}
	return append(opts, tracec.WithEvents(found...)), nil
}

// callWalk makes the rows of Calls from a timeline, which finds the begins and ends of calls.
type callWalk struct {
	w      *Walk
	yield  func(*Call) bool
	tracks []callTrack // by Track.Index
	row    Call

	byThread bool // the recording is from uftrace
}

// callTrack holds the open calls of a track.
type callTrack struct {
	thread *Thread
	open   []openCall
	losses int64   // number of losses of the thread
	inside []int32 // number of open calls of a function, by Name.Index
}

// openCall is an open span.
type openCall struct {
	name *timeline.Name // name at the begin: the end may have a better one
	args string
	call bool
	lost int64 // number of losses before it
}

// item processes an item of the timeline.
func (c *callWalk) item(it *timeline.Item) bool {
	for len(c.tracks) <= it.Track.Index {
		c.tracks = append(c.tracks, callTrack{})
	}
	tr := &c.tracks[it.Track.Index]
	c.lose(tr, it)
	switch it.Kind {
	case timeline.Instant:
		return true
	case timeline.Begin:
		tr.open = append(tr.open, openCall{it.Name, values(it.Event), it.Span.Call, c.losses(tr)})
		tr.count(it.Name, 1)
		return true
	}
	begun := tr.open[len(tr.open)-1]
	tr.open = tr.open[:len(tr.open)-1]
	tr.count(begun.name, -1)
	if !it.Span.Call {
		return true
	}
	row := &c.row // field by field: a composite literal would be built and copied
	row.Begin, row.End, row.NoBegin, row.NoEnd, row.CPU = it.Span.Begin, it.Span.End, Known, Known, -1
	row.Function, row.Module, row.Caller, row.Depth = it.Name.Text, it.Name.Category, "", 0
	row.Arguments, row.Result = begun.args, ""
	row.Self, row.GapInside = it.Span.Self(), c.losses(tr) != begun.lost
	if it.Event != nil {
		row.CPU, row.Result = it.Event.CPU, values(it.Event)
	}
	row.Outer = it.Name.Index >= len(tr.inside) || tr.inside[it.Name.Index] == 0
	if n := len(tr.open); n > 0 && tr.open[n-1].call {
		row.Depth, row.Caller = n, it.Track.Open[n-1].Name.Text
	}
	c.missing(it.Span)
	row.Thread = c.thread(tr, it.Track)
	return c.yield(row)
}

// lose counts a loss. In uftrace a thread loses records. In other recordings a processor does, and
// any thread may have run there.
func (c *callWalk) lose(tr *callTrack, it *timeline.Item) {
	switch {
	case c.byThread && it.Kind == timeline.Instant && it.Name.Category == "uftrace" && it.Name.Text == "lost":
		c.w.extent.lose(record.LostUnknown)
		tr.losses++
	case !c.byThread && it.Lost != 0:
		c.w.extent.lose(it.Lost)
	}
}

// losses returns the number of losses that concern a track.
func (c *callWalk) losses(tr *callTrack) int64 {
	if c.byThread {
		return tr.losses
	}
	return c.w.extent.Losses
}

// count counts the open calls of a function.
func (tr *callTrack) count(n *timeline.Name, by int32) {
	for len(tr.inside) <= n.Index {
		tr.inside = append(tr.inside, 0)
	}
	tr.inside[n.Index] += by
}

// missing sets the reasons for an unknown begin or end of a call.
func (c *callWalk) missing(s *timeline.Span) {
	if s.Unseen {
		c.row.NoBegin = OpenBegin
	}
	switch {
	case s.Left:
		c.row.NoEnd = Unpaired
	case s.Cut:
		c.row.NoEnd = OpenEnd
	}
}

// thread returns the thread of a track, or nil.
func (c *callWalk) thread(known *callTrack, tr *timeline.Track) *Thread {
	if tr.Kind == timeline.Unknown {
		return nil
	}
	th := known.thread
	if th == nil {
		if th = c.w.threads.at(tr.ID, max(tr.CPU, 0)); th == nil {
			return nil
		}
		known.thread = th
	}
	if th.Name = tr.Name; th.PID < 0 && tr.Process >= 0 {
		th.PID, th.main = tr.Process, c.w.threads.at(tr.Process, 0)
	}
	return th
}

// values returns the values of an event's own fields as a text.
func values(ev *tracec.Event) string {
	if ev == nil || ev.Type == nil || len(ev.Type.Fields) == 0 || ev.Type.System == "ftrace" {
		return ""
	}
	var b []byte
	for i := range ev.Type.Fields {
		v, ok := ev.At(i)
		if !ok || i == ev.Type.StackField() {
			continue
		}
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		b = v.AppendShown(append(append(b, ev.Type.Fields[i].Name...), '='))
	}
	return string(b)
}
