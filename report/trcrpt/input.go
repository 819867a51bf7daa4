package trcrpt

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// input is one recording of a report.
type input struct {
	rec *aix.Recording
	ctx *aix.Context
}

// source is one stream of an input.
type source struct {
	record.Stream[aix.Entry]
	input *input
	walk  *aix.Stream // the stream of the container below Stream
	wait  func()      // called before waiting for records
}

// Unwrap returns the stream itself.
func (s *source) Unwrap() any { return s.Stream }

// Next implements record.Stream.
func (s *source) Next() (record.Batch[aix.Entry], error) {
	s.wait()
	return s.Stream.Next()
}

func (*source) ended(err error) bool { return errors.Is(err, io.EOF) }

// reader holds the inputs, and reads their events in the order of time.
type reader struct {
	inputs  []*input
	sources []*source // by Record.Stream
	merged  *record.Merger[aix.Entry]
	records []record.Record // the current run
	entries []aix.Entry
	pos     int       // position in the run
	file    *aix.File // file of the run
	ended   bool
}

func (r *reader) merge() { r.merged = record.Merge(r.sources, nil) }

// openRecording opens a recording. It reads a pipe as data arrive.
func (p *printer) openRecording(ctx context.Context, path string) (*aix.Recording, error) {
	o := p.opts
	opts := sources.AIXOptions(&o.Rules, p.templates.compiled, p.job.Memory/int64(len(o.Inputs)))
	if o.AllCPUs {
		opts = append(opts, aix.WithCPUFiles(aix.CPUFilesAlways))
	}
	return sources.OpenAIX(ctx, &p.job.Job, path, opts...)
}

// openAll opens all inputs and lists their streams.
func (p *printer) openAll(ctx context.Context) error {
	layouts := aix.NewLayouts(p.opts.Layouts...)
	for _, path := range p.opts.Inputs {
		rec, err := p.openRecording(ctx, path)
		if err != nil {
			return err
		}
		p.job.Reads(rec)
		in := &input{rec: rec, ctx: rec.Context(layouts)}
		p.in.inputs = append(p.in.inputs, in)
		p.tellFiles(rec.Info())
		p.addSources(in)
	}
	return nil
}

func (p *printer) tellFiles(info *aix.Info) {
	for _, f := range info.Files {
		if p.opts.Verbose {
			p.job.Warn(fmt.Errorf("reading %s", f.Name))
		}
	}
}

func (p *printer) addSources(in *input) {
	// A window, threads and hooks are selected above the container. Times always count from the
	// first event, and hooks of all threads record the running processes.
	for _, s := range in.rec.Streams(record.Options{}) {
		// Events in a file of several processors are selected one by one.
		if cpu := s.File().CPU; cpu >= 0 && !p.opts.CPUs.Has(cpu) {
			s.Close()
			continue
		}
		p.in.sources = append(p.in.sources, &source{Stream: p.facts.Count(s), input: in, walk: s, wait: p.waits(s)})
	}
}

// waits returns the function to call before waiting for the records of a stream. For a pipe it
// writes the buffered text, since the next record may take long.
func (p *printer) waits(s *aix.Stream) func() {
	if s.File().Size >= 0 {
		return func() {}
	}
	return func() {
		if err := p.flush(); err != nil && p.out.failed == nil {
			p.out.failed = err
		}
	}
}

// tellDamage reports the damage of the recordings.
func (p *printer) tellDamage() {
	for _, in := range p.in.inputs {
		p.job.EachDamage(in.rec, p.damage)
	}
}

func (p *printer) damage(err error) {
	p.faults.damaged = true
	p.job.Warn(err)
}

func (p *printer) close() {
	for _, in := range p.in.inputs {
		in.rec.Close()
	}
}

// each calls fn for all events in the order of time.
func (p *printer) each(ctx context.Context, fn func(*record.Record, *aix.Entry)) error {
	in := &p.in
	in.merge()
	for {
		if ok, err := p.next(ctx); !ok {
			return err
		}
		for ; in.pos < len(in.records); in.pos++ {
			r, e := &in.records[in.pos], &in.entries[in.pos]
			p.facts.Next(r, e)
			fn(r, e)
		}
	}
}

// next ensures that there is an event. It returns false after the last one.
func (p *printer) next(ctx context.Context) (bool, error) {
	for p.in.pos == len(p.in.records) {
		if err := ctx.Err(); err != nil || p.in.ended {
			return false, err
		}
		// Write the text before waiting for more events.
		if len(p.out.buf) > 0 && p.block == nil && !p.in.merged.Ready() {
			if err := p.flush(); err != nil {
				return false, err
			}
		}
		run, entries, err := p.in.merged.NextRun()
		switch {
		case p.out.failed != nil:
			return false, p.out.failed
		case errors.Is(err, io.EOF):
			p.in.ended = true
			return false, nil
		case err != nil:
			p.tell(fault{err: err})
			continue
		}
		p.in.records, p.in.entries, p.in.pos = run, entries, 0
		p.enter(p.in.sources[run[0].Stream])
	}
	return true, nil
}

// enter sets the source of the next records.
func (p *printer) enter(s *source) {
	p.in.file = s.walk.File()
	p.facts.Info, p.facts.Context, p.facts.File = s.input.rec.Info(), s.input.ctx, p.in.file.Name
}
