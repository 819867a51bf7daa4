package tracecmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
)

// catalog returns the event types, CPUs and threads of the inputs.
func (p *printer) catalog() *selection.Catalog {
	c := &selection.Catalog{Noun: "event", Recording: p.job.Path, CPUs: []int{}}
	for _, in := range p.inputs {
		sources.AddFTrace(c, in.rec)
		if f := in.formats.blktrace; f != nil {
			c.Events = append(c.Events, selection.Name{System: f.System, Name: f.Name})
		}
	}
	return c
}

// choose checks the selection against the descriptions of the inputs, before printing begins. For
// impossible selections, the native command only warns. trace-cmd is silent.
func (p *printer) choose() error {
	if err := p.checkFilters(); err != nil {
		return err
	}
	given := p.opts.Filters
	if err := p.filterThreads(); err != nil {
		return err
	}
	p.stacks = len(p.positive()) > 0
	p.losses = p.opts.Choice != nil && len(p.opts.Filters) > 0
	if err := p.checkTimes(); err != nil {
		return err
	}
	c := p.catalog()
	if o := p.opts.Choice; o != nil {
		return p.chooseCommon(c, o)
	}
	if err := c.CheckCPUs(p.opts.CPUs); err != nil {
		p.note(err)
	}
	for _, f := range given {
		p.checkFields(f)
	}
	p.checkSelection()
	return nil
}

// chooseCommon is choose for the options that all systems have.
func (p *printer) chooseCommon(c *selection.Catalog, o *report.Options) (err error) {
	if err := c.Check(&o.Options); err != nil {
		return err
	}
	p.opts.CPUs = o.CPUs
	if len(o.Events) > 0 {
		if p.opts.Events, err = c.Matcher(o.Events); err != nil {
			return err
		}
	}
	if len(o.Tasks) == 0 {
		return nil
	}
	p.tasks, _, err = c.FindTasks(o.Tasks)
	return err
}

// checkTimes checks the bounds of the time for every clock.
func (p *printer) checkTimes() error {
	for _, in := range p.inputs {
		for _, b := range in.buffers {
			if _, err := p.streamOptions(in, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFields warns about fields in a filter that all its events lack. A comparison with them is
// never true.
func (p *printer) checkFields(f Filter) {
	told := map[string]bool{}
	for _, field := range f.Fields() {
		name := field.Name
		if told[name] {
			continue
		}
		told[name] = true
		var known []string
		found := false
		for e := range p.inputs[f.Input].described {
			if found || e.IR == nil || !f.Matches(e.System, e.Names...) {
				continue
			}
			for _, field := range e.IR.Fields {
				found = found || field.Name == name
				known = append(known, field.Name)
			}
		}
		if !found {
			p.note(fmt.Errorf("filter %q: no event that it names has a field %q%s", f.Source, name,
				suggest.DidYouMean(name, known)))
		}
	}
}

// note prints a message that is not about damage.
func (p *printer) note(err error) {
	if p.noted = true; !p.opts.Quiet {
		p.job.Warn(err)
	}
}

// checkSelection warns if the selection is empty, since an empty report looks like an empty
// recording.
func (p *printer) checkSelection() {
	if p.opts.Events == nil {
		return
	}
	for _, in := range p.inputs {
		for _, f := range in.formats.byID {
			if p.opts.Events(f.System, f.Name) {
				return
			}
		}
	}
	p.note(errors.New("the recording has no event with the given names; --event-names lists its events"))
}

// noteNothing reports that no event matched the selection, unless the reason was already reported.
func (p *printer) noteNothing(ctx context.Context) {
	if p.shown > 0 || p.noted {
		return
	}
	if o := p.opts.Choice; o != nil && o.Chosen() != "" {
		p.note(p.job.Nothing(ctx, "event", &o.Options))
	} else if chosen := p.opts.chosen(); o == nil && chosen != "" {
		p.note(selection.Nothing(p.job.Path, "event", chosen))
	}
}

// noteTexts reports that texts were printed completely in spite of a selection.
func (p *printer) noteTexts() {
	if o := p.opts.Choice; o != nil && o.Chosen() != "" {
		p.note(fmt.Errorf("%s: contains the text of a latency tracer, which is printed unchanged: %s does not apply",
			p.job.Path, o.Chosen()))
	}
}

// chosen returns the native options that limit the selection, as on a command line.
func (o *Options) chosen() string {
	var words []string
	if o.CPUs != nil {
		words = append(words, "--cpu "+o.CPUs.String())
	}
	for _, f := range o.Filters {
		if f.Negate {
			words = append(words, "-v")
		}
		words = append(words, fmt.Sprintf("-F %q", f.Source))
	}
	if o.NoHardIRQ {
		words = append(words, "-I")
	}
	if o.NoSoftIRQ {
		words = append(words, "-S")
	}
	return strings.Join(words, " ")
}
