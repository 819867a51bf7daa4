package main

import (
	"fmt"
	"os"
	"time"
)

// A result is one row of the table.
type result struct {
	name, what string
	wall, cpu  time.Duration // of the measured part
	events     int64
	bytes      int64
	allocs     float64 // per event
	peak       int64   // resident bytes of the whole process
	err        error
}

// row is a row of a table before its measurement.
type row struct {
	name, what string
	bytes      int64 // size of the recording
	args       []string
}

// measured returns the rows for measurements of a recording. self is the file of this program,
// which runs them.
func measured(prefix string, list []measurement, size int64, self, path string) (rows []row) {
	for _, m := range list {
		rows = append(rows, row{prefix + m.name, m.what, size, []string{self, "-measure", m.name, path}})
	}
	return rows
}

// inTurn measures rows, each in a separate pinned process. Their runs take turns, so that a machine
// of varying speed affects all of them alike. The best run of each counts.
func (o options) inTurn(rows []row) []result {
	list := make([]result, len(rows))
	for i, r := range rows {
		list[i] = result{name: r.name, what: r.what, bytes: r.bytes}
	}
	for range o.runs {
		for i, r := range rows {
			list[i].take(runPinned(r.args))
		}
	}
	for _, r := range list {
		fmt.Fprintf(os.Stderr, "%-24s %8.3f s (CPU %.3f)  peak %4d MiB  %v\n", r.name, r.wall.Seconds(),
			r.cpu.Seconds(), r.peak>>20, errText(r.err))
	}
	return list
}

// take adds a run to the result.
func (r *result) take(run result) {
	if run.err != nil {
		r.err = run.err
		return
	}
	if r.cpu == 0 || run.cpu < r.cpu {
		r.wall, r.cpu, r.events, r.allocs = run.wall, run.cpu, run.events, run.allocs
	}
	r.peak = max(r.peak, run.peak)
}

func errText(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
