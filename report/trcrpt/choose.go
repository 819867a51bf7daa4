package trcrpt

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// catalog returns the contents of templates and files.
func (p *printer) catalog() *selection.Catalog {
	c := trcfiles.Catalog(p.job.Path, p.templates.compiled.Templates)
	c.CPUs, c.NamesLater = p.cpus(), len(p.opts.Layouts) > 0
	return c
}

// choose checks the selection against templates and files, before printing begins.
func (p *printer) choose() error {
	o := p.opts.common
	if o == nil {
		return nil
	}
	c := p.catalog()
	if err := c.Check(&o.Options); err != nil {
		return err
	}
	ids, names, err := c.FindTasks(o.Tasks)
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		for _, id := range ids {
			p.opts.Threads = append(p.opts.Threads, uint64(int64(id)))
		}
		if p.choice, err = newChoice(p.opts); err != nil {
			return err
		}
	}
	if len(names) > 0 {
		p.choice.any, p.choice.comms = true, map[string]bool{}
	}
	for _, name := range names {
		p.choice.comms[name] = true
	}
	return p.filter(o)
}

// filter prepares the filters. Their templates use the facts of the report.
func (p *printer) filter(o *report.Options) (err error) {
	c := &p.choice
	c.matcher, err = o.Matcher(p.in.inputs[0].rec, tracec.WithHooks(p.templates.compiled), tracec.WithFacts(&p.facts))
	if c.matcher != nil {
		c.any = true
		c.matcher.Comm = func(*record.Record) string { return p.facts.Context.Process() }
	}
	return err
}

// soon is the maximum time for finding hooks, since completion in a shell waits for it.
const soon = time.Second

// found returns the contents of a recording, as far as they can be read quickly. It must read
// events, since recordings do not describe their hooks. Labels come from the templates.
func found(ctx context.Context, job *report.Job) (*selection.Catalog, error) {
	opts, err := newOptions(job)
	if err != nil {
		return nil, err
	}
	opts.Quiet = true
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	has, threads, err := p.met(ctx, time.Now().Add(soon))
	if err != nil {
		return nil, err
	}
	c := trcfiles.Catalog(job.Path, nil)
	for _, id := range slices.Sorted(maps.Keys(has)) {
		c.Events = append(c.Events, trcfiles.NameOf(id, p.hook(id).label))
	}
	for _, tid := range slices.Sorted(maps.Keys(threads)) {
		if tid <= math.MaxInt32 {
			c.Tasks = append(c.Tasks, selection.Task{ID: int32(tid), Name: p.threadName(tid)})
		}
	}
	c.CPUs = p.cpus()
	return c, nil
}

// met reads until end and returns the hooks and threads that occur. If layouts assign threads to
// events, it reads in the order of time.
func (p *printer) met(ctx context.Context, end time.Time) (hooks map[uint16]bool, threads map[uint64]bool, err error) {
	hooks, threads = map[uint16]bool{}, map[uint64]bool{}
	meet := func(r *record.Record, e *aix.Entry) {
		if id := uint16(r.ID); !trcfiles.DescribesSystem(id, e) {
			hooks[id], threads[e.TID] = true, true
		}
	}
	if len(p.opts.Layouts) > 0 {
		inTime, cancel := context.WithDeadline(ctx, end)
		defer cancel()
		err = p.each(inTime, meet)
		p.in.merged.Close()
		if errors.Is(err, context.DeadlineExceeded) {
			err = ctx.Err()
		}
		return hooks, threads, err
	}
	for _, s := range p.in.sources {
		for time.Now().Before(end) {
			batch, err := s.Next()
			if len(batch.Records) == 0 || err != nil {
				break
			}
			for i := range batch.Entries {
				meet(&batch.Records[i], &batch.Entries[i])
			}
		}
	}
	return hooks, threads, nil
}

// threadName returns the process name of a thread at the end, if layouts provide it.
func (p *printer) threadName(tid uint64) string {
	for _, in := range p.in.inputs {
		if name := in.ctx.NameOf(in.ctx.PIDOf(tid)); name != "" {
			return name
		}
	}
	return ""
}

// cpus returns the processors with files of their own. Without such files, hooks with a known
// layout record the processor.
func (p *printer) cpus() (cpus []int) {
	for _, in := range p.in.inputs {
		cpus = append(cpus, sources.AIXCPUs(in.rec)...)
	}
	return cpus
}

// noteNothing reports that no event matched the selection. The native command omits the message
// with -q.
func (p *printer) noteNothing(ctx context.Context) {
	if p.outcome.shown || p.opts.Quiet {
		return
	}
	if o := p.opts.common; o != nil && o.Chosen() != "" {
		p.job.Warn(p.job.Nothing(ctx, "event", &o.Options))
	} else if chosen := p.opts.chosen(); o == nil && chosen != "" {
		p.job.Warn(selection.Nothing(p.job.Path, "event", chosen))
	}
}

// chosen returns the native options that limit the selection, as on a command line.
func (o *Options) chosen() string {
	var words []string
	for _, x := range []struct {
		option string
		given  bool
	}{
		{"-C " + o.CPUs.String(), o.CPUs != nil},
		{"-d or -D", o.Only != nil}, {"-k or -K", o.Never != nil},
		{"-p " + strings.Join(o.Processes, ","), len(o.Processes) > 0}, {"-T", len(o.Threads) > 0},
		{"-s " + o.StartDate, o.StartDate != ""}, {"-e " + o.EndDate, o.EndDate != ""},
		{"-O starttime=", o.Since != nil}, {"-O endtime=", o.Until != nil},
	} {
		if x.given {
			words = append(words, x.option)
		}
	}
	return strings.Join(words, " ")
}
