package command

import (
	"strings"
	"testing"
)

// TestOnlyOnce repeats options that babeltrace2 2.0.4 accepts only once.
func TestOnlyOnce(t *testing.T) {
	for _, option := range []string{
		"--begin=1", "--end=1", "--timerange=1,2", "--clock-offset=1", "--clock-offset-ns=1",
	} {
		code, _, errs := tracec(nil, "babeltrace2", option, option, "x")
		if code != exitUsage || !strings.Contains(errs, "given twice") {
			t.Errorf("%s: exit code %d, %s", option, code, errs)
		}
	}
}
