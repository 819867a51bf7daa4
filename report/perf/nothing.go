package perf

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/perf"
)

// checkFields checks the fields that options name. A field that no event samples is an error. In a
// list for a kind of events, as in sw:comm,cpu, perf omits such a field unless it is trace. job
// then gets a note instead.
func checkFields(job *report.Job, rec *perf.Recording, changes []change, d defaults) error {
	var asked, ofAll, sampled Fields
	for _, e := range rec.Attrs() {
		if f := d.fields(e, changes); f&FieldSrcline != 0 && f&FieldIP == 0 {
			return fmt.Errorf("-F srcline: needs ip, which lines of %s do not have; add ip", e.Name)
		}
		named, general := namedFor(kindOf(e.Attr), changes)
		asked, ofAll = asked|named, ofAll|general
		for _, n := range fieldNames {
			switch {
			case n.needs != 0 && e.Attr.SampleType&n.needs == 0, n.field == FieldBPFOutput && !e.Attr.IsBPFOutput(),
				n.field == FieldSynth && !isSynthesized(e.Attr):
			default:
				sampled |= named & n.field
			}
		}
	}
	for _, n := range fieldNames {
		switch {
		case n.field&asked&^sampled == 0:
		case n.field&(ofAll|FieldTrace) != 0:
			return fmt.Errorf("-F %s: no event of %s samples it", n.name, rec.Name())
		default:
			job.Note("-F %s: no event of %s samples it; it is not printed", n.name, rec.Name())
		}
	}
	for _, c := range changes {
		if c.replaces && c.set == 0 && !slices.ContainsFunc(rec.Attrs(), func(e *perf.Event) bool {
			return kindOf(e.Attr) == c.kind
		}) {
			return fmt.Errorf("-F %s: %s has no events of this kind", c.kind+":", rec.Name())
		}
	}
	if asked&FieldTOD != 0 && !rec.Machine().HasWall {
		return fmt.Errorf("-F tod: %s has no time of day; record with -k", rec.Name())
	}
	return nil
}

// namedFor returns the fields that options name for events of a kind. general are the fields that
// lists for all events name. An option that replaces fields discards the options before it.
func namedFor(kind string, changes []change) (named, general Fields) {
	for _, c := range changes {
		if c.kind != "" && c.kind != kind {
			continue
		}
		if c.replaces {
			named, general = 0, 0
		}
		named |= c.named
		if c.kind == "" {
			general |= c.named
		}
	}
	return named, general
}

// checkCPUs returns an error if options select processors and no event samples the processor.
func (o *Options) checkCPUs(rec *perf.Recording) error {
	var has perf.SampleType
	for _, e := range rec.Attrs() {
		has |= e.Attr.SampleType
	}
	if o.CPUs != nil && len(rec.Attrs()) > 0 && has&perf.HasCPU == 0 {
		return fmt.Errorf("--cpu: no event of %s samples it", rec.Name())
	}
	return nil
}

// noteNothing reports that the selection has no event.
func (o *Options) noteNothing(ctx context.Context, job *report.Job) {
	chosen := o.Chosen()
	words := []string{}
	if chosen != "" {
		words = append(words, chosen)
	}
	for _, c := range o.Comms {
		words = append(words, "--comms "+c)
	}
	for _, n := range o.PIDs {
		words = append(words, fmt.Sprint("--pid ", n))
	}
	for _, n := range o.TIDs {
		words = append(words, fmt.Sprint("--tid ", n))
	}
	if o.Times != "" {
		words = append(words, "--time "+o.Times)
	}
	switch all := strings.Join(words, " "); {
	case all == "":
	case all == chosen:
		job.Warn(job.Nothing(ctx, "event", &o.Options.Options))
	default:
		job.Warn(selection.Nothing(job.Path, "event", all))
	}
}
