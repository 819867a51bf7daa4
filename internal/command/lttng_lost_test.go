package command

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestLostOfLTTng checks that info prints the losses of headers, and that all ways to print events
// report the same losses, from an archive and from a directory, with any number of goroutines.
func TestLostOfLTTng(t *testing.T) {
	name := needs.Shared(t, "lttng/real/trace-698650events_3029lost-8CPU.tar.gz")
	needs.Proofs(t) // it has 698,650 events
	print := func(args ...string) string {
		t.Helper()
		var out, messages bytes.Buffer
		if code := run(args, nil, &out, &messages); code != exitOK {
			t.Fatal(code, messages.String())
		}
		return out.String()
	}
	sum := func(text string, pattern string) (n, times int) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			v, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			if n += v; v > 0 {
				times++
			}
		}
		return n, times
	}
	lost, files := sum(print("info", name), `, (\d+) events lost`)
	if lost != 3029 || files != 1 {
		t.Fatalf("info: %d lost in %d files", lost, files)
	}
	for _, in := range []string{name, unpackedSample(t, name)} {
		for _, jobs := range []string{"1", "3"} {
			for format, pattern := range map[string]string{
				"ndjson": `"lost":(\d+)`, "csv": `,vm_state,vm_map,(\d+),`,
				"chrome": `"lost events","cat":"lost","args":{"count":(\d+)`,
			} {
				text := print("export", "--to", format, "-e", "vm_map,list_module", "--jobs", jobs, "-o", "-", in)
				if n, times := sum(text, pattern); n != lost || times != 1 {
					t.Errorf("%s as %s, %s jobs: %d lost at %d events", in, format, jobs, n, times)
				}
			}
			got := statOf(t, in)
			if b := got.Buffers[0]; b.Lost != int64(lost) || b.Gaps != 1 || b.LostUnknown {
				t.Errorf("%s: %d lost in %d gaps, unknown %v", in, b.Lost, b.Gaps, b.LostUnknown)
			}
		}
	}
}

// TestLostInWindow checks that stat counts the losses within a window of time, for any selected
// events.
func TestLostInWindow(t *testing.T) {
	dir := lttngtest.Lossy(t)
	for since, want := range map[string][2]int64{"": {18, 3}, "0.000001400": {6, 2}, "0.000001501": {6, 2},
		"0.000002100": {2, 1}} {
		options := []string{"-e", "fs:open"}
		if since != "" {
			options = append(options, "--since", since)
		}
		b := statOf(t, dir, options...).Buffers[0]
		if got := [2]int64{b.Lost, b.Gaps}; got != want {
			t.Errorf("from %s on: %d lost, in gaps; want %d", since, got, want)
		}
	}
}
