package gen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/gen"
)

// Generated code is readable for a reviewer: one decoder for all environments, no unused variables,
// and no line that is too long.
func TestHooksReadable(t *testing.T) {
	files, err := gen.Generate(hooksOf(t, "shop.trcfmt", []string{"files", "../testdata/aix/shop.trcfmt"}),
		gen.Options{Package: "shop", Text: true})
	if err != nil {
		t.Fatal(err)
	}
	odd := regexp.MustCompile(`^\t*_ = |[a-z]In(32|64)|Hook\d|X[0-9a-f]{8}\b`)
	lines := 0
	for _, f := range files {
		for line := range strings.Lines(string(f.Content)) {
			lines++
			if len(line)-1 > 120 || odd.MatchString(line) && !strings.Contains(line, "EnforceVersion") {
				t.Errorf("%s: %s", f.Name, line)
			}
		}
	}
	if lines > 375 { // for 8 templates
		t.Errorf("%d lines", lines)
	}
}
