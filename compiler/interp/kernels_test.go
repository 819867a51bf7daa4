package interp

import (
	"archive/tar"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/render"
)

// TestKernels compares the closures of every event of every kernel beside the repository with the
// reference, on random records.
func TestKernels(t *testing.T) {
	type kernel struct {
		name   string
		target ir.Target
	}
	for _, k := range needs.Some(t, []kernel{
		{"bookworm-6.1-s390x", ir.Target{WordSize: 8, BigEndian: true}},
		{"bookworm-6.1-amd64", ir.Target{WordSize: 8}},
		{"bookworm-6.1-arm64", ir.Target{WordSize: 8}},
		{"bookworm-6.1-i386", ir.Target{WordSize: 4}},
		{"sid-amd64", ir.Target{WordSize: 8}},
	}, 1) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			unit, _ := ftrace.Compile(k.name, readFormats(t, k.name), k.target)
			env := &render.Env{BigEndian: k.target.BigEndian, WordSize: k.target.WordSize}
			m, rng := NewMachine(env), rand.New(rand.NewPCG(1, 2))
			for _, ev := range unit.Events {
				p, err := Compile(ev, k.target)
				if err != nil {
					t.Error(err)
					continue
				}
				for range 3 {
					data := irtest.RandomRecord(rng, ev, k.target)
					want := referenceText(ev, k.target, env, data)
					if got := string(m.AppendText(nil, p, data)); got != want {
						t.Fatalf("got  %q\nwant %q\nof %x by\n%s", got, want, data, dump(ev))
					}
				}
			}
		})
	}
}

// readFormats reads every format file of a kernel. If there are no files, it skips the test.
func readFormats(t testing.TB, kernel string) (out []ftrace.Source) {
	t.Helper()
	f, err := os.Open(needs.Shared(t, "ftrace/"+kernel+"/events-all.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(h.Name) != "format" {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ftrace.Source{System: path.Base(path.Dir(path.Dir(h.Name))), Name: h.Name, Text: text})
	}
}

// BenchmarkCompile compiles every event of a kernel.
func BenchmarkCompile(b *testing.B) {
	target := ir.Target{WordSize: 8}
	unit, _ := ftrace.Compile("sid-amd64", readFormats(b, "sid-amd64"), target)
	b.ReportAllocs()
	for b.Loop() {
		for _, ev := range unit.Events {
			if _, err := Compile(ev, target); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(unit.Events)), "ns/event")
}
