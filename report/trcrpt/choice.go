package trcrpt

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// choice is the selection of events, except by hook id, which each hook holds.
type choice struct {
	names        map[string]bool
	pids         map[int64]bool
	tids         map[uint64]bool
	comms        map[string]bool // names of processes whose threads are selected, in addition to tids
	since, until *int64
	matcher      *tracec.Matcher // matches the filters; nil passes all
	any          bool            // the selection is limited
}

// dateForm is MMddhhmmssyy (aix.md 5.3) for package time.
const dateForm = "010215040506"

// newChoice parses the options that select events.
func newChoice(o *Options) (choice, error) {
	c := choice{since: o.Since, until: o.Until}
	for _, name := range o.Processes {
		if pid, err := strconv.ParseInt(name, 10, 64); err == nil {
			if c.pids == nil {
				c.pids = map[int64]bool{}
			}
			c.pids[pid] = true
			continue
		}
		if c.names == nil {
			c.names = map[string]bool{}
		}
		c.names[name] = true
	}
	for _, tid := range o.Threads {
		if c.tids == nil {
			c.tids = map[uint64]bool{}
		}
		c.tids[tid] = true
	}
	if err := c.dates(o); err != nil {
		return c, err
	}
	c.any = len(o.Processes) > 0 || c.tids != nil || c.since != nil || c.until != nil || o.CPUs != nil
	return c, nil
}

// dates converts dates to times from the beginning of the trace.
func (c *choice) dates(o *Options) error {
	if o.StartDate == "" && o.EndDate == "" {
		return nil
	}
	if o.Began == "" {
		return report.Usagef("-s and -e: recordings hold the date in a form that is not published; " +
			"give the begin of the trace with --began MMddhhmmssyy")
	}
	began, err := parseDate(o.Began)
	if err != nil {
		return err
	}
	for _, d := range []struct {
		text string
		to   **int64
	}{{o.StartDate, &c.since}, {o.EndDate, &c.until}} {
		if d.text == "" {
			continue
		}
		t, err := parseDate(d.text)
		if err != nil {
			return err
		}
		ns := int64(t.Sub(began))
		*d.to = &ns
	}
	return nil
}

func parseDate(text string) (time.Time, error) {
	t, err := time.Parse(dateForm, text)
	if err != nil {
		return t, report.Usagef("%q is not a date of the form MMddhhmmssyy", text)
	}
	return t, nil
}

// limit ends the sources of tracec report after --until, now that the origin is known. trcrpt reads
// everything.
func (p *printer) limit() {
	if p.choice.until == nil || p.opts.common == nil {
		return
	}
	for _, s := range p.in.sources {
		s.walk.Until(p.clock.origin + uint64(max(*p.choice.until, -1)) + 1)
	}
}

// pass reports whether an event is selected.
func (p *printer) pass(h *hook, r *record.Record, e *aix.Entry) bool {
	return h.chosen && (!p.choice.any || p.passSlow(r, e))
}

func (p *printer) passSlow(r *record.Record, e *aix.Entry) bool {
	c, m := &p.choice, &p.facts
	elapsed := int64(r.Time - p.clock.origin)
	switch {
	case c.since != nil && elapsed < *c.since, c.until != nil && elapsed > *c.until:
		return false
	case (c.tids != nil || c.comms != nil) && !c.tids[e.TID] && !c.comms[m.Context.Process()]:
		return false
	case (c.pids != nil || c.names != nil) && !c.pids[m.Context.PID()] && !c.names[m.Context.Process()]:
		return false
	case p.opts.CPUs != nil:
		cpu := m.CPU()
		if cpu < 0 { // trcrpt shows events that may be of the processor; tracec report shows only certain ones
			if p.opts.common == nil {
				return true
			}
			p.outcome.noCPU++
			return false
		}
		if !p.opts.CPUs.Has(cpu) {
			return false
		}
	}
	return c.matcher == nil || c.matcher.Match(r, e)
}

// ListItems returns the items of lists, which commas or blanks separate.
func ListItems(lists []string) (items []string) {
	for _, l := range lists {
		items = append(items, strings.FieldsFunc(l, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })...)
	}
	return items
}

// ParseThreads reads lists of thread ids.
func ParseThreads(lists []string) ([]uint64, error) {
	var out []uint64
	for _, w := range ListItems(lists) {
		v, err := strconv.ParseUint(w, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a thread id", w)
		}
		out = append(out, v)
	}
	return out, nil
}
