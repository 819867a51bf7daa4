package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// timesCase is a window of time in two equivalent forms: relative to the ends of the recording, and
// by printed times.
type timesCase struct{ counted, printed []string }

// timesCases are windows of a system with events, made from the printed times alone.
func (s *optionSystem) timesCases(t *testing.T, times []string) (list []timesCase) {
	t.Helper()
	first, last := times[0], times[len(times)-1]
	low, high := times[len(times)/3], times[2*len(times)/3]
	between := func(a, b string) string {
		d := nanoseconds(t, b) - nanoseconds(t, a)
		if s.micros {
			return fmt.Sprintf("%dus", d/1000)
		}
		return fmt.Sprintf("%d.%09ds", d/1_000_000_000, d%1_000_000_000)
	}
	add := func(counted, printed string) {
		list = append(list, timesCase{strings.Fields(counted), strings.Fields(printed)})
	}
	add("--since +"+between(first, low), "--since "+low)
	add("--until +"+between(first, high), "--until "+high)
	add("--since -"+between(high, last), "--since "+high)
	add("--until -"+between(low, last), "--until "+low)
	add("--last "+between(high, last), "--since "+high)
	add("--last "+between(low, last)+" --until "+high, "--since "+low+" --until "+high)
	add("--since +0s", "--since "+first)
	add("--since -0s", "--since "+last)
	add("--until -0s", "--until "+last)
	add("--until +0s", "--until "+first)
	add("--last 0s", "--since "+last)
	add("--last 100000h", "")
	add("--until -100000h", "--until 0")
	add("--since +100000h", fmt.Sprint("--since ", nanoseconds(t, last)/1_000_000_000+1))
	if low < high {
		add("--since +"+between(first, low)+" --until -"+between(high, last), "--since "+low+" --until "+high)
	}
	return list
}

// TestTimes compares times relative to the begin and the end of a recording with printed times, for
// every system and every command that selects events. The inputs are a recording, its archive, a
// recording with an index, and recordings that are cut or damaged at the end.
func TestTimes(t *testing.T) {
	for _, s := range optionSystems() {
		t.Run(s.name, func(t *testing.T) {
			s.open(t)
			t.Run("file", func(t *testing.T) { s.compareTimes(t, s.file, s.times) })
			t.Run("packed", func(t *testing.T) { s.compareTimes(t, s.tar, s.times) })
			if !s.noIndex {
				indexed := copyOf(t, s.file)
				if code, _, errs := tracec(nil, "index", indexed); code != 0 {
					t.Fatalf("index: exit code %d, %s", code, errs)
				}
				t.Run("indexed", func(t *testing.T) { s.compareTimes(t, indexed, s.times) })
			}
			t.Run("cut", func(t *testing.T) {
				s.damagedTimes(t, func(b []byte, n int) []byte { return b[:len(b)-n] })
			})
			t.Run("damaged", func(t *testing.T) {
				s.damagedTimes(t, func(b []byte, n int) []byte { return append(b[:len(b)-n:len(b)-n], noise(n)...) })
			})
		})
	}
}

// damagedTimes compares times of a recording whose largest file is damaged. The damage at the end
// is as large as possible while some events are left.
func (s *optionSystem) damagedTimes(t *testing.T, damage func(b []byte, n int) []byte) {
	path := copyOf(t, s.file)
	largest := largestFile(t, path)
	b, err := os.ReadFile(largest)
	if err != nil {
		t.Fatal(err)
	}
	for n := len(b) / 4; n > 0; n /= 2 {
		write(t, largest, damage(b, n))
		if times := s.timesOf(t, path); len(times) > 10 {
			s.compareTimes(t, path, times)
			return
		}
	}
	t.Fatal("nothing is left")
}

// compareTimes compares the events that commands select by times of either form.
func (s *optionSystem) compareTimes(t *testing.T, path string, times []string) {
	commands := [][]string{{"stat"}, append([]string{"report"}, s.args...), {"export", "--to", "ndjson", "-o", "-"}}
	for i, c := range needs.Some(t, s.timesCases(t, times), 4) {
		for j, command := range commands {
			if path != s.file && (i+j)%len(commands) != 0 { // each command gets some of them
				continue
			}
			read := func(args []string) (int, string, string) {
				code, out, errs := tracec(nil, slices.Concat(command, args, []string{path})...)
				return code, out, strings.ReplaceAll(errs, strings.Join(args, " "), "OPTIONS")
			}
			wantCode, want, _ := read(c.printed)
			code, got, errs := read(c.counted)
			if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" || code != wantCode {
				t.Errorf("%s %v: exit code %d, of %v %d, %s\n%.2000s", command[0], c.counted, code, c.printed, wantCode,
					errs, d)
			}
		}
	}
}

// copyOf copies a recording.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	if st, err := os.Stat(path); err != nil {
		t.Fatal(err)
	} else if st.IsDir() {
		err = os.CopyFS(to, os.DirFS(path))
		if err != nil {
			t.Fatal(err)
		}
		return to
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, to, b)
}

// largestFile returns the largest file of a recording.
func largestFile(t *testing.T, path string) (largest string) {
	t.Helper()
	size := int64(-1)
	err := filepath.Walk(path, func(name string, st os.FileInfo, err error) error {
		if err == nil && st.Mode().IsRegular() && st.Size() > size && !strings.Contains(name, "saved_cmdlines") &&
			!strings.Contains(name, "format") && !strings.Contains(name, "kallsyms") &&
			!strings.HasSuffix(name, ".sym") {
			largest, size = name, st.Size()
		}
		return err
	})
	if err != nil || largest == "" {
		t.Fatal(path, err)
	}
	return largest
}

