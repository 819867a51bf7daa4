package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivo/uniseg"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/report/tracecmd/mem"
	"github.com/tracec/tracec/report/tracecmd/rewrite"
	"github.com/tracec/tracec/runtime/ftrace"
)

// screen is a terminal on which another goroutine draws.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// drawn returns the last text of a bar with so many columns, for work that reaches a position after
// a time. The test has its own clock. It checks that no line is as wide as the terminal, because it
// would wrap, and that the bar is removed at the end.
func drawn(
	t *testing.T, name string, columns int, took time.Duration,
	position func(time.Duration) (sources.Stage, int64, int64),
) (last string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out screen
		begun := time.Now()
		l := &line{w: &out, messages: &out, from: begun.Add(patience), columns: func() int { return columns }}
		stop := follow(l, name, func() (sources.Stage, int64, int64) { return position(time.Since(begun)) })
		time.Sleep(patience - tick/2)
		if synctest.Wait(); out.String() != "" {
			t.Errorf("shown before %v: %q", patience, out.String())
		}
		time.Sleep(took - patience + tick)
		synctest.Wait()
		lines := strings.Split(out.String(), "\r")
		last = lines[len(lines)-1]
		for _, l := range lines {
			if n := uniseg.StringWidth(l); n >= columns {
				t.Errorf("%d of %d columns: %q", n, columns, l)
			}
		}
		if stop(); last != "" {
			lines := strings.Split(out.String(), "\r")
			blank := lines[len(lines)-2]
			if lines[len(lines)-1] != "" || strings.Trim(blank, " ") != "" ||
				len(blank) < uniseg.StringWidth(strings.TrimRight(last, " ")) {
				t.Errorf("something is left of %q: %q", last, lines[max(0, len(lines)-3):])
			}
		}
	})
	return last
}

func TestProgress(t *testing.T) {
	const rate, opening = 10 << 20, 2 * time.Second
	steady := func(stage sources.Stage, total int64) func(time.Duration) (sources.Stage, int64, int64) {
		return func(d time.Duration) (sources.Stage, int64, int64) {
			return stage, rate * int64(d) / int64(time.Second), total
		}
	}
	unpacked := func(d time.Duration) (sources.Stage, int64, int64) { // at another rate than it is read
		if d < opening {
			return steady(sources.Opening, 0)(10 * d)
		}
		return steady(sources.Reading, 100<<20)(d - opening)
	}
	for _, x := range []struct {
		name     string
		position func(time.Duration) (sources.Stage, int64, int64)
		took     time.Duration
		want     string
	}{
		{"a file", steady(sources.Reading, 100<<20), 2500 * time.Millisecond,
			`^t\.dat +2[56]% .*\(2[67]/105 MB, 1[01] MB/s\) \[2s:7s\]`},
		{"a pipe", steady(sources.Reading, 0), 2500 * time.Millisecond, `t\.dat \(2[67] MB, 1[01] MB/s\)`},
		{"a packed pipe", steady(sources.Opening, 0), 2500 * time.Millisecond,
			`t\.dat: opening \(2[67] MB, 1[01] MB/s\)`},
		{"an archive", steady(sources.Opening, 100<<20), 2500 * time.Millisecond,
			`^t\.dat: opening +2[56]% .*\(2[67]/105 MB, 1[01] MB/s\) \[2s:7s\]`},
		{"unpacked", unpacked, opening + 2500*time.Millisecond,
			`t\.dat +2[56]% .*\(2[67]/105 MB, 1[01] MB/s\) \[2s:7s\]`},
		{"soon done", steady(sources.Reading, 100<<20), 800 * time.Millisecond, `^$`},
	} {
		if got := drawn(t, "t.dat", 80, x.took, x.position); !regexp.MustCompile(x.want).MatchString(got) {
			t.Errorf("%s: %q", x.name, got)
		}
	}
}

// TestProgressFits checks that the bar is one line and shows the end of the name, for any name and
// any width of the terminal.
func TestProgressFits(t *testing.T) {
	position := func(d time.Duration) (sources.Stage, int64, int64) {
		return sources.Reading, 10 << 20 * int64(d) / int64(time.Second), 100 << 20
	}
	long := "/home/somebody/traces/\x1b[31m\n/of a day in summer/" + strings.Repeat("日本", 40) + "/trace-2.dat"
	for _, columns := range []int{3, 20, 40, 60, 80, 200} {
		for _, name := range []string{"t.dat", long} {
			got := drawn(t, name, columns, 2500*time.Millisecond, position)
			if strings.ContainsAny(got, "\x1b\n") {
				t.Errorf("%d columns: control characters in %q", columns, got)
			}
			if columns >= 80 && !regexp.MustCompile(`t?(race-2)?\.dat +2[56]% .*\(2[67]/105 MB, 1[01] MB/s\) \[2s:7s\]`).MatchString(got) {
				t.Errorf("%d columns: %q", columns, got)
			}
		}
	}
}

