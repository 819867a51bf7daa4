package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

const testdata = "../../../testdata/ftrace"

func open(t *testing.T, path string) *ftrace.Recording {
	t.Helper()
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// contents returns all data of a recording except offsets: records of every buffer and CPU, texts,
// and options.
func contents(t *testing.T, rec *ftrace.Recording) string {
	t.Helper()
	var b strings.Builder
	for _, buf := range rec.Buffers() {
		fmt.Fprintf(&b, "buffer %q, clock %q, pages of %d\n", buf.Name, buf.Clock, buf.PageSize)
		for i, s := range buf.Streams(ftrace.StreamOptions{}) {
			for {
				batch, err := s.Next()
				for _, r := range batch.Records {
					fmt.Fprintf(&b, "%d %d %d %x\n", buf.CPUs[i].ID, r.Time, r.Lost, r.Data)
				}
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, text := range []string{rec.Kallsyms(), rec.PrintkFormats(), rec.Cmdlines(), rec.Info().HeaderPage,
		rec.Info().HeaderEvent} {
		fmt.Fprintf(&b, "text %q\n", text)
	}
	for _, f := range rec.Formats() {
		fmt.Fprintf(&b, "format %s %q\n", f.System, f.Text)
	}
	i := rec.Info()
	fmt.Fprintln(&b, i.CPUs, i.WordSize, i.ByteOrder, i.Date, i.Offset, i.CPUStats, i.Uname, i.Hooks, i.TraceClock,
		i.Recorder, i.TraceID, i.Guests, i.TSC)
	return b.String()
}

func convert(t *testing.T, rec *ftrace.Recording, o ConvertOptions) *ftrace.Recording {
	t.Helper()
	o.Output, o.Places = filepath.Join(t.TempDir(), "out.dat"), io.Discard
	job := &report.Job{Job: sources.Job{
		Path: "in.dat",
		Warn: func(err error) {
			if lost := "version 6 cannot hold section 23 (BTF), which is left out"; o.Version != 6 ||
				!strings.Contains(err.Error(), lost) {
				t.Error(err)
			}
		},
	}, Out: io.Discard}
	if err := Convert(context.Background(), rec, o, job); err != nil {
		t.Fatal(err)
	}
	return open(t, o.Output)
}

// TestRoundTrip: version 6, packed version 7 and version 6 again hold the same data as the
// recording.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata, "*.dat"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range needs.Some(t, files, 6) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			rec := open(t, file)
			want := contents(t, rec)
			for _, o := range []ConvertOptions{{Version: 6}, {Compression: "any"}, {Compression: "zlib"},
				{Compression: "none"}, {Version: 6}} {
				rec = convert(t, rec, o)
				if got := contents(t, rec); got != want {
					d := cmp.Diff(want, got)
					t.Fatalf("%+v: %s", o, d[:min(len(d), 3000)])
				}
			}
		})
	}
}

