package textdump

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// stat counts the selected events.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	filter := Filter{Choice: *o}
	if err := filter.check(); err != nil {
		return nil, err
	}
	t, err := sources.OpenLTTng(ctx, &job.Job)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	c := &counter{rec: t, lost: make([]int64, len(t.Files())), titles: process.Titles{Limit: int(job.Memory / 8)}}
	c.Memory = job.Memory
	if c.wanted, err = filter.prepare(t); err != nil {
		return nil, report.Tell(job, t, err)
	}
	c.nameKinds()
	if err := c.all(ctx); err != nil {
		return nil, report.Tell(job, t, err)
	}
	// Losses at the end count only if all events of the files are selected.
	if w := c.wanted; w.records.Until == 0 && w.ids == nil && w.all {
		for i, f := range t.Files() {
			if n := f.LostAtEnd(); n != 0 && c.wanted.files[i] {
				c.Miss(n)
			}
		}
	}
	if c.titles.Overflow {
		job.Warn(fmt.Errorf("%s: the names of processes take more than %d MiB and are left out (option --memory)",
			job.Path, c.titles.Limit>>20))
	}
	s := &report.Stat{Recording: facts.Of(job.Path, "lttng", t)}
	s.Add(c.Buffer("", c.statNames()))
	return s, report.Tell(job, t, nil)
}

// counter counts events. The thread is the one that ran on the processor at the time.
type counter struct {
	report.Tally
	rec    *lttng.Recording
	wanted *wanted
	lost   []int64  // by file: losses since its last selected event
	kinds  []uint32 // by Marker.Index: the first marker of the name, for sets of traces
	states map[*lttng.Trace]*process.State
	titles process.Titles
}

// nameKinds joins the markers of the same name, which each trace of a set describes separately.
func (c *counter) nameKinds() {
	first := map[string]uint32{}
	for i, m := range c.rec.Markers() {
		name := title(m)
		if _, ok := first[name]; !ok {
			first[name] = uint32(i)
		}
		c.kinds = append(c.kinds, first[name])
	}
}

// all counts the events of all files. An error of a file ends the reading of that file only.
func (c *counter) all(ctx context.Context) error {
	c.states = map[*lttng.Trace]*process.State{}
	var errs []error
	for _, streams := range c.groups() {
		if err := c.group(ctx, streams); err != nil {
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	return errors.Join(errs...)
}

// groups returns the streams that must be read together in the order of time. These are the files
// of one processor of a trace, which determine the processes that run there. A selection by names
// of processes needs all files, since any processor may name a process.
func (c *counter) groups() (groups [][]*lttng.Stream) {
	// Events before a window record the running processes.
	o := record.Options{Until: c.wanted.records.Until, LostSince: c.wanted.records.Since}
	if c.wanted.ids != nil {
		o.IDs = process.RunningKinds(c.wanted.ids, c.rec)
	}
	streams := c.rec.Streams(o)
	if c.wanted.asksNames() {
		return [][]*lttng.Stream{streams}
	}
	type key struct {
		trace *lttng.Trace
		cpu   int
	}
	at := map[key]int{}
	for _, s := range streams {
		k := key{s.File().Trace(), s.File().CPU}
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// group counts the events of streams.
func (c *counter) group(ctx context.Context, streams []*lttng.Stream) error {
	m := lttng.MergeStreams(streams)
	defer m.Close()
	var errs []error
	for ctx.Err() == nil {
		records, entries, err := m.NextRun()
		if len(records) > 0 {
			c.run(streams[records[0].Stream].File(), records, entries)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil { // an error of one file: reading continues with the others
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// run counts the events of a file.
func (c *counter) run(f *lttng.File, run []record.Record, entries []lttng.Entry) {
	st := c.states[f.Trace()]
	if st == nil {
		st = process.NewProcesses(f.Trace(), &c.titles)
		c.states[f.Trace()] = st
	}
	file, lost := c.wanted.files[f.Index()], &c.lost[f.Index()]
	for i := range run {
		r, m := &run[i], entries[i].Marker
		st.Apply(r, m)
		if r.Lost != 0 && r.Time >= c.wanted.records.Since {
			*lost = record.AddLost(*lost, r.Lost)
		}
		if !file || !c.wanted.has(r, m) {
			continue
		}
		p := st.Running(r.CPU)
		if !c.wanted.hasProcess(p) || !c.wanted.passes(r, &entries[i], p) {
			continue
		}
		if *lost != 0 {
			c.Miss(*lost)
			*lost = 0
		}
		kind := uint32(len(c.kinds))
		if m != nil {
			kind = c.kinds[m.Index]
		}
		c.Add(kind, r.CPU, int64(p.PID), r.Time)
	}
}

func (c *counter) statNames() report.Names {
	markers := c.rec.Markers()
	names := c.titles.Last(c.wanted.until)
	return report.Names{
		Event: func(n uint32) report.EventName {
			if int(n) == len(markers) {
				return report.EventName{Text: "(not described)"}
			}
			m := markers[n]
			return report.EventName{System: m.Channel, Name: m.Name, ID: facts.Number(m.ID), Text: title(m)}
		},
		Task: func(id int64) string { return names[int32(id)] },
		Time: func(ns uint64) string { return string(render.Fixed(nil, ns, 9)) },
	}
}
