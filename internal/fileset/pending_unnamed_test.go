package fileset

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestStageUnnamed: until Commit the new file is invisible, with any existing or newly created
// files. Then it has its name, and no other file is left.
func TestStageUnnamed(t *testing.T) {
	for _, c := range []struct{ name, before, meanwhile string }{{name: "new"}, {name: "old", before: "was"},
		{name: "comes meanwhile", meanwhile: "is"}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "x")
			put := func(text string) {
				if text == "" {
					return
				}
				if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			put(c.before)
			p, err := Stage(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Write([]byte("content")); err != nil {
				t.Fatal(err)
			}
			if list, _ := os.ReadDir(dir); runtime.GOOS == "linux" && p.unnamed != nil && len(list) != len(c.before)/3 {
				t.Errorf("before Commit there is %v", list)
			}
			put(c.meanwhile)
			if err := p.Commit(); err != nil {
				t.Fatal(err)
			}
			list, _ := os.ReadDir(dir)
			if text, err := os.ReadFile(name); len(list) != 1 || string(text) != "content" {
				t.Errorf("%q, %v, %v", text, list, err)
			}
			if st, err := os.Stat(name); c.before != "" &&
				(err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o640) {
				t.Error(st.Mode(), err)
			}
		})
	}
}

// TestDiscardAll: a process that must end removes its named files, even a folder that is still
// being written.
func TestDiscardAll(t *testing.T) {
	defer func() { // like a new process
		clear(temporaries.names)
		temporaries.Unlock()
	}()
	dir := t.TempDir()
	folder, other := filepath.Join(dir, ".part-1"), filepath.Join(dir, "other")
	for _, d := range []string{folder, other} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "x"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	Temporary(folder)
	Temporary(other)()
	DiscardAll()
	if list, _ := os.ReadDir(dir); len(list) != 1 || list[0].Name() != "other" {
		t.Errorf("left: %v", list)
	}
}
