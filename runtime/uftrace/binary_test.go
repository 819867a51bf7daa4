package uftrace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestKilledRecorder has no info, no symbol files and no build id, but the program still exists.
func TestKilledRecorder(t *testing.T) {
	gcc := needs.Program(t, "gcc", "apt-get install gcc")
	dir := t.TempDir()
	src, prog := filepath.Join(dir, "p.c"), filepath.Join(dir, "prog")
	if err := os.WriteFile(src, []byte("#include <stdlib.h>\nint called(int x) { return x + 1; }\nint main(int c, char **v) { return called(atoi(v[0])); }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O0", "-o", prog, src).CombinedOutput(); err != nil {
		needs.Skip(t, "need a C library (apt-get install libc6-dev)", err, string(out))
	}
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"sid-0123456789abcdef.map": "10000-20000 r-xp 00000000 00:00 0 " + prog + "\n",
		"task.txt": "SESS timestamp=1.0 pid=1 sid=0123456789abcdef exename=\"" + prog +
			"\"\nTASK timestamp=1.0 tid=1 pid=1\n",
		"1.dat": "",
	} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := func() []string {
		r, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var list []string
		for _, s := range r.Symbols() {
			list = append(list, string(s.Type)+" "+s.Name)
			if sym, off := r.Sessions()[0].Find(0x10000+s.Addr, 2e9); sym == nil || off != 0 {
				t.Errorf("%s at %x is not found", s.Name, s.Addr)
			}
		}
		return list
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(data, "sid-0123456789abcdef.map"), later, later); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"T main", "T called", "P atoi"} {
		if got := names(); !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	later = later.Add(time.Hour)
	if err := os.Chtimes(prog, later, later); err != nil {
		t.Fatal(err)
	}
	if got := names(); len(got) > 0 {
		t.Errorf("the symbols of a program that was built after the recording: %q", got)
	}
}
