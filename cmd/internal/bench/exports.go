package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// exportOut is the file or folder for exports of the benchmark.
const exportOut = "export.out"

// exported is the cost of one export with all processors.
type exported struct {
	result
	written int64 // number of written bytes
}

// exportRows are the measured exports: the words after tracec export.
var exportRows = [][]string{
	{"--to", "perfetto"}, {"--to", "ndjson"}, {"--to", "csv"}, {"--to", "chrome"}, {"--to", "folded"},
	{"--to", "pprof"}, {"--to", "speedscope"},
	{"--to", "parquet"}, {"--to", "parquet", "--wide"},
}

// leaving holds the measurements of exports to other tools.
type leaving struct {
	list      []exported
	questions []question
	page      []string // the measurements reported by the page of tracec view
}

// exports measures all exports of the trace. For comparison it measures the text of trace-cmd and
// made-up rows.
func (o options) exports() (*leaving, error) {
	trace, err := o.prepare()
	if err != nil {
		return nil, err
	}
	l := &leaving{}
	if l.list, l.questions, err = o.exportAll(trace); err != nil {
		return nil, err
	}
	l.page, err = o.view(trace)
	return l, err
}

func (o options) exportAll(trace string) (list []exported, questions []question, err error) {
	size, err := fileSize(trace)
	if err != nil {
		return nil, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	walk := runPinned([]string{self, "-measure", timeWalk, trace})
	if walk.err != nil {
		return nil, nil, walk.err
	}
	for _, words := range exportRows {
		args := append([]string{o.tracec(), "export"}, words...)
		list = append(list, o.export("tracec export "+strings.Join(words, " "), size, walk.events,
			append(args, "-o", filepath.Join(o.dir, exportOut), trace)))
	}
	ceiling := []string{"go", "run", "./export/parquet/internal/ceiling", "-rows", fmt.Sprint(walk.events), "-o"}
	if out, err := filepath.Abs(filepath.Join(o.dir, exportOut)); err == nil {
		list = append(list, o.export("parquet-go: as many made-up rows of 9 columns", size, walk.events,
			append(ceiling, out)))
	}
	if _, err := exec.LookPath("trace-cmd"); err == nil {
		list = append(list, o.export("trace-cmd report to /dev/null", size, walk.events,
			[]string{"trace-cmd", "report", trace}))
	}
	questions, err = o.ask(trace)
	return list, questions, err
}

// export runs one export o.runs times and keeps the fastest. It removes the output.
func (o options) export(name string, size, events int64, args []string) exported {
	best := exported{result: result{name: name, bytes: size, events: events}}
	out := filepath.Join(o.dir, exportOut)
	for range o.runs {
		os.RemoveAll(out)
		r := runFree(args)
		if r.err != nil {
			best.err = r.err
			break
		}
		if best.wall == 0 || r.wall < best.wall {
			best.wall, best.cpu = r.wall, r.cpu
		}
		best.peak = max(best.peak, r.peak)
		best.written = bytesBelow(out)
	}
	os.RemoveAll(out)
	fmt.Fprintf(os.Stderr, "%-44s %8.3f s (CPU %.3f)  peak %4d MiB  %d MB  %v\n", name, best.wall.Seconds(),
		best.cpu.Seconds(), best.peak>>20, best.written/1e6, errText(best.err))
	return best
}

// bytesBelow returns the size of a file or of all files of a folder.
func bytesBelow(path string) (n int64) {
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if st, err := d.Info(); err == nil {
				n += st.Size()
			}
		}
		return nil
	})
	return n
}

// question is a question about a trace, with the times of two ways to answer it.
type question struct {
	name string
	wall time.Duration
	err  error
}

