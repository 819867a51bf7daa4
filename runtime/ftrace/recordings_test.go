package ftrace_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// allRecordings lists the trace.dat files of the shared data, or skips the test. Without the long
// tests it lists only some of them.
func allRecordings(t testing.TB) []string {
	t.Helper()
	recordings := needs.Shared(t, "ftrace")
	var all []string
	for _, pattern := range []string{"*/*.dat", "*/split.1"} {
		files, err := filepath.Glob(filepath.Join(recordings, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	if len(all) == 0 {
		t.Fatal("no recordings in ", recordings)
	}
	return needs.Some(t, all, 12)
}

func stem(path string) string { return strings.TrimSuffix(path, ".dat") }

// zstdText opens X.zst. The texts need a window of 32 MB.
func zstdText(t testing.TB, path string) io.Reader {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { f.Close() })
	d, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// reportLine matches COMM-PID [CPU] TIME: EVENT: TEXT, possibly after "INSTANCE:".
var reportLine = regexp.MustCompile(`^(.*)-(\d+)\s+\[(\d{3,})\]\s*([\d.]+):\s([^\s:]+)`)

// droppedLine precedes the first event after missing events.
var droppedLine = regexp.MustCompile(`CPU:\d+ \[(?:(\d+) )?EVENTS DROPPED\]$`)

// reference returns the columns of the saved text of `trace-cmd report`. Of the three texts, the
// raw one is best, because each event has its own line in it.
func reference(t testing.TB, dat string) (lines [][]byte, merged bool) {
	t.Helper()
	for _, kind := range []string{"-R", "-N", ""} {
		r := zstdText(t, stem(dat)+".report"+kind+".txt.zst")
		if r == nil {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Split(text, []byte("\n")), kind == ""
	}
	return nil, false
}

// TestRecordingsAgainstReport compares every record of every recording with the output of trace-cmd
// 3.1.6, in time order: buffer, CPU, pid, time and event.
func TestRecordingsAgainstReport(t *testing.T) {
	for _, dat := range allRecordings(t) {
		lines, merged := reference(t, dat)
		if lines == nil {
			continue // no reference text
		}
		t.Run(strings.TrimPrefix(dat, needs.SharedData(t)+"/ftrace/"), func(t *testing.T) {
			rec, err := ftrace.Open(dat)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			compareReport(t, rec, lines, merged)
			for _, d := range rec.Damage() {
				t.Error(d)
			}
		})
	}
}

// compareReport compares a recording with the lines of a report. merged is set if the reference
// prints the exit of a leaf function on the line of its entry.
func compareReport(t *testing.T, rec *ftrace.Recording, lines [][]byte, merged bool) {
	t.Helper()
	names := eventNames(rec)
	var owner []*ftrace.Buffer // of each stream
	var streams []record.Stream[record.None]
	for _, b := range rec.Buffers() {
		for _, s := range b.Streams(ftrace.StreamOptions{}) {
			streams, owner = append(streams, s), append(owner, b)
		}
	}
	m := record.Merge(streams, nil)
	leaf := leafFilter{names: names, entered: make([][]byte, len(streams))}
	records, stop := iter.Pull2(m.All())
	defer stop()
	next := func() (*record.Record, bool) {
		for {
			r, _, ok := records()
			if !ok || !merged || !leaf.exit(r) {
				return r, ok
			}
		}
	}
	n, bad := 0, 0
	lost := int64(0)
	for _, line := range lines {
		if cpus, ok := bytes.CutPrefix(line, []byte("cpus=")); ok && string(cpus) != strconv.Itoa(rec.Info().CPUs) {
			t.Errorf("%d CPUs, the reference has %s", rec.Info().CPUs, cpus)
		}
		if f := droppedLine.FindSubmatch(line); f != nil {
			if lost = record.LostUnknown; f[1] != nil {
				lost, _ = strconv.ParseInt(string(f[1]), 10, 64)
			}
			continue
		}
		f := reportLine.FindSubmatch(line)
		if f == nil {
			continue
		}
		r, ok := next()
		if !ok {
			t.Fatalf("record %d: the end, %v, but the reference has %q", n, m.Err(), line)
		}
		n++
		if r.Lost != lost {
			t.Errorf("record %d: %d events lost, the reference has %d", n, r.Lost, lost)
		}
		lost = 0
		instance, _, _ := strings.Cut(string(f[1]), ": ")
		if instance == string(f[1]) {
			instance = ""
		}
		b := owner[r.Stream]
		if b.Name == "" {
			instance = "" // a comm may hold a colon as well
		}
		if names[r.ID] == "" {
			f[5] = nil // trace-cmd has its own names for events without a format (blktrace)
		}
		want := fmt.Sprintf("%s %s %s %s", instance, cpuNumber(f[3]), f[2], f[5])
		got := fmt.Sprintf("%s %d %d %s", b.Name, r.CPU, r.Task, names[r.ID])
		if want != got || string(f[4]) != shownTime(r.Time, string(f[4])) {
			t.Errorf("record %d: got %q at %d\nreference %q", n, got, r.Time, line)
			if bad++; bad > 5 {
				t.FailNow()
			}
		}
	}
	if r, ok := next(); ok || m.Err() != nil {
		t.Errorf("%d records in the reference, then got %+v, %v", n, r, m.Err())
	}
	if n == 0 {
		t.Log("the reference has no events")
	}
}

// leafFilter finds exits that directly follow the entry of the same function on their CPU.
type leafFilter struct {
	names   map[uint32]string
	entered [][]byte
}

func (l *leafFilter) exit(r *record.Record) bool {
	last := l.entered[r.Stream]
	l.entered[r.Stream] = nil
	switch l.names[r.ID] {
	case "funcgraph_entry":
		l.entered[r.Stream] = bytes.Clone(r.Data[4:16]) // pid and function
	case "funcgraph_exit":
		return last != nil && bytes.Equal(last, r.Data[4:16])
	}
	return false
}

func cpuNumber(b []byte) string {
	n, _ := strconv.Atoi(string(b))
	return strconv.Itoa(n)
}

// shownTime rounds ns to microseconds, as the reference does. Times of a clock without seconds are
// unchanged.
func shownTime(t uint64, like string) string {
	if !strings.Contains(like, ".") {
		return strconv.FormatUint(t, 10)
	}
	us := (t + 500) / 1000
	return fmt.Sprintf("%d.%06d", us/1e6, us%1e6)
}

func eventNames(rec *ftrace.Recording) map[uint32]string {
	names := map[uint32]string{}
	for _, f := range rec.Formats() {
		if _, ok := names[uint32(f.ID)]; !ok {
			names[uint32(f.ID)] = f.Name
		}
	}
	return names
}

// TestRecordingsEveryWay reads each recording from its file and through a pipe. Both must yield the
// same records.
func TestRecordingsEveryWay(t *testing.T) {
	for _, dat := range allRecordings(t) {
		t.Run(strings.TrimPrefix(dat, needs.SharedData(t)+"/ftrace/"), func(t *testing.T) {
			read, err := ftrace.Open(dat)
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			f, err := os.Open(dat)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			piped, err := ftrace.OpenReader(bufio.NewReader(f), "pipe", ftrace.WithTempDir(t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			defer piped.Close()
			want := digest(t, read)
			if got := digest(t, piped); got != want {
				t.Errorf("piped: %+v, from the file %+v", got, want)
			}
		})
	}
}
