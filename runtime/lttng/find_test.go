package lttng

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestNotFiles: an entry that has the name of a trace's file but is not a file is reported with its
// kind. Other entries may be anything.
func TestNotFiles(t *testing.T) {
	mem, _, _ := smallTrace(t, smallLayouts[1])
	for name, mode := range map[string]fs.FileMode{
		"fs_0": fs.ModeNamedPipe, "mm_0": fs.ModeSocket, "net_0": fs.ModeDevice | fs.ModeCharDevice,
		"rcu_0": fs.ModeDevice, "odd_0": fs.ModeIrregular,
		"control": fs.ModeNamedPipe, "ltt-usertrace/process-1.1.99": fs.ModeNamedPipe,
	} {
		mem.files[name] = &fstest.MapFile{Mode: mode}
	}
	mem.files["input_0/notes.txt"] = &fstest.MapFile{Data: []byte("a directory")}
	rec := openMemory(t, mem)
	want := []string{
		"trace/fs_0: offset 0 (0x0): a pipe instead of a file",
		"trace/input_0: offset 0 (0x0): a directory instead of a file",
		"trace/ltt-usertrace/process-1.1.99: offset 0 (0x0): a pipe instead of a file",
		"trace/mm_0: offset 0 (0x0): a socket instead of a file",
		"trace/net_0: offset 0 (0x0): a device instead of a file",
		"trace/odd_0: offset 0 (0x0): something else instead of a file",
		"trace/rcu_0: offset 0 (0x0): a device instead of a file",
	}
	have := strings.Split(strings.TrimSpace(damageText(rec)), "\n")
	for i, s := range have {
		have[i] = strings.TrimSuffix(s, ": "+ErrFormat.Error())
	}
	if d := cmp.Diff(want, have, cmp.Transformer("sort", func(in []string) map[string]bool {
		out := map[string]bool{}
		for _, s := range in {
			out[s] = true
		}
		return out
	})); d != "" {
		t.Errorf("damage (-want +have)\n%s", d)
	}
	if n := len(rec.Files()); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
}

// TestLinks follows links to files and directories, each directory once; links that lead nowhere
// are named.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"outside", "set/a"} {
		w, err := NewWriter(CreateIn(filepath.Join(dir, name)), smallLayouts[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	set := filepath.Join(dir, "set")
	for name, to := range map[string]string{
		"0first": "a", "again": "../outside", "b": "../outside", "loop": ".", "up": "..", "nowhere_0": "/nonexistent",
		"note": "/nonexistent", "a/kernel_0": "gone", "a/ust_0": "metadata_0",
	} {
		if err := os.Symlink(to, filepath.Join(set, name)); err != nil {
			needs.Skip(t, "need symbolic links", err)
		}
	}
	rec, err := Open(set)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range rec.Files() {
		have = append(have, f.Path)
	}
	if d := cmp.Diff([]string{"a/metadata_0", "a/ust_0", "again/metadata_0"}, have); d != "" {
		t.Errorf("files (-want +have)\n%s", d)
	}
	text := damageText(rec)
	for _, want := range []string{"nowhere_0: ", "a/kernel_0: "} {
		if !strings.Contains(text, want) {
			t.Errorf("damage\n%swants %s", text, want)
		}
	}
	if strings.Contains(text, "note") {
		t.Errorf("damage\n%s", text)
	}
}

// TestUnreadable names a file that may not be read.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	w, err := NewWriter(CreateIn(dir), smallLayouts[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "kernel_0")
	if err := os.WriteFile(name, nil, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(name); err == nil {
		f.Close()
		needs.Skip(t, "need a user who may not read every file")
	}
	rec, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if text := damageText(rec); !strings.Contains(text, "kernel_0: ") || !strings.Contains(text, "permission denied") {
		t.Errorf("damage\n%s", text)
	}
}
