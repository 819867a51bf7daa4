package program_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/symbols/program"
)

const source = `#include <stdlib.h>
__attribute__((noinline)) int _under(int x) { return x * 3 + 1; }
int plain(int x) __attribute__((alias("_under")));
static __attribute__((noinline)) int local(int x) { return x * 5 - abs(x); }
__attribute__((weak, noinline)) int weak(int x) { return local(x) + plain(x); }
int set[16] = {1}, zeros[16];
int main(int c, char **v) { return weak(atoi(v[0])) + set[c] + zeros[c]++; }
`

var built []byte // made once, for all tests

// compiled returns the path of a program in a directory that is the root of a machine.
func compiled(t *testing.T) (root, name string) {
	t.Helper()
	gcc := needs.Program(t, "gcc", "apt-get install gcc")
	root = t.TempDir()
	src, prog := filepath.Join(root, "p.c"), filepath.Join(root, "prog")
	if built != nil {
		if err := os.WriteFile(prog, built, 0o777); err != nil {
			t.Fatal(err)
		}
		return root, "/prog"
	}
	if err := os.WriteFile(src, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(gcc, "-O1", "-Wl,--build-id", "-Wl,-z,lazy", "-o", prog, src).CombinedOutput()
	if err != nil {
		needs.Skip(t, "need a C library (apt-get install libc6-dev)", err, string(out))
	}
	if built, err = os.ReadFile(prog); err != nil {
		t.Fatal(err)
	}
	return root, "/prog"
}

func names(t *testing.T, path string) map[string]program.Symbol {
	t.Helper()
	f, err := program.Open(path, memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]program.Symbol{}
	if err := f.Each(func(s *program.Symbol) { all[s.Name] = *s }); err != nil {
		t.Fatal(err)
	}
	return all
}

// offset returns the offset of an address in a file whose code is in the segment that contains the
// address.
func offset(t *testing.T, s *program.Symbols, want string, addr uint64) uint64 {
	t.Helper()
	for _, shift := range []uint64{0, 0x1000, 0x2000, 0x3000, 0x400000, 0x401000} {
		if name, off, ok := s.Find(addr - shift); ok && off == 0 && name == want {
			return addr - shift
		}
	}
	t.Fatalf("%s at %#x is not found", want, addr)
	return 0
}

func TestLoad(t *testing.T) {
	root, name := compiled(t)
	all := names(t, filepath.Join(root, name))
	f, err := program.Open(filepath.Join(root, name), memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	id := f.BuildID()
	slots, err := f.Linkage()
	if err != nil || !slices.ContainsFunc(slots, func(s program.Symbol) bool { return s.Name == "strtol" }) {
		t.Errorf("no strtol in %v: %v", slots, err)
	}
	f.Close()
	for _, c := range []struct {
		search program.Search
		id     string
		err    error
	}{
		{program.Search{Root: root}, id, nil},
		{program.Search{Root: root}, "", nil},
		{program.Search{Root: root}, "0123456789", program.ErrBuild},
		{program.Search{Root: filepath.Join(root, "none")}, id, fs.ErrNotExist},
		{program.Search{}, id, fs.ErrNotExist},
	} {
		s, err := c.search.Load(name, c.id, memory.New(0))
		if !errors.Is(err, c.err) {
			t.Errorf("%v %q: %v, want %v", c.search, c.id, err, c.err)
		}
		if err != nil || c.err != nil {
			continue
		}
		at := offset(t, s, "plain", all["_under"].Addr)
		if got, off, ok := s.Find(at + 2); got != "plain" || off != 2 || !ok {
			t.Errorf("%s+%d, want plain+2", got, off)
		}
		for _, n := range []string{"local", "weak", "main", "set", "zeros"} {
			offset(t, s, n, all[n].Addr)
		}
		for i := range slots {
			offset(t, s, slots[i].Name+"@plt", slots[i].Addr)
		}
	}
	if _, err := (program.Search{}).Load(filepath.Join(root, name), "", memory.New(0)); !errors.Is(err,
		program.ErrUnsure) {
		t.Errorf("%v for a file of this machine without a build id", err)
	}
}

// TestDebugFile: the names of a stripped program are in its debug file.
func TestDebugFile(t *testing.T) {
	objcopy := needs.Program(t, "objcopy", "apt-get install binutils")
	root, name := compiled(t)
	prog := filepath.Join(root, name)
	addr := names(t, prog)["local"].Addr
	f, err := program.Open(prog, memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	id := f.BuildID()
	f.Close()
	debug := filepath.Join(root, "usr/lib/debug/.build-id", id[:2], id[2:]+".debug")
	if err := os.MkdirAll(filepath.Dir(debug), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--only-keep-debug", prog, debug}, {"--strip-all", prog}} {
		if out, err := exec.Command(objcopy, args...).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	s, err := program.Search{Root: root}.Load(name, id, memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	offset(t, s, "local", addr)
}

// TestHostile: damaged files cause an error, or have other names.
func TestHostile(t *testing.T) {
	root, name := compiled(t)
	whole, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "damaged")
	search, rnd := program.Search{Root: root}, rand.New(rand.NewPCG(1, 2))
	for i := range needs.Cases(t, 200, 20000) {
		b := bytes.Clone(whole)
		for range 1 + i%8 {
			at := rnd.IntN(len(b))
			if i%2 == 0 { // headers
				at = rnd.IntN(1024)
				if i%4 == 0 {
					at = len(b) - 1 - at
				}
			}
			b[at] = []byte{0, 1, 0x7f, 0xff, byte(rnd.IntN(256))}[rnd.IntN(5)]
		}
		if i%16 == 0 {
			b = b[:rnd.IntN(len(b))]
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		m := memory.New(0)
		s, err := search.Load("/damaged", "", m)
		if err != nil {
			continue
		}
		for at := uint64(0); at < uint64(len(b)); at += 16 {
			s.Find(at)
		}
	}
}
