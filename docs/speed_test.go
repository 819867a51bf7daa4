package docs

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSpeed: the table of README has the figures of BENCHMARKS.md, rounded.
func TestSpeed(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	bench, err := os.ReadFile("../BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	for label, run := range map[string]string{
		"page walk": "page walk:", "typed decode, CPU order": "typed decode, CPU order:", "typed decode, time order": "typed decode, time order:",
		"`tracec report`": "tracec report:", "`trace-cmd report` 3.1.6, which uses one": "trace-cmd report:",
	} {
		shown := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(label) + ` \| ([0-9.]+) \| (.*?) \|$`).FindStringSubmatch(string(readme))
		measured := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(run) + `[^|]*\| [^|]+ \| [^|]+ \| ([0-9.]+) \| [^|]+ \|[^|]*\| (.*?) \|$`).FindStringSubmatch(string(bench))
		if shown == nil || measured == nil {
			t.Errorf("%s: README has %q, BENCHMARKS.md %q", label, shown, measured)
			continue
		}
		rate, err := strconv.ParseFloat(measured[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		_, decimals, _ := strings.Cut(shown[1], ".")
		if strconv.FormatFloat(rate, 'f', len(decimals), 64) != shown[1] || measured[2] != shown[2] {
			t.Errorf("%s: README says %s million events per second and %s, BENCHMARKS.md %s and %s", label, shown[1], shown[2], measured[1], measured[2])
		}
	}
}
