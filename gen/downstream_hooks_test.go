package gen_test

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/aix"
)

func TestHooksGolden(t *testing.T) {
	hooks := hooksOf(t, "hooks.trcfmt", []string{"files", "testdata/hooks/hooks.trcfmt"})
	files, err := gen.Generate(hooks, gen.Options{Package: "trace", Text: true, Version: "v0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Join("testdata", "hooks", f.Name+".golden")
		if *update {
			if err := os.WriteFile(name, f.Content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(f.Content)); d != "" {
			t.Errorf("%s (-want +got; go test ./gen -update writes it):\n%s", name, d)
		}
	}
}

// sample writes the input of the program below: programs of both word sizes, an event that lacks
// some of its values, and an event that its template skips.
func sample(t *testing.T, name string, kernel64 bool) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := aix.NewWriter(f, aix.WriterOptions{Kernel64: kernel64})
	w.CPU, w.TID = -1, 77
	for _, app64 := range []bool{false, true} {
		w.App64 = app64
		w.Now += 100
		for _, e := range []struct {
			hook    uint32
			payload string
		}{
			{0x01000000, "00000003 3F800000 6469736B 30000000"},
			{0x01100000, "0001 FFFFFFFE 05 0000000B"},
			{0x01100000, "0002 04 2F746D70 00000002"},
			{0x01100000, "0002 09 2F746D70 00000002"}, // the path ends after the event
			{0x01200000, "02 00000010 0020 00000030 0040 00000050"},
			{0x01300000, "00000012 40 000000"},
			{0x01500000, "00000001 0000000000000009"},
		} {
			generic(t, w, e.hook, e.payload)
		}
		w.TRCHKL2T(0x01400000, 2, 0xdead0)
		w.TRCHKL2T(0x01500000, 0, 0)
		w.TRCHKL2T(0x01600000, 0, 0)
		w.TRCHKL0T(0x01000000)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

// generic writes a generic hook. The beginning of payload is its data word, and the rest is its
// buffer. The same templates then read the same values for programs of both word sizes.
func generic(t *testing.T, w *aix.Writer, hook uint32, payload string) {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(payload, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	if w.App64 {
		w.TRCGENT(hook, binary.BigEndian.Uint64(b), b[8:])
	} else {
		w.TRCGENT(hook, uint64(binary.BigEndian.Uint32(b)), b[4:])
	}
}

// A user's module runs go generate on templates, builds for other machines, and prints values and
// text of a stream.
func TestHooksDownstream(t *testing.T) {
	m := newModule(t)
	m.driver("hooks")
	mod, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("go.mod", append(mod, "\ntool github.com/tracec/tracec/cmd/tracec\n"...))
	text, err := os.ReadFile("testdata/hooks/hooks.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	m.write("hooks/hooks.trcfmt", text)
	m.must(nil, "go", "generate", "./hooks")
	m.vet("./hooks/...")
	m.cross([]string{"arm64", "386", "s390x"}, "-o", os.DevNull, "./hooks")
	bins := m.starts("hooks")
	for _, kernel := range []string{"32", "64"} {
		trace := filepath.Join(m.dir, kernel+".raw")
		sample(t, trace, kernel == "64")
		name := filepath.Join("testdata", "hooks", "kernel"+kernel+".txt")
		for _, bin := range bins {
			got := m.must(nil, bin, trace)
			if *update {
				m.copyTo(name, got)
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", filepath.Base(bin), kernel, d)
			}
		}
	}
}

func (m *module) copyTo(name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}