// TestMessagesAboveProgress: a message begins at the left of its own line.
func TestMessagesAboveProgress(t *testing.T) {
	var out bytes.Buffer
	l := &line{w: &out, messages: &out, columns: func() int { return 80 }}
	l.draw("half done")
	fmt.Fprintln(l, "tracec: damage")
	l.draw("done")
	l.clear()
	if want := "\rhalf done\r         \rtracec: damage\n\rdone\r    \r"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// positionSamples are recordings of every kind. Those of ftrace are plain, packed and with
// instances.
var positionSamples = []string{
	"../../testdata/ftrace/amd64-extract.dat",
	"../../testdata/ftrace/amd64-instances.dat",
	"../../testdata/ftrace/sid-zlib.dat",
	"../../testdata/ftrace/amd64-snapshot.tar.zst",
	"../../testdata/aix/shop32.trc",
	"../../testdata/aix/shop64.trc",
	"../../testdata/uftrace/threads/data.tar.gz",
	"../../testdata/uftrace/kernel-events/data.tar.gz",
	"../../testdata/lttng/realwriter/ust26-le64-aligned.tar.xz",
	"../../testdata/lttng/synthetic/v10-compact.tar.xz",
	"../../testdata/lttng/synthetic/v26-le64-bigevent.tar.xz",
}

// TestPosition checks that all readers of recordings report the amount to read, and report at the
// end that all of it was read.
func TestPosition(t *testing.T) {
	printed := func(ctx context.Context, sys *report.System, job *report.Job) error {
		return sys.Report(ctx, job, &report.Options{})
	}
	count := func(ctx context.Context, sys *report.System, job *report.Job) error {
		_, err := sys.Stat(ctx, job, &report.Options{})
		return err
	}
	info := func(ctx context.Context, sys *report.System, job *report.Job) error {
		_, err := sys.Info(ctx, job)
		return err
	}
	for _, path := range positionSamples {
		for name, do := range map[string]func(context.Context, *report.System, *report.Job) error{"report": printed,
			"stat": count, "info": info} {
			job := &report.Job{Job: sources.Job{Path: path, Warn: func(error) {}}, Out: io.Discard}
			sys, err := job.Find(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := do(t.Context(), all.Of(sys), job); err != nil && !errors.Is(err, report.ErrDamaged) {
				t.Fatal(err)
			}
			if stage, done, total := job.Position(); stage != sources.Reading || total == 0 || done != total {
				t.Errorf("%s %s: stage %d, %d of %d bytes", name, path, stage, done, total)
			}
			if err := job.Finish(nil); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPositionOfFiles checks the same for the commands of trace-cmd that read files.
func TestPositionOfFiles(t *testing.T) {
	for _, path := range positionSamples[:4] {
		for name, do := range map[string]func(*ftrace.Recording, *report.Job) error{
			"convert": func(rec *ftrace.Recording, job *report.Job) error {
				return rewrite.Convert(t.Context(), rec,
					rewrite.ConvertOptions{Output: filepath.Join(t.TempDir(), "x"), Places: io.Discard}, job)
			},
			"split": func(rec *ftrace.Recording, job *report.Job) error {
				return rewrite.Split(t.Context(), rec,
					rewrite.SplitOptions{Output: filepath.Join(t.TempDir(), "x"), CPU: -1, Places: io.Discard}, job)
			},
			"mem": func(rec *ftrace.Recording, job *report.Job) error { return mem.Run(t.Context(), rec, job) },
		} {
			job := &report.Job{Job: sources.Job{Path: path, Warn: func(error) {}}, Out: io.Discard}
			rec, err := sources.OpenFTrace(t.Context(), &job.Job, path, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := do(rec, job); err != nil && !errors.Is(err, report.ErrDamaged) {
				t.Fatal(err)
			}
			if stage, done, total := job.Position(); stage != sources.Reading || total == 0 || done != total {
				t.Errorf("%s %s: stage %d, %d of %d bytes", name, path, stage, done, total)
			}
			if err := errors.Join(rec.Close(), job.Finish(nil)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPositionOfArchive checks that unpacking reports how much of the packed file it has read.
func TestPositionOfArchive(t *testing.T) {
	for _, path := range []string{"../../testdata/ftrace/amd64-snapshot.tar.zst",
		"../../testdata/lttng/synthetic/v10-compact.tar.xz", "../../testdata/uftrace/threads/data.tar.gz"} {
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		job := &report.Job{Job: sources.Job{Path: path, Warn: func(error) {}}, Out: io.Discard}
		if _, err := job.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		if stage, done, total := job.Position(); stage != sources.Opening || done != total || total != st.Size() {
			t.Errorf("%s: stage %d, %d of %d bytes, want %d", path, stage, done, total, st.Size())
		}
		if err := job.Finish(nil); err != nil {
			t.Error(err)
		}
	}
}

// TestPositionOfPipe checks that input from a pipe has no known end, and is counted as it arrives.
func TestPositionOfPipe(t *testing.T) {
	for _, path := range []string{"../../testdata/ftrace/amd64-extract.dat", "../../testdata/aix/shop32.trc"} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		job := &report.Job{Job: sources.Job{Path: "-", Stdin: bytes.NewReader(data), Warn: func(error) {}},
			Out: io.Discard}
		if _, err := job.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		if stage, done, total := job.Position(); stage != sources.Opening || done == 0 || total != 0 {
			t.Errorf("%s: stage %d, %d of %d bytes", path, stage, done, total)
		}
		if err := job.Finish(nil); err != nil {
			t.Error(err)
		}
	}
}
