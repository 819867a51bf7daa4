package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// markerReports are the ways to print the trace.
var markerReports = []struct {
	name, what string
	args       []string
}{
	{"tracec textdump", "with the columns of the process, to /dev/null", []string{"textdump"}},
	{"tracec textdump --plain", "the events alone", []string{"textdump", "--plain"}},
}

// allMarkers makes the repeated LTTng trace unless it exists, and measures it. Without the original
// trace there are no results.
func (o options) allMarkers() ([]result, error) {
	trace, err := o.markerTrace()
	if trace == "" || err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(trace, "*_*"))
	if err != nil {
		return nil, err
	}
	var size int64
	for _, f := range files {
		n, err := fileSize(f)
		if err != nil {
			return nil, err
		}
		size += n
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := makeMarkerIndex(trace); err != nil {
		return nil, err
	}
	rows := measured("", markerMeasurements, size, self, trace)
	for _, r := range markerReports {
		rows = append(rows, row{r.name, r.what, size, append(append([]string{o.tracec()}, r.args...), trace)})
	}
	return o.inTurn(rows), nil
}

// markerTrace returns the repeated LTTng trace. It makes it if it is missing. Without the original
// trace it returns "".
func (o options) markerTrace() (string, error) {
	if !exists(o.lttng) {
		return "", nil
	}
	trace := filepath.Join(o.dir, fmt.Sprintf("lttng-%dM", o.hookSize))
	if exists(trace) {
		return trace, nil
	}
	return trace, o.repeatArchive(trace)
}

// repeatArchive unpacks the trace, which has one folder, and repeats it.
func (o options) repeatArchive(trace string) error {
	dir := trace + ".part"
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := command("tar", "-xzf", o.lttng, "-C", dir); err != nil {
		return err
	}
	folder := filepath.Join(dir, strings.TrimSuffix(filepath.Base(o.lttng), ".tar.gz"))
	long := filepath.Join(dir, "long")
	if err := repeatTrace(folder, long, o.hookSize*1e6); err != nil {
		return err
	}
	return os.Rename(long, trace)
}

const markersTitle = "\n## LTTng\n"

// writeMarkers prints the table of the trace of LTTng.
func writeMarkers(w io.Writer, o options, m machine, list []result) {
	if len(list) == 0 {
		return
	}
	events := countEvents(list)
	fmt.Fprintf(w, markersTitle+"\nThe sub-buffers of `%s` repeated with later times: 192 files, %d MB, %.2f M events.\n"+
		"A 32-bit machine with 8 processors recorded it, as version 2.3. There is no reference, because LTTV does not run\n"+
		"any more. The same machine, %s, %s, best of %d runs.\n"+
		"`go run ./cmd/internal/bench -lttng-only -runs %d` writes this part alone.\n\n", o.lttng, list[0].bytes/1e6,
		float64(events)/1e6, m.golang, m.date, o.runs, o.runs)
	writeRows(w, list, events)
	byName := goodResults(list)
	fmt.Fprintln(w)
	for _, pair := range [][2]string{{markerMerge, markerWalk}, {markerTimely, markerMerge},
		{fewMarkerIndex, fewMarkers}} {
		if a, b := byName[pair[0]], byName[pair[1]]; a.cpu > 0 && b.cpu > 0 {
			fmt.Fprintf(w, "- %s has %.2f of the speed of %s\n", a.name, b.cpu.Seconds()/a.cpu.Seconds(), b.name)
		}
	}
}