// TestSplit: the files have the same events as the files of trace-cmd split 3.1.6.
func TestSplit(t *testing.T) {
	text, err := os.ReadFile("testdata/split.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := SplitOptions{CPU: -1}
	for name, change := range map[string]func(*SplitOptions){
		"-e 300 -r":   func(o *SplitOptions) { o.Unit, o.Length, o.Repeat = Events, 300, true },
		"-c -m 20 -r": func(o *SplitOptions) { o.Unit, o.Length, o.Repeat, o.PerCPU = Nanos, 20e6, true, true },
		"-p 2 -r":     func(o *SplitOptions) { o.Unit, o.Length, o.Repeat = Pages, 2, true },
		"-C 1 -u 500": func(o *SplitOptions) { o.Unit, o.Length, o.CPU = Nanos, 500e3, 1 },
		"-c -e 50":    func(o *SplitOptions) { o.Unit, o.Length, o.PerCPU = Events, 50, true },
		"224.8 225.0": func(o *SplitOptions) { o.Start, o.End = "224.8", "225.0" },
	} {
		o := all
		change(&o)
		_, want, found := strings.Cut(string(text), "== "+name+"\n")
		if !found {
			t.Errorf("%s: no saved output", name)
			continue
		}
		want, _, _ = strings.Cut(want, "== ")
		if d := cmp.Diff(want, split(t, filepath.Join(testdata, "amd64-extract.dat"), o)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// split lists the files: number of events, CPU and time of the first and the last event.
func split(t *testing.T, path string, o SplitOptions) string {
	t.Helper()
	dir := t.TempDir()
	o.Output, o.Places = filepath.Join(dir, "x"), io.Discard
	job := &report.Job{Job: sources.Job{Path: path, Warn: func(err error) { t.Error(err) }}, Out: io.Discard}
	if err := Split(context.Background(), open(t, path), o, job); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		rec := open(t, filepath.Join(dir, f.Name()))
		n, first, last := 0, "", ""
		m := rec.Merge(ftrace.StreamOptions{})
		for r := range m.All() {
			last = fmt.Sprintf("[%03d] %d.%09d", r.CPU, r.Time/1e9, r.Time%1e9)
			if n++; n == 1 {
				first = last
			}
		}
		if err := m.Err(); err != nil || len(rec.Damage()) > 0 {
			t.Fatal(err, rec.Damage())
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", f.Name(), n, first, last)
	}
	return b.String()
}

// TestSplitAll: without bounds, the file contains every record of every buffer, and the losses.
func TestSplitAll(t *testing.T) {
	for _, name := range []string{"amd64-extract.dat", "amd64-instances.dat", "s390x-markers.dat", "i386-userstack.dat",
		"sid-zlib.dat"} {
		rec := open(t, filepath.Join(testdata, name))
		o := SplitOptions{CPU: -1, Output: filepath.Join(t.TempDir(), "x"), Places: io.Discard}
		job := &report.Job{Job: sources.Job{Path: name, Warn: func(err error) { t.Error(err) }}, Out: io.Discard}
		if err := Split(context.Background(), rec, o, job); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(contents(t, rec), contents(t, open(t, o.Output+".1"))); d != "" {
			t.Errorf("%s: %s", name, d[:min(len(d), 3000)])
		}
	}
}

// TestCut: from a file that ends in the middle of a sub-buffer, every intact record is converted
// and split, and the damage is reported.
func TestCut(t *testing.T) {
	whole := convert(t, open(t, filepath.Join(testdata, "amd64-date.dat")), ConvertOptions{Version: 6})
	data, err := os.ReadFile(whole.Info().Name)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.dat")
	last := whole.Buffers()[0].CPUs[1]
	if err := os.WriteFile(cut, data[:last.Offset+last.Size-4096+400], 0o644); err != nil {
		t.Fatal(err)
	}
	records := func(rec *ftrace.Recording) string {
		text, _, _ := strings.Cut(contents(t, rec), "text ")
		return text
	}
	want := records(open(t, cut))
	if n := strings.Count(want, "\n"); n < 20 || want == records(whole) {
		t.Fatalf("%d lines left of the cut file", n)
	}
	dir := t.TempDir()
	for name, do := range map[string]func(*ftrace.Recording, string, *report.Job) error{
		"convert": func(rec *ftrace.Recording, out string, job *report.Job) error {
			return Convert(context.Background(), rec, ConvertOptions{Output: out, Places: io.Discard}, job)
		},
		"split": func(rec *ftrace.Recording, out string, job *report.Job) error {
			o := SplitOptions{CPU: -1, Output: strings.TrimSuffix(out, ".1"), Places: io.Discard}
			return Split(context.Background(), rec, o, job)
		},
	} {
		out := filepath.Join(dir, name+".1")
		var warnings bytes.Buffer
		job := &report.Job{Job: sources.Job{Path: cut, Warn: func(err error) { fmt.Fprintln(&warnings, err) }},
			Out: io.Discard}
		if err := do(open(t, cut), out, job); !errors.Is(err, report.ErrDamaged) ||
			!strings.Contains(warnings.String(), "cut.dat") {
			t.Errorf("%s: %v, %s", name, err, &warnings)
		}
		if d := cmp.Diff(want, records(open(t, out))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestRefused: a refused operation leaves no file.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	job := &report.Job{Job: sources.Job{Path: "in.dat", Warn: func(err error) { t.Error(err) }}, Out: io.Discard}
	rec := open(t, filepath.Join(testdata, "amd64-instances.dat"))
	out := filepath.Join(dir, "x")
	for name, err := range map[string]error{
		"compressed version 6": Convert(context.Background(), rec,
			ConvertOptions{Output: out, Version: 6, Compression: "zstd"}, job),
		"unknown compression": Convert(context.Background(), rec, ConvertOptions{Output: out, Compression: "lzma"},
			job), "no output": Convert(context.Background(), rec, ConvertOptions{}, job),
		"no such buffer": Split(context.Background(), rec,
			SplitOptions{Output: out, CPU: -1, Keep: []Keep{{"x", "x"}}}, job),
		"no such CPU": Split(context.Background(), rec, SplitOptions{Output: out, CPU: 9}, job),
		"end before start": Split(context.Background(), rec,
			SplitOptions{Output: out, CPU: -1, Start: "2", End: "1.5"}, job),
		"no time": Split(context.Background(), rec, SplitOptions{Output: out, CPU: -1, Start: "now"}, job),
	} {
		var usage *report.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Error("left behind:", left)
	}
}
