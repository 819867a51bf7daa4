package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/ctftest"
)

// ctfSample writes a sample of the group odd to a folder.
func ctfSample(t *testing.T, name string) string {
	t.Helper()
	for _, s := range ctftest.Samples(t, "odd") {
		if s.Name != name {
			continue
		}
		dir := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(dir, s.Dir); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	t.Fatalf("no sample %s", name)
	return ""
}

// TestBabeltraceUsage has command lines that babeltrace2 rejects, and some that only tracec
// rejects.
func TestBabeltraceUsage(t *testing.T) {
	dir := ctfSample(t, "ties-1")
	for line, want := range map[string]string{
		"--clock-offset=1 --clock-offset=2":            "--clock-offset: given twice",
		"--clock-offset-ns=1 --clock-offset-ns=2":      "--clock-offset-ns: given twice",
		"--begin=1 --begin=2":                          "-b: given twice",
		"--end=1 --end=2":                              "-e: given twice",
		"--timerange=1,2 --timerange=1,3":              "-t: given twice",
		"-o text -o dummy":                             "-o: given twice",
		"-w a -w b":                                    "-w: given twice",
		"-o text -c sink.text.pretty":                  "another sink",
		"-c sink.text.details -c sink.utils.dummy":     "-c sink.utils.dummy: another sink is selected: sink.text.details",
		"-c sink.text.details --no-delta":              "--no-delta: only for sink.text.pretty",
		"-c filter.utils.trimmer -p begin=1 --begin=1": "begin is given twice",
		"-c filter.utils.trimmer -p middle=1":          "filter.utils.trimmer has no parameter middle",
		"-c filter.utils.muxer -p a=b":                 "filter.utils.muxer has no parameter a",
		"-c filter.lttng-utils.debug-info":             "tracec adds no debug info",
		"-c source.ctf.lttng-live":                     "tracec has no live sessions",
		"-c sink.ctf.fs":                               "tracec export --to ctf",
		"-c sink.text.fancy":                           "unknown component sink.text.fancy",
		"-c sink.utils.counter -p step=x":              "step=x: want a number",
		"-i lttng-live":                                "-i lttng-live: tracec has no live sessions; tracec report --follow",
		"-o ctf":                                       "-o ctf: tracec export --to ctf writes traces",
		"-p no-delta=yes":                              "parameters need a component before them",
	} {
		code, out, errs := tracec(nil, append(append([]string{"babeltrace2"}, strings.Fields(line)...), dir)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %q, %s\nwant %s", line, code, out, errs, want)
		}
	}
}

// TestBabeltraceComponents checks that components have the same effect as the options.
func TestBabeltraceComponents(t *testing.T) {
	dir := ctfSample(t, "ties-1")
	for line, same := range map[string]string{
		"-c sink.text.pretty -p no-delta=yes -c filter.utils.muxer":       "--no-delta",
		"-c filter.utils.trimmer -p begin=0.000000006,end=0.000000007":    "--begin=0.000000006 --end=0.000000007",
		"-c filter.utils.trimmer -p gmt=yes,begin=00:00:00.000000006":     "--clock-gmt --begin=00:00:00.000000006",
		"-c t:filter.utils.trimmer -p end=00:00:00.000000006 --clock-gmt": "--clock-gmt --end=00:00:00.000000006",
		"-o details": "-c sink.text.details", "-o counter": "-c x:sink.utils.counter",
		"-o dummy": "-c sink.utils.dummy", "--stream-intersection": "",
	} {
		t.Setenv("TZ", "UTC")
		run := func(line string) string {
			code, out, errs := tracec(nil, append(append([]string{"babeltrace2"}, strings.Fields(line)...), dir)...)
			if code != exitOK {
				t.Errorf("%s: %d, %s", line, code, errs)
			}
			return out
		}
		if a, b := run(line), run(same); a != b || a == "" && line != "-o dummy" {
			t.Errorf("%s and %s:\n%s%s", line, same, a, b)
		}
	}
}

// TestBabeltraceSeveral reads two traces in the file system of the machine.
func TestBabeltraceSeveral(t *testing.T) {
	a, b := ctfSample(t, "ties-1"), ctfSample(t, "tsdl-zoo")
	code, out, errs := tracec(nil, "babeltrace2", "--clock-force-correlate", "--clock-seconds", b, a)
	if lines := strings.Split(out, "\n"); code != exitOK || len(lines) != 32+9+1 ||
		!strings.HasPrefix(lines[0], "[0.000000005]") || !strings.HasPrefix(lines[40], "[1326476837.") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
	for _, args := range [][]string{{a, b}, {a, filepath.Join(b, "none")}, {a, filepath.Join(b, "metadata")},
		{a, t.TempDir()}, {a, ""}} {
		code, out, errs := tracec(nil, append([]string{"babeltrace2"}, args...)...)
		if code == exitOK || out != "" || errs == "" {
			t.Errorf("%q: %d, %s%s", args, code, out, errs)
		}
	}
}