// noise returns n bytes without meaning.
func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*i*31 + i>>3)
	}
	return b
}

// TestTimesOfNothing checks that a recording without events has no ends. Nothing is selected from
// it, and a message reports that.
func TestTimesOfNothing(t *testing.T) {
	empty := copyOf(t, unpackedSample(t, "../../testdata/uftrace/threads/data.tar.gz"))
	list, err := filepath.Glob(filepath.Join(empty, "*.dat"))
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, name := range list {
		write(t, name, nil)
	}
	for _, args := range [][]string{{"--last", "1s"}, {"--since", "+1s"}, {"--until", "-1s"}, {"--since", "5"}} {
		for _, command := range []string{"stat", "report", "export --to ndjson -o -"} {
			code, _, errs := tracec(nil, slices.Concat(strings.Fields(command), args, []string{empty})...)
			if want := " matches " + strings.Join(args, " "); code != 0 || !strings.Contains(errs, want) {
				t.Errorf("%s %v: exit code %d, %q", command, args, code, errs)
			}
		}
	}
}

// TestTimesOfStreams checks that input that is read once has no known end, and that a clock without
// a unit of time has no durations.
func TestTimesOfStreams(t *testing.T) {
	dat, err := os.ReadFile("../../testdata/ftrace/amd64-date.dat")
	if err != nil {
		t.Fatal(err)
	}
	trc, err := os.ReadFile("../../testdata/aix/shop64.trc")
	if err != nil {
		t.Fatal(err)
	}
	const once = "standard input and --follow are read once, as they come: "
	for _, c := range []struct {
		stdin   []byte
		args    string
		message string // empty: no message expected
	}{
		{dat, "stat --since +1ms -", "--since +1ms: " + once +
			"the begin of the recording is unknown before it is read"},
		{dat, "stat --last 1s -", "--last 1s: " + once + "the end of the recording is unknown before it has ended"},
		{trc, "report --since -1ms -", "--since -1ms: " + once +
			"the end of the recording is unknown before it has ended"},
		{trc, "export --to ndjson --last 1ms -", "--last 1ms: " + once +
			"the end of the recording is unknown before it has ended"},
		{trc, "report --follow --last 1ms ../../testdata/aix/shop64.trc",
			"--last 1ms: " + once + "the end of the recording is unknown before it has ended"},
		{trc, "report --since +5ms -", ""}, {trc, "stat --since +5ms -", ""},
		{trc, "export --to ndjson --since +5ms -", ""},
		{nil, "stat --last 1s ../../testdata/ftrace/amd64-clock-counter.dat",
			"--last 1s: the clock of ../../testdata/ftrace/amd64-clock-counter.dat does not count time: write a number as printed"},
		{nil, "stat --since 400 ../../testdata/ftrace/amd64-clock-counter.dat", ""},
	} {
		code, out, errs := tracec(c.stdin, strings.Fields(c.args)...)
		if c.message == "" {
			if code != 0 || out == "" {
				t.Errorf("%s: exit code %d, %s", c.args, code, errs)
			}
		} else if code != exitUsage || errs != "tracec: "+c.message+"\n" || out != "" {
			t.Errorf("%s: exit code %d, %q, %d bytes", c.args, code, errs, len(out))
		}
	}
}

// TestTimesOfAIX checks that relative times of AIX count from the first event, in exports and in
// reports.
func TestTimesOfAIX(t *testing.T) {
	for _, name := range []string{"shop64.trc", "shop32.trc"} {
		file := "../../testdata/aix/" + name
		for _, window := range []string{"--since 0.005", "--until 0.004 --since 0.001", "--since +1ms --until -2ms",
			"--last 3ms"} {
			args := append(strings.Fields(window), file)
			_, counted, _ := tracec(nil, append([]string{"stat", "--json"}, args...)...)
			var st struct{ Recordings []struct{ Count int } }
			if err := json.Unmarshal([]byte(counted), &st); err != nil {
				t.Fatal(err)
			}
			code, out, errs := tracec(nil, append([]string{"export", "--to", "ndjson", "-o", "-"}, args...)...)
			if n := strings.Count(out, "\n"); n != st.Recordings[0].Count || n == 0 || code != 0 {
				t.Errorf("%s %s: %d events are exported, %d counted; exit code %d, %s", name, window, n,
					st.Recordings[0].Count, code, errs)
			}
		}
	}
}

// TestExportOfNothing checks that an export without matching events writes no file, and leaves an
// existing file.
func TestExportOfNothing(t *testing.T) {
	const file = "../../testdata/ftrace/amd64-extract.dat"
	for _, format := range []string{"perfetto", "ndjson", "chrome"} {
		for _, name := range []string{"new", "old"} {
			target := filepath.Join(t.TempDir(), name)
			if name == "old" {
				write(t, target, []byte("before"))
			}
			code, out, errs := tracec(nil, "export", "--to", format, "-o", target, "--since", "9999999", file)
			if code != 0 || out != "" || !strings.Contains(errs, file+": no event from 9999999 on; it ends at ") {
				t.Errorf("%s: exit code %d, %q", format, code, errs)
			}
			b, err := os.ReadFile(target)
			if name == "new" && !os.IsNotExist(err) || name == "old" && string(b) != "before" {
				t.Errorf("%s, %s file: %q, %v", format, name, b, err)
			}
		}
	}
}
