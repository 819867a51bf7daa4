package chrome_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/exporttest"
)

// TestUnseen: slices without a recorded begin have the times from their ends, and enclose the
// slices within them.
func TestUnseen(t *testing.T) {
	var got []string
	for line := range strings.Lines(string(export(t, exporttest.Made(t, exporttest.EndsAlone())))) {
		if strings.Contains(line, `"ph":"X"`) {
			var ts, dur, name string
			for _, f := range []struct {
				key string
				to  *string
			}{{`"ts":`, &ts}, {`"dur":`, &dur}, {`"name":`, &name}} {
				_, rest, _ := strings.Cut(line, f.key)
				*f.to, _, _ = strings.Cut(rest, ",")
			}
			got = append(got, fmt.Sprint(name, " ", ts, " ", dur, " ", strings.Count(line, "length_ns")))
		}
	}
	slices.Sort(got)
	want := []string{`"a" 0.010 0.115 0`, `"b" 0.015 0.105 0`, `"c" 0.030 0.070 0`, `"d" 0.110 0.005 0`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
