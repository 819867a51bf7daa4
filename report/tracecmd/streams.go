package tracecmd

import (
	"context"
	"slices"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// streams opens the streams of all buffers. For equal times their order decides: inputs as given,
// the top buffer before the instances, then by CPU. If pages is set, pages hold the next records.
func (p *printer) streams(ctx context.Context, pages bool) ([]record.Stream[record.None], error) {
	var streams []record.Stream[record.None]
	for _, in := range p.inputs {
		looksAhead := p.looksAhead(in)
		for _, b := range in.buffers {
			own, err := p.bufferStreams(ctx, b, !looksAhead)
			if err != nil {
				return nil, err
			}
			src := source{buffer: b}
			if looksAhead && !pages {
				src.ahead = &ahead{merger: record.Merge(own, nil), damage: p.damage}
				own = []record.Stream[record.None]{src.ahead}
			}
			for _, s := range own {
				p.sources = append(p.sources, src)
				streams = append(streams, s)
			}
		}
	}
	return streams, p.alignTo()
}

// bufferStreams opens the streams of the selected processors of a buffer. They are limited to the
// selected threads and events, unless an event needs later events: a call of the function graph is
// one line if nothing else was recorded during it.
func (p *printer) bufferStreams(ctx context.Context, b *buffer, alone bool) ([]record.Stream[record.None], error) {
	so, err := p.records(ctx, b, alone)
	if err != nil {
		return nil, err
	}
	so.CPUs = p.opts.CPUs.Of(b.cpus())
	streams := b.buf.Streams(so)
	p.job.ReadsAll(streams)
	return streams, nil
}

// records returns the options that select the records of a buffer, on all processors.
func (p *printer) records(ctx context.Context, b *buffer, alone bool) (ftrace.StreamOptions, error) {
	so, err := p.streamOptions(b.in, b)
	so.Context, so.Workers = ctx, p.job.Workers
	if err == nil && alone && p.opts.Profile == nil {
		so.IDs, so.After = p.wantedIDs(b.in)
		so.Tasks, so.Forget = p.tasks, p.opts.Choice == nil
	}
	return so, err
}

// cpus returns the processors of the buffer.
func (b *buffer) cpus() (list []int) {
	for _, c := range b.buf.CPUs {
		list = append(list, c.ID)
	}
	return list
}

// wantedIDs returns the ids of the selected events, and the ids of events that are shown only after
// one of them. Nil means all ids.
func (p *printer) wantedIDs(in *input) (wanted, after []uint32) {
	filters := slices.DeleteFunc(p.filtersOf(in), func(f Filter) bool { return f.Negate })
	if p.opts.Events == nil && len(filters) == 0 {
		return nil, nil
	}
	if in.selected.ids != nil {
		return in.selected.ids, in.selected.after
	}
	wanted = []uint32{}
	for id, f := range in.formats.byID {
		named := len(filters) == 0 || slices.ContainsFunc(filters,
			func(fl Filter) bool { return fl.Matches(f.System, f.Name) })
		switch {
		case p.opts.Events != nil && !p.opts.Events(f.System, f.Name):
		case len(filters) == 0:
			wanted = append(wanted, id)
		case named && !p.event(in, id).hidden:
			wanted = append(wanted, id)
		case !named && isStack(f):
			after = append(after, id)
		}
	}
	in.selected.ids, in.selected.after = wanted, after
	return wanted, after
}

// isStack reports whether events are stacks of the previous events.
func isStack(f *ftrace.Format) bool {
	return f.System == "ftrace" && (f.Name == "kernel_stack" || f.Name == "user_stack")
}

// looksAhead reports whether texts may depend on the next record, as in the function graph.
func (p *printer) looksAhead(in *input) bool {
	_, ok := p.graphEntry(in)
	return ok
}

// graphEntry returns the event with a line that depends on the next record, if there is one.
func (p *printer) graphEntry(in *input) (id uint32, ok bool) {
	if p.opts.Raw || p.opts.Profile != nil {
		return 0, false
	}
	for _, f := range in.rec.Formats() {
		if f.System == "ftrace" && f.Name == "funcgraph_entry" && f.ID >= 0 && !p.event(in, uint32(f.ID)).hidden {
			return uint32(f.ID), true
		}
	}
	return 0, false
}

func (p *printer) streamOptions(in *input, b *buffer) (so ftrace.StreamOptions, err error) {
	so = ftrace.StreamOptions{
		RawTime: p.opts.RawTime, NoDate: p.opts.NoDate,
		TicksPerS: float64(p.frequency(in)), Offset: in.opts.TSOffset,
	}
	o := p.opts.Choice
	if o == nil {
		return so, nil
	}
	form := selection.Nanoseconds
	switch b.time {
	case ticks:
		form = selection.Ticks
	case micros:
		form = selection.Microseconds
	}
	so.Options, err = o.Records(form)
	return so, err
}

// alignTo finds the time of the first event of all processors, for --align-ts. It opens its own
// streams, which cannot be rewound.
func (p *printer) alignTo() error {
	if !p.opts.AlignTS {
		return nil
	}
	first := ^uint64(0)
	for _, in := range p.inputs {
		for _, b := range in.buffers {
			so, err := p.streamOptions(in, b)
			if err != nil {
				return err
			}
			so.Since, so.Until = 0, 0
			for _, s := range b.buf.Streams(so) {
				if batch, err := s.Next(); err == nil || len(batch.Records) > 0 {
					first = min(first, batch.Records[0].Time)
				}
			}
		}
	}
	p.align = first
	return nil
}
