package perf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestTitles compares the names of events without a recorded name with the names in perf evlist.
// Where perf reports that it knows no name, ours is the type and the config.
func TestTitles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(needs.Root(t), "testdata/perf/titles.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var a Attr
		_, err := fmt.Sscanf(line, "%d %v %v %d %v", &a.Type, &a.Config, &a.Flags, &a.BPType, &a.Config1)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.SplitN(strings.TrimSpace(line), " ", 6)[5]
		switch {
		case a.Type == Software && a.Config == 10:
			want = "bpf-output" // perf record -e has had them since 4.4 and 5.13
		case a.Type == Software && a.Config == 11:
			want = "cgroup-switches"
		case strings.HasPrefix(want, "unknown"), want == "invalid-cache":
			want = fmt.Sprintf("%d:%#x", a.Type, a.Config)
		}
		if got := a.title(false); got != want {
			t.Errorf("type %d, config %#x, flags %#x: %q, want %q", a.Type, a.Config, a.Flags, got, want)
		}
	}
}
