package tracecmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/rewrite"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestWorkersPrintTheSame: the output and the messages are the same for any number of workers and
// any length of pages, even for damaged recordings.
func TestWorkersPrintTheSame(t *testing.T) {
	defer func(n, text int, size, part int64) {
		pageRecords, mostText, sliceBytes, leastPart = n, text, size, part
	}(pageRecords, mostText, sliceBytes, leastPart)
	files, _ := filepath.Glob("../../testdata/ftrace/*.dat")
	more, _ := filepath.Glob(filepath.Join(needs.SharedData(t), "ftrace*/*/*.dat"))
	file := filepath.Join(t.TempDir(), "trace.dat")
	r := rand.New(rand.NewPCG(7, 7))
	r.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
	more = more[:min(20, len(more))]
	for _, pattern := range []string{"cmdlines*", "function*", "*graph*"} { // lines depend on earlier events
		list, _ := filepath.Glob(filepath.Join(needs.SharedData(t), "ftrace/*", pattern+".dat"))
		more = append(more, list...)
	}
	for _, path := range needs.Some(t, append(files, more...), 6) {
		intact, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain := unpacked(t, path)
		for i := range 6 {
			b := intact
			if i%2 > 0 && plain != nil { // it can be cut
				b = plain
			}
			if i > 3 {
				b = bytes.Clone(b)
				for range 1 + r.IntN(20) {
					at := len(b)/2 + r.IntN(len(b)/2)
					b[at] ^= byte(1 << r.IntN(8))
				}
			}
			if r.IntN(3) == 0 {
				b = forget(b)
			}
			opts := randomOptions(r)
			from := "-"
			if i%2 > 0 {
				if from = file; os.WriteFile(file, b, 0o666) != nil {
					t.Fatal(file)
				}
			}
			want := printedBy(from, b, opts, 1)
			pageRecords, sliceBytes, leastPart, mostText = 1<<r.IntN(10), 1<<(8+r.IntN(10)), 1<<r.IntN(13),
				1<<(10+r.IntN(14))
			workers := 2 + r.IntN(4)
			if got := printedBy(from, b, opts, workers); !slices.Equal(want, got) {
				d := cmp.Diff(want, got)
				t.Fatalf("%s, try %d, %d workers, pages of %d, slices of %d, %+v (-1 +n):\n%.3000s", path, i, workers,
					pageRecords, sliceBytes, opts, d)
			}
		}
	}
}

func randomOptions(r *rand.Rand) Options {
	o := Options{Latency: r.IntN(4) == 0, FullTime: r.IntN(3) == 0, TSDiff: r.IntN(12) == 0, Wakeup: r.IntN(12) == 0,
		AlignTS: r.IntN(8) == 0, Reference: r.IntN(2) == 0, Texts: Texts{Raw: r.IntN(5) == 0, Plain: r.IntN(4) == 0}}
	if r.IntN(3) == 0 {
		o.Choice = &report.Options{}
		if r.IntN(3) == 0 {
			f, err := filter.Parse(".*: common_pid & 1 && common_flags >= 0")
			if err != nil {
				panic(err)
			}
			o.Filters = []Filter{{Filter: f}}
		}
		if r.IntN(2) == 0 {
			o.Choice.Events = []string{[]string{"sched*", "*:*exit*", "*"}[r.IntN(3)]}
		}
	} else if r.IntN(3) == 0 {
		if f, err := filter.Parse([]string{".*:common_pid > 10", ".*:common_pid & 1",
			"sched/.*: common_pid > 10"}[r.IntN(3)]); err == nil {
			o.Filters = []Filter{{Filter: f, Negate: r.IntN(2) == 0}}
		}
	}
	return o
}

// printedBy prints a recording that is in a file, which can be cut, or comes from standard input.
func printedBy(path string, b []byte, opts Options, workers int) []string {
	opts.Inputs = []Input{{Path: path}}
	var out strings.Builder
	var said []string
	job := &report.Job{Job: sources.Job{
		Path:    path,
		Stdin:   bytes.NewReader(b),
		Workers: workers,
		Warn:    func(err error) { said = append(said, err.Error()) },
	}, Out: &out}
	err := job.Finish(Run(context.Background(), &opts, job))
	slices.Sort(said) // symbols are read on demand, which may be earlier
	return append(strings.Split(out.String(), "\n"), append(said, fmt.Sprint(err))...)
}

// unpacked returns a recording without compression, or nil if there is no such recording.
func unpacked(t *testing.T, path string) []byte {
	rec, err := ftrace.Open(path)
	if err != nil {
		return nil
	}
	defer rec.Close()
	out := filepath.Join(t.TempDir(), "plain.dat")
	job := &report.Job{Job: sources.Job{Path: path, Warn: func(error) {}}}
	if err := rewrite.Convert(t.Context(), rec, rewrite.ConvertOptions{Output: out, Compression: "none",
		Places: io.Discard}, job); err != nil {
		return nil
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// forget removes names of threads from a recording, so that they come from events.
func forget(b []byte) []byte {
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "x.dat")
	if err != nil {
		return b
	}
	defer rec.Close()
	b = bytes.Clone(b)
	rec.Comms(func(pid int32, name string) {
		line := fmt.Appendf(nil, "\n%d %s\n", pid, name)
		if at := bytes.Index(b, line); at > 0 && pid != 0 {
			digits := bytes.IndexByte(line, ' ')
			copy(b[at+1:at+digits], bytes.Repeat([]byte{'9'}, digits-1))
		}
	})
	return b
}
