package babeltrace

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// TestMutants prints mutants of traces by all sinks. All of them end, and the size of the text is
// in proportion to the data.
func TestMutants(t *testing.T) {
	var list []fstest.MapFS
	for _, s := range ctftest.Samples(t, "odd") {
		files := fstest.MapFS{}
		err := fs.WalkDir(s.Dir, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(s.Dir, name)
			files[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, files)
	}
	count, seed := needs.Mutants()
	if count == 0 {
		count = 100
	}
	r := rand.New(rand.NewPCG(seed, 39))
	for range count {
		bad, donor := fstest.MapFS{}, list[r.IntN(len(list))]
		for name, f := range list[r.IntN(len(list))] {
			bad[name] = f
		}
		var names []string
		for name := range bad {
			names = append(names, name)
		}
		slices.Sort(names)
		name := names[r.IntN(len(names))]
		data := bad[name].Data
		for range 1 + r.IntN(3) {
			if len(data) > 0 {
				data, _, _ = mutate.Blind(r, data, donor["metadata"].Data)
			}
		}
		bad[name] = &fstest.MapFile{Data: data}
		printMutant(t, bad)
	}
	t.Logf("%d mutants", count)
}

// printMutant prints a trace by all sinks.
func printMutant(t *testing.T, files fstest.MapFS) {
	o, details, counter := old(), DefaultDetails(), CounterOptions{Step: 10}
	for _, do := range []func(*report.Job) error{
		func(job *report.Job) error { return Run(t.Context(), job, &o, &Window{Overlap: true}, true) },
		func(job *report.Job) error { return PrintDetails(t.Context(), job, &details, &Graph{Force: true}) },
		func(job *report.Job) error { return Count(t.Context(), job, &counter, &Graph{Force: true}) },
	} {
		var out bytes.Buffer
		job := &report.Job{Job: sources.Job{Path: ".", FS: files, Sources: []*sources.Source{sources.CTF()}, Workers: 1,
			Memory: record.MinMemory, Warn: func(error) {}}, Out: &out}
		_ = job.Finish(do(job))
	}
}
