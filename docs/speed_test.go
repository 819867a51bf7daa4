package docs

import (
	"bytes"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// measured names the rows of README's table of speed and the rows of BENCHMARKS.md that they are
// taken from.
var measured = map[string]string{
	"page walk": "page walk:", "typed decode, CPU order": "typed decode, CPU order:",
	"typed decode, time order": "typed decode, time order:",
	"`tracec report`":          "tracec report:", "`trace-cmd report` 3.1.6, which uses one": "trace-cmd report:",
}

// TestSpeed: the table of README has the figures of BENCHMARKS.md, rounded. With UPDATE_DOCS it
// writes them there.
func TestSpeed(t *testing.T) {
	const name = "../README.md"
	readme, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bench, err := os.ReadFile("../BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	want := readme
	for label, run := range measured {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(label) + ` \|.*$`)
		figures := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(run) +
			`[^|]*\| [^|]+ \| [^|]+ \| ([0-9.]+) \| [^|]+ \|[^|]*\| (.*?) \|$`).FindSubmatch(bench)
		if figures == nil || len(row.FindAll(want, -1)) != 1 {
			t.Errorf("%s: it has no row of its own in README, or %q has no figures in BENCHMARKS.md", label, run)
			continue
		}
		rate, err := strconv.ParseFloat(string(figures[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		want = row.ReplaceAllLiteral(want, []byte("| "+label+" | "+twoDigits(rate)+" | "+string(figures[2])+" |"))
	}
	switch {
	case bytes.Equal(want, readme):
	case update:
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s has other figures than BENCHMARKS.md (-README +BENCHMARKS); make docs writes them:\n%s", name,
			cmp.Diff(strings.Split(string(readme), "\n"), strings.Split(string(want), "\n")))
	}
}

// twoDigits rounds to two significant digits, as README shows speeds.
func twoDigits(rate float64) string {
	return strconv.FormatFloat(rate, 'f', max(0, 1-int(math.Floor(math.Log10(rate)))), 64)
}
