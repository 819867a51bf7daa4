package report

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/input"

	"github.com/google/go-cmp/cmp"
)

func TestParseCPUs(t *testing.T) {
	for _, c := range []struct {
		text string
		want CPUSet
	}{
		{"0", CPUSet{{0, 0}}},
		{"0,3-5", CPUSet{{0, 0}, {3, 5}}},
		{"1:2 - 3", CPUSet{{1, 1}, {2, 3}}},
		{"", nil}, {",", nil}, {"3-1", nil}, {"-1", nil}, {"1-", nil}, {"x", nil}, {"99999999999", nil},
	} {
		got, err := ParseCPUs(c.text)
		if (err != nil) != (c.want == nil) {
			t.Errorf("%q: error %v", c.text, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
	set := CPUSet{{0, 0}, {3, 5}}
	for cpu, want := range []bool{true, false, false, true, true, true, false} {
		if set.Has(cpu) != want || !CPUSet(nil).Has(cpu) {
			t.Errorf("cpu %d", cpu)
		}
	}
}

func TestEventMatcher(t *testing.T) {
	for _, c := range []struct {
		globs []string
		event string
		want  bool
	}{
		{nil, "sched:sched_switch", true},
		{[]string{"sched:*"}, "sched:sched_switch", true},
		{[]string{"sched/*"}, "sched:sched_switch", true},
		{[]string{"sched:"}, "sched:sched_switch", true},
		{[]string{"sched_switch"}, "sched:sched_switch", true},
		{[]string{"sched"}, "sched:sched_switch", false},
		{[]string{"irq:*,*_switch"}, "sched:sched_switch", true},
		{[]string{"irq:*", "*:sched_w*"}, "sched:sched_switch", false},
	} {
		match, err := EventMatcher(c.globs)
		if err != nil {
			t.Fatal(err)
		}
		sys, name, _ := strings.Cut(c.event, ":")
		if match(sys, name) != c.want {
			t.Errorf("%q: %s", c.globs, c.event)
		}
	}
	for _, bad := range []string{"[", "a:[", "", "a,,b"} {
		if _, err := EventMatcher([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestFind(t *testing.T) {
	systems := []System{
		{Name: "text", Title: "text", Detect: func(p *Probe) bool { return strings.HasPrefix(string(p.Head), "MAGIC") }},
		{Name: "tree", Title: "tree", Detect: func(p *Probe) bool { return p.Has("sub/file") }},
		{Name: "guess", Title: "guess", Detect: func(p *Probe) bool { return strings.HasPrefix(string(p.Head), "?") }, Guess: true},
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "MAGIC" + strings.Repeat("x", 2000)
	for name, content := range map[string]string{"sub/file": "", "empty": "", "magic": text, "other": "hello", "guess": "?"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"": "tree", "magic": "text", "guess": "guess", "other": "", "empty": "", "sub": "", "nosuch": "-"} {
		job := &Job{Path: filepath.Join(dir, name), Systems: systems}
		sys, err := job.Find(t.Context())
		switch {
		case want == "-" && !errors.Is(err, os.ErrNotExist):
			t.Errorf("%s: error %v", name, err)
		case want == "" && !errors.Is(err, input.ErrUnknown):
			t.Errorf("%s: error %v", name, err)
		case len(want) > 1 && (err != nil || sys.Name != want):
			t.Errorf("%s: %v, %v", name, sys, err)
		}
		if err := job.Finish(err); want == "" && err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	job := &Job{Path: "-", Stdin: strings.NewReader(text), Systems: systems}
	if sys, err := job.Find(t.Context()); err != nil || sys.Name != "text" {
		t.Errorf("stdin: %v", err)
	}
	in, err := job.Open(t.Context(), "-", systems[0])
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(in.Stream); err != nil || !bytes.Equal(all, []byte(text)) {
		t.Errorf("%d bytes are left of standard input, %v", len(all), err)
	}
	if _, err := job.Open(t.Context(), filepath.Join(dir, "magic"), systems[1]); err == nil || !strings.Contains(err.Error(), "a recording of text, not of tree") {
		t.Errorf("one of another system: %v", err)
	}
	if in, err := job.Open(t.Context(), filepath.Join(dir, "guess"), systems[1]); err != nil || in.File == nil {
		t.Errorf("what only looks like one of another system: %v", err)
	}
}
