package dump

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// thread prints one file of records.
type thread struct {
	*dumper
	task     *uftrace.Task
	prefixes prefixes // of records
	payloads prefixes // of their payloads
	hex      hexLines
	last     uint64 // time of the previous record
}

func (d *dumper) newThread(task *uftrace.Task) *thread {
	return &thread{dumper: d, task: task, prefixes: newPrefixes(task.TID, d.wide(), &kindNames),
		payloads: newPrefixes(task.TID, d.wide(), &payloadNames)}
}

func (d *dumper) wide() bool { return d.opts.Style == values.V019 }

// inverted is the text before a record with an earlier time than the previous record. Lost records
// cause it, since they have no time.
const inverted = `
*************************************
* inverted time - data seems broken *
*************************************

`

// record prints one record of a thread without filters.
func (t *thread) record(r *record.Record, e *uftrace.Entry) {
	if r.Time < t.last {
		t.out = append(t.out, inverted...)
	}
	t.last = r.Time
	t.show(r, e)
}

// show prints one record of a thread if it matches.
func (t *thread) show(r *record.Record, e *uftrace.Entry) {
	if !t.matches(r, e) {
		return
	}
	t.shown++
	out := t.clock.Append(t.out, r.Time)
	out = append(out, t.prefixes[e.Kind&3]...)
	if e.Kind <= uftrace.Leave {
		out = append(out, t.names.Text(e.Addr, e.Sym)...)
	} else {
		out = t.other(out, r, e)
	}
	t.out = append(render.Udec(out, uint64(e.Depth)), '\n')
	if e.More || t.opts.Debug {
		t.details(r, e)
	}
}

// other appends the name of an event, or the number of lost records. uftrace prints that number as
// an address without symbol.
func (t *thread) other(dst []byte, r *record.Record, e *uftrace.Entry) []byte {
	if e.Kind == uftrace.Lost {
		return appendName(dst, e.Addr, nil, nil)
	}
	dst = append(append(dst, t.rec.EventName(r.ID)...), '(')
	dst = strconv.AppendUint(dst, e.Addr&line.AddrMask, 16)
	return append(dst, ") depth: "...)
}

// details prints the payload and, on request, the bytes.
func (t *thread) details(r *record.Record, e *uftrace.Entry) {
	if t.opts.Debug {
		t.out = t.hex.append(t.out, t.hex.record(t.rec.Info().BigEndian, r.Time, e))
	}
	if !e.More || r.Data == nil || t.opts.NoArgs {
		return
	}
	t.out = t.clock.Append(t.out, r.Time)
	t.out = append(t.out, t.payloads[e.Kind&3]...)
	t.out = append(render.Dec(t.out, int64(len(r.Data))), '\n')
	s := t.task.SessionAt(r.Time)
	switch e.Kind {
	case uftrace.Enter:
		t.out = t.vals.AppendArgs(t.out, s, r.Time, e.Sym, r.Data)
	case uftrace.Leave:
		t.out = t.vals.AppendResult(t.out, s, r.Time, e.Sym, r.Data)
	case uftrace.Event:
		t.out = t.vals.AppendEvent(t.out, s, r.Time, r.ID, r.Data)
	}
	if t.opts.Debug {
		t.out = t.hex.append(t.out, t.hex.payload(r.Data))
	}
}

// filtered reports whether a filter selects records. uftrace ignores -t, -C and -Z here.
func (d *dumper) filtered() bool {
	o := d.opts.Play
	o.Functions.Callers, o.Limits.Time, o.Limits.Size = nil, 0, 0
	return callstack.Selective(&o) || o.Events.None
}

// filters returns the options for the player. Like uftrace, it ignores -t, -Z and -C, except that
// -C hides schedules. --tid and -r are applied when files are read.
func (o *Options) filters(rec *uftrace.Recording) callstack.Options {
	f := o.Play
	if f.Functions.IgnoresHide(rec) {
		f.Functions.Hide, f.Functions.Locs = nil, nil
	}
	f.Scope, f.Limits.Time, f.Limits.Size = callstack.Scope{}, 0, 0
	f.Functions.Callers, f.Functions.Triggers = nil, untimed(f.Functions.Triggers)
	f.Events.Full, f.Steps = true, callstack.Single
	return f
}

// untimed removes the actions time=, size= and caller from triggers, since they correspond to -t,
// -Z and -C.
func untimed(triggers []string) []string {
	var kept []string
	for _, list := range triggers {
		for _, item := range strings.Split(list, ";") {
			function, actions, _ := strings.Cut(item, "@")
			words := slices.DeleteFunc(strings.Split(actions, ","), func(w string) bool {
				return strings.HasPrefix(w, "time=") || strings.HasPrefix(w, "size=") || w == "caller"
			})
			if len(words) > 0 {
				kept = append(kept, function+"@"+strings.Join(words, ","))
			}
		}
	}
	return kept
}
