package sources

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/input"
)

func TestFind(t *testing.T) {
	sources := []*Source{
		{Name: "text", Title: "text", Detect: func(p *input.Probe) bool {
			return strings.HasPrefix(string(p.Head),
				"MAGIC")
		}},
		{Name: "tree", Title: "tree", Detect: func(p *input.Probe) bool { return p.Has("sub/file") }},
		{Name: "guess", Title: "guess", Detect: func(p *input.Probe) bool {
			return strings.HasPrefix(string(p.Head),
				"?")
		}, Guess: true},
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "MAGIC" + strings.Repeat("x", 2000)
	for name, content := range map[string]string{"sub/file": "", "empty": "", "magic": text, "other": "hello",
		"guess": "?"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"": "tree", "magic": "text", "guess": "guess", "other": "", "empty": "",
		"sub": "", "nosuch": "-"} {
		job := &Job{Path: filepath.Join(dir, name), Sources: sources}
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
	job := &Job{Path: "-", Stdin: strings.NewReader(text), Sources: sources}
	if sys, err := job.Find(t.Context()); err != nil || sys.Name != "text" {
		t.Errorf("stdin: %v", err)
	}
	in, err := job.Open(t.Context(), "-", sources[0])
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(in.Stream); err != nil || !bytes.Equal(all, []byte(text)) {
		t.Errorf("%d bytes are left of standard input, %v", len(all), err)
	}
	if _, err := job.Open(t.Context(), filepath.Join(dir, "magic"), sources[1]); err == nil ||
		!strings.Contains(err.Error(), "a recording of text, not of tree") {
		t.Errorf("one of another system: %v", err)
	}
	if in, err := job.Open(t.Context(), filepath.Join(dir, "guess"), sources[1]); err != nil || in.File == nil {
		t.Errorf("what only looks like one of another system: %v", err)
	}
}
