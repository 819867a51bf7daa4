package uftrace

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// Merged yields the records of all files in time order: threads, kernel, perf, extern.dat.
type Merged struct {
	sources []source
	merger  *record.Merger
}

// MergeOptions choose what is merged.
type MergeOptions struct {
	NoKernel, NoPerf, NoExtern bool
}

// Merge begins to read everything.
func (r *Recording) Merge(opts MergeOptions) *Merged {
	m := &Merged{}
	shared := &views{}
	var others []source
	if !opts.NoKernel {
		others = append(others, r.kernelSources()...)
	}
	if !opts.NoPerf {
		others = append(others, r.perfSources()...)
	}
	if text, ok := r.readFile("extern.dat"); ok && !opts.NoExtern {
		others = append(others, &externStream{r: r, text: text})
	}
	for _, t := range r.tasks {
		m.sources = append(m.sources, r.newStream(t, shared, len(r.tasks)+len(others)))
	}
	m.sources = append(m.sources, others...)
	streams := make([]record.Stream, len(m.sources))
	for i, s := range m.sources {
		streams[i] = s
	}
	m.merger = record.NewMerger(streams)
	return m
}

// NextRun returns the records that come next, all of one stream, and their entries; both are valid until the next
// call. At equal times threads come first, in the order of Tasks, then kernel, perf and extern. The error is io.EOF after
// the last record.
func (m *Merged) NextRun() ([]record.Record, []Entry, error) {
	run, err := m.merger.NextRun()
	if err != nil {
		if errors.Is(err, io.EOF) {
			m.close()
		}
		return nil, nil, err
	}
	first := m.merger.Position()
	return run, m.sources[run[0].Stream].Entries()[first : first+len(run)], nil
}

func (m *Merged) close() {
	for _, s := range m.sources {
		s.close()
	}
}
