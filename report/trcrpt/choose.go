package trcrpt

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/compiler/pattern"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// Catalog returns what templates describe, the name of whose recording or file is name. A recording may have hooks without a
// template, which patterns for ids choose.
func Catalog(name string, templates []*compiler.Template) *report.Catalog {
	c := &report.Catalog{Recording: name, Noun: "hook", NoSystems: true, Matches: matchesHook, Possible: choosesID}
	for _, t := range templates {
		c.Events = append(c.Events, hookName(t.Hook, t.Label))
	}
	return c
}

// StanzaCatalog returns what a file of templates holds: patterns choose nothing else.
func StanzaCatalog(name string, stanzas []*grammar.Stanza) *report.Catalog {
	c := &report.Catalog{Recording: name, Noun: "template", Matches: matchesHook}
	for _, s := range stanzas {
		c.Events = append(c.Events, hookName(s.Hook.Value, strings.TrimPrefix(s.Label, "@")))
	}
	return c
}

func hookName(id uint16, label string) report.Name {
	return report.Name{System: "aix", Name: aix.HookName(id), Alias: label}
}

func matchesHook(p pattern.Pattern) (func(report.Name) bool, error) {
	match, err := Matcher([]string{p.String()})
	return func(n report.Name) bool { return match(n.Name, n.Alias) }, err
}

// choosesID reports whether a pattern chooses one of all hook ids.
func choosesID(pattern string) bool {
	match, err := Matcher([]string{pattern})
	for id := 0; err == nil && id < 1<<16; id++ {
		if match(aix.HookName(uint16(id)), "") {
			return true
		}
	}
	return false
}

// choose checks what is chosen against what templates and files describe, before anything is printed.
func (p *printer) choose() error {
	o := p.opts.common
	if o == nil {
		return nil
	}
	c := Catalog(p.job.Path, p.templates.Templates)
	c.CPUs = p.cpus()
	if err := c.Check(o); err != nil {
		return err
	}
	ids, _, err := c.FindTasks(o.Tasks)
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
	return p.filter(o)
}

// filter prepares the filters, of which templates ask the facts of the report.
func (p *printer) filter(o *report.Options) (err error) {
	c := &p.choice
	c.matcher, err = o.Matcher(p.inputs[0].rec, dynamic.WithTemplates(p.templates), dynamic.WithFacts(&p.facts))
	if c.matcher != nil {
		c.any = true
		c.matcher.Comm = func(*record.Record) string { return p.facts.Context.Process() }
	}
	return err
}

// chooseEvents opens a recording for those who read its events by themselves.
func chooseEvents(ctx context.Context, job *report.Job, _ *report.Options) (*report.Choice, error) {
	opts, err := newOptions(job)
	if err != nil {
		return nil, err
	}
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.loadTemplates(true); err != nil {
		return nil, err
	}
	rec, err := p.openRecording(ctx, job.Path)
	if err != nil {
		return nil, err
	}
	p.inputs = []*input{{rec: rec}}
	c := Catalog(job.Path, p.templates.Templates)
	c.CPUs = p.cpus()
	p.inputs = nil // the caller closes it
	return &report.Choice{Recording: rec, Catalog: c, Read: []dynamic.Option{dynamic.WithTemplates(p.templates)}}, nil
}

// soon is how long found looks for hooks: a shell waits for it.
const soon = time.Second

// found returns what a recording holds, as far as it can be read soon: recordings do not describe their hooks. Labels are those of the templates.
func found(ctx context.Context, job *report.Job) (*report.Catalog, error) {
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
	end := time.Now().Add(soon)
	has, threads := map[uint16]bool{}, map[uint64]bool{}
	for _, s := range p.sources {
		for time.Now().Before(end) {
			batch, err := s.Next()
			if len(batch.Records) == 0 || err != nil {
				break
			}
			for i, e := range batch.Entries {
				if id := uint16(batch.Records[i].ID); !describesSystem(id, &e) {
					has[id], threads[e.TID] = true, true
				}
			}
		}
	}
	c := Catalog(job.Path, nil)
	for _, id := range slices.Sorted(maps.Keys(has)) {
		c.Events = append(c.Events, hookName(id, p.hook(id).label))
	}
	for _, tid := range slices.Sorted(maps.Keys(threads)) {
		if tid <= math.MaxInt32 {
			c.Tasks = append(c.Tasks, report.Task{ID: int32(tid)})
		}
	}
	c.CPUs = p.cpus()
	return c, nil
}

// cpus returns the processors with files of their own. Without those, hooks say which processor, where their layout is known.
func (p *printer) cpus() (cpus []int) {
	for _, in := range p.inputs {
		for _, f := range in.rec.Info().Files {
			if f.CPU >= 0 {
				cpus = append(cpus, f.CPU)
			}
		}
	}
	return cpus
}

// noteNothing reports that events were chosen, and none was there. The native command is quiet with -q.
func (p *printer) noteNothing() {
	if p.shown || p.opts.Quiet {
		return
	}
	chosen := p.opts.chosen()
	if p.opts.common != nil {
		chosen = p.opts.common.Chosen()
	}
	if chosen != "" {
		p.job.Warn(report.Nothing(p.job.Path, "event", chosen))
	}
}

// chosen returns the native options that choose, as on a command line.
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