// ask measures the time of a first answer: the number of switches to each program.
func (o options) ask(trace string) ([]question, error) {
	node := filepath.Join(os.TempDir(), "consumers", "duckdb")
	if dir := os.Getenv("TRACEC_DUCKDB"); dir != "" {
		node = dir
	}
	set := filepath.Join(o.dir, exportOut)
	os.RemoveAll(set)
	defer os.RemoveAll(set)
	if err := command(o.tracec(), "export", "--to", "parquet", "-o", set, trace); err != nil {
		return nil, err
	}
	glob, err := filepath.Abs(filepath.Join(set, "*", "*", "event=sched.sched_switch", "*.parquet"))
	if err != nil {
		return nil, err
	}
	query := "select next_comm, count(*) from '" + glob + "' group by all order by 2 desc limit 5"
	script := `require('` + node + `/node_modules/@duckdb/node-api').DuckDBInstance.create().then(d => d.connect()).then(c => c.runAndReadAll(process.argv[1])).then(r => console.log(r.getRows().length))`
	var list []question
	for _, q := range []struct {
		name string
		args []string
	}{
		{"DuckDB over the data set, with the start of node", []string{"node", "-e", script, query}},
		{"`trace-cmd report` and grep", []string{"sh", "-c", `trace-cmd report "$0" | grep -c sched_switch`, trace}},
	} {
		r := runFree(q.args)
		list = append(list, question{q.name, r.wall, r.err})
		fmt.Fprintf(os.Stderr, "%-44s %8.3f s  %v\n", q.name, r.wall.Seconds(), errText(r.err))
	}
	return list, nil
}

// view opens the trace in Chromium with tracec view. The page measures itself. Without Chromium it
// returns no lines.
// there is nothing.
func (o options) view(trace string) (lines []string, err error) {
	path, err := filepath.Abs(trace)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "test", "-count=1", "-run", "^TestLatency$", "-v", "./export/view")
	cmd.Env = append(os.Environ(), "TRACEC_VIEW_TRACE="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go test ./export/view: %w\n%s", err, out)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if _, said, ok := strings.Cut(line, "browser_test.go:"); ok {
			_, said, _ = strings.Cut(said, ": ")
			lines = append(lines, said)
			fmt.Fprintln(os.Stderr, "view: "+said)
		}
	}
	return lines, nil
}

const exportsTitle = "\n## Exports\n"

// writeExports prints the table of the exports.
func writeExports(w io.Writer, o options, m machine, l *leaving) {
	if l == nil {
		return
	}
	fmt.Fprintf(w, exportsTitle+"\n`tracec export` writes the trace of the first table to a file, with all processors of the machine. Wall time\n"+
		"counts here. The same machine, %s, %s, best of %d runs.\n"+
		"`go run ./cmd/internal/bench -exports` writes this part alone.\n\n", m.golang, m.date, o.runs)
	fmt.Fprint(w, "| what | wall seconds | CPU seconds | M events/s | MB written | of the trace | peak memory |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range l.list {
		if r.err != nil {
			fmt.Fprintf(w, "| %s | failed: %.100s | | | | | |\n", r.name, r.err)
			continue
		}
		fmt.Fprintf(w, "| %s | %.3f | %.3f | %.2f | %d | %.1f %% | %d MiB |\n", r.name, r.wall.Seconds(),
			r.cpu.Seconds(),
			float64(r.events)/r.wall.Seconds()/1e6, r.written/1e6, 100*float64(r.written)/float64(r.bytes),
			(r.peak+1<<20-1)>>20)
	}
	fmt.Fprint(w, "\nThe first answer to a question about a trace nobody has asked before, how many switches there were to each program:\n\n| how | wall seconds |\n|---|---:|\n")
	for _, q := range l.questions {
		if q.err != nil {
			fmt.Fprintf(w, "| %s | failed: %.100s |\n", q.name, q.err)
			continue
		}
		fmt.Fprintf(w, "| %s | %.3f |\n", q.name, q.wall.Seconds())
	}
	if len(l.page) > 0 {
		fmt.Fprint(w, "\n`tracec view` of the trace in headless Chromium, as the page measures itself, from the start of the browser on:\n\n")
	}
	for _, line := range l.page {
		fmt.Fprintf(w, "- %s\n", line)
	}
}
