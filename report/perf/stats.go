package perf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// sums counts the records of a recording by type and by event.
type sums struct {
	rec     *perf.Recording
	groups  *counters
	total   int64
	kinds   map[perf.Kind]int64
	samples []int64 // by Event.Index
	lost    []uint64
}

// Stats prints the header, the number of records of each type, and the number of samples of each
// event, as perf report --stats does.
func Stats(ctx context.Context, job *report.Job, like string, header HeaderText) error {
	rec, err := sources.OpenPerf(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	style, n := likeOf(rec, like), len(rec.Events())
	if err := printHeader(ctx, job, rec, style, header); err != nil {
		return err
	}
	t := &sums{rec: rec, groups: newCounters(rec, style), kinds: map[perf.Kind]int64{},
		samples: make([]int64, n), lost: make([]uint64, n)}
	var bad []error
	for _, s := range rec.Streams(record.Options{Context: ctx}) {
		if err := record.Only(s, 0).Run(t.add); err != nil {
			bad = append(bad, err)
		}
		if n, kind := s.Unpacked(); n > 0 {
			t.total += n
			t.kinds[kind] += n
		}
		s.Close()
	}
	_, err = job.Out.Write(t.text(style))
	return report.Tell(job, rec, errors.Join(append(bad, err)...))
}

// add counts a record.
func (t *sums) add(r *record.Record, x *perf.Entry) error {
	t.total++
	e := x.Event
	switch {
	case e.Attr == nil:
		t.kinds[e.Kind]++
		if e.Kind == perf.LostSamples {
			t.lose(x)
		}
		return nil
	case e.Attr.ReadsGroups():
		t.groups.members(r.Task, x, func(of *perf.Event, _ uint64) { t.samples[of.Index]++ })
	default:
		t.samples[e.Index]++
	}
	t.kinds[perf.SampleKind]++
	return nil
}

// lose counts the samples of an event that the kernel could not write.
func (t *sums) lose(x *perf.Entry) {
	n, _ := x.LostSamples()
	if id, ok := x.RecordedID(); ok {
		if of := t.rec.EventOf(id); of != nil {
			t.lost[of.Index] += n
		}
	}
}

func (t *sums) text(style like) []byte {
	line := func(out []byte, name string, n uint64) []byte {
		return fmt.Appendf(out, "%*s events: %10d", style.kindWidth, name, n)
	}
	out := []byte("\nAggregated stats:")
	if t.kinds[perf.AuxtraceInfo] > 0 {
		out = append(out, " (excludes AUX area (e.g. instruction trace) decoded / synthesized events)"...)
	}
	out = append(line(append(out, '\n'), "TOTAL", uint64(t.total)), '\n')
	for _, k := range slices.Sorted(maps.Keys(t.kinds)) {
		out = line(out, cmp.Or(k.String(), strconv.FormatUint(uint64(k), 10)), uint64(t.kinds[k]))
		out = fmt.Appendf(out, "  (%4.1f%%)\n", 100*float64(t.kinds[k])/float64(t.total))
	}
	for _, e := range t.rec.Attrs() {
		samples, lost := uint64(t.samples[e.Index]), t.lost[e.Index]
		if samples > 0 || lost > 0 {
			out = append(append(out, e.Name...), " stats:\n"...)
		}
		if samples > 0 {
			out = append(line(out, perf.SampleKind.String(), samples), '\n')
		}
		if lost > 0 {
			out = append(line(out, perf.LostSamples.String(), lost), '\n')
		}
	}
	return out
}
