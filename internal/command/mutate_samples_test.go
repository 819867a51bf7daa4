package command

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// inputKinds are all kinds of recordings and descriptions.
var inputKinds = []kindOfInput{
	{name: "ftrace", file: "m.dat", samples: ftraceSamples, make: mutateFtrace, commands: ftraceCommands,
		generators: recordingGenerators, generate: 24},
	{name: "trace.dat", file: "m.dat", samples: realFtrace, make: mutateReal, commands: ftraceCommands,
		generators: recordingGenerators, generate: 24},
	{name: "snapshot", samples: snapshotSamples, commands: ftraceCommands, generators: recordingGenerators,
		generate: 24},
	{name: "aix", file: "m.raw", samples: aixSamples, make: mutateAIX, commands: []string{
		"report FILE", "trcrpt FILE", "trcrpt -O exec=on,pid=on,tid=on,cpuid=on,timestamp=1 FILE", "trcrpt -r FILE",
		"list FILE", "info FILE",
		"report -t ../../grammar/trcfmt/testdata/hooks.trcfmt FILE",
		"report -t ../../grammar/trcfmt/testdata/language.trcfmt FILE",
		"trcrpt -C all FILE", "trcrpt -p 1 FILE", "stat FILE",
	}},
	{name: "uftrace", samples: uftraceSamples, make: mutateUftrace, commands: uftraceCommands,
		generators: recordingGenerators[1:], generate: 16},
	{name: "lttng", samples: lttngSamples, make: mutateLTTng, commands: lttngCommands,
		generators: recordingGenerators[1:], generate: 16},
	{name: "archive", file: "m.tar", samples: packedSamples, make: mutateArchive, commands: []string{
		"report FILE", "list FILE", "info FILE", "uftrace replay -d FILE", "textdump FILE",
	}, generators: recordingGenerators[:1], generate: 16},
	{name: "formats", samples: formatSamples, make: mutateFormats, commands: []string{
		"list --fields FILE", "vet FILE", "gen -dump=ir -pkg p FILE",
	}, generators: []string{
		"gen -text -pkg p -o OUT/p_gen.go FILE", "gen -text -big-endian -word 4 -pkg p -o OUT/p_gen.go FILE",
		"gen -text -split -import example.org/p -pkg p -o OUT FILE",
	}, generate: 8},
	{name: "templates", file: "m.trcfmt", samples: templateSamples, make: mutateTemplates, commands: []string{
		"vet FILE", "fmt FILE", "list FILE", "trcrpt -j -t FILE",
	}, generators: recordingGenerators, generate: 12},
}

var (
	ftraceCommands = []string{
		"report FILE", "report -R FILE", "report -N FILE", "report --stat FILE", "info FILE", "list --fields FILE",
		"trace-cmd report -l FILE", "trace-cmd report --profile FILE", "trace-cmd report -t --ts-diff FILE",
		"trace-cmd report -w FILE",
		"trace-cmd report --events FILE", "trace-cmd report -O fgraph:tailprint FILE", "report --cpu 0 FILE",
		"stat FILE",
	}
	uftraceCommands = []string{
		"report FILE", "list --fields FILE", "info FILE", "uftrace replay -d FILE", "uftrace replay -f all -d FILE",
		"uftrace report -d FILE",
		"uftrace report -f all -d FILE", "uftrace report --task -d FILE", "uftrace graph -d FILE",
		"uftrace graph --task -d FILE", "uftrace dump -d FILE",
		"uftrace dump --chrome -d FILE", "uftrace dump --flame-graph -d FILE", "uftrace dump --graphviz -d FILE",
		"uftrace dump --mermaid -d FILE",
		"uftrace info -d FILE", "uftrace info --task -d FILE", "uftrace info --symbols -d FILE", "stat FILE",
	}
	lttngCommands = []string{
		"report FILE", "textdump FILE", "textdump --list FILE", "textdump --info FILE", "textdump --time exact FILE",
		"list --fields FILE", "info FILE", "stat FILE",
	}
	recordingGenerators = []string{"gen -pkg p -o OUT/p_gen.go FILE", "gen -text -pkg p -o OUT/p_gen.go FILE"}
)

func readSample(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// glob returns the names of files that match patterns.
func glob(patterns ...string) (list []string) {
	for _, p := range patterns {
		names, _ := filepath.Glob(p)
		list = append(list, names...)
	}
	return list
}

func realFtrace(t *testing.T) (list []*mutate.Sample) {
	for _, name := range glob("../../testdata/ftrace/*.dat") {
		b := readSample(t, name)
		list = append(list, &mutate.Sample{Name: filepath.Base(name), Tree: mutate.Tree{"": b}})
	}
	return list
}

// readTar unpacks an archive of testdata. Paths are relative to the first directory.
func readTar(t *testing.T, name string) mutate.Tree {
	t.Helper()
	b := readSample(t, name)
	var r io.Reader = bytes.NewReader(b)
	var err error
	switch path.Ext(name) {
	case ".gz":
		r, err = gzip.NewReader(r)
	case ".xz":
		r, err = xz.NewReader(r)
	case ".zst":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	tree := mutate.Tree{}
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if err == io.EOF {
			return tree
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			tree[path.Clean(h.Name)] = content
		}
	}
}

// rooted removes the top directory of an archive from paths, and the files outside it.
func rooted(tree mutate.Tree) mutate.Tree {
	out := mutate.Tree{}
	for name, b := range tree {
		if _, rest, ok := strings.Cut(name, "/"); ok {
			out[rest] = b
		}
	}
	if len(out) == 0 {
		return tree
	}
	return out
}

func snapshotSamples(t *testing.T) []*mutate.Sample {
	tree := rooted(readTar(t, "../../testdata/ftrace/amd64-snapshot.tar.zst"))
	kept := mutate.Tree{}
	for name, b := range tree { // keep few formats, so that mutants are written quickly
		if strings.HasSuffix(name, "/format") && !strings.Contains(name, "/sched/") &&
			!strings.Contains(name, "/ftrace/") {
			continue
		}
		if lines := bytes.SplitAfter(b, []byte("\n")); len(lines) > 500 && utf8.Valid(b) { // kallsyms
			b = bytes.Join(lines[:500], nil)
		}
		kept[name] = b
	}
	return []*mutate.Sample{mutate.NewSnapshot("amd64-snapshot", kept)}
}

func uftraceSamples(t *testing.T) (list []*mutate.Sample) {
	for _, name := range glob("../../testdata/uftrace/*/data.tar.gz") {
		tree := rooted(readTar(t, name))
		if tree.Size() < 400<<10 {
			list = append(list, mutate.NewUftrace(filepath.Base(filepath.Dir(name)), tree))
		}
	}
	return list
}

func lttngSamples(t *testing.T) (list []*mutate.Sample) {
	for _, name := range glob("../../testdata/lttng/*/*.tar.xz") {
		tree := rooted(readTar(t, name))
		if tree.Size() < 2<<20 {
			list = append(list, mutate.NewLTTng(filepath.Base(name), tree))
		}
	}
	return list
}

func packedSamples(t *testing.T) (list []*mutate.Sample) {
	for _, s := range append(uftraceSamples(t), lttngSamples(t)...) {
		if s.Tree.Size() < 100<<10 {
			list = append(list, s)
		}
	}
	return list
}

func mutateArchive(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	ending := mutate.Archives[r.IntN(len(mutate.Archives))]
	if r.IntN(3) == 0 {
		if m := mutateMember(k, s, r, ending); m != nil {
			return m
		}
	}
	m := &mutate.Mutant{Tree: s.Tree.Clone(), First: map[string]int{}}
	if r.IntN(3) == 0 {
		m = s.Mutate(r, k.samples)
	}
	packed, steps, err := mutate.Pack(r, m.Tree, ending)
	if err != nil {
		k.t.Fatal(err)
	}
	m.Tree, m.Steps = mutate.Tree{"": packed}, append(m.Steps, steps...)
	return &mutant{Mutant: m, sample: s.Name + ending}
}

// formatSamples returns trees of format files, one for each kernel with formats in grammar/ftrace:
// KERNEL.SYSTEM.EVENT.
func formatSamples(t *testing.T) (list []*mutate.Sample) {
	kernels := map[string]mutate.Tree{}
	for _, name := range glob("../../grammar/ftrace/testdata/formats/*") {
		parts := strings.Split(filepath.Base(name), ".")
		if len(parts) < 3 {
			continue
		}
		n := len(parts)
		kernel := strings.Join(parts[:n-2], ".")
		if kernels[kernel] == nil {
			kernels[kernel] = mutate.Tree{}
		}
		kernels[kernel][path.Join(parts[n-2], parts[n-1], "format")] = readSample(t, name)
	}
	for _, kernel := range slices.Sorted(maps.Keys(kernels)) {
		list = append(list, mutate.NewTexts(kernel, kernels[kernel]))
	}
	return list
}

// mutateFormats damages a few formats of a kernel. Few mutants contain all formats, because most of
// them are unchanged.
func mutateFormats(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	if r.IntN(50) > 0 {
		few := mutate.Tree{}
		for range 1 + r.IntN(12) {
			name := s.Texts[r.IntN(len(s.Texts))]
			few[name] = s.Tree[name]
		}
		s = mutate.NewTexts(s.Name, few)
	}
	return k.mutate(s, r)
}

func templateSamples(t *testing.T) (list []*mutate.Sample) {
	for _, name := range glob("../../grammar/trcfmt/testdata/*.trcfmt", "../../gen/testdata/hooks/*.trcfmt",
		"../../compiler/trcfmt/testdata/*.trcfmt") {
		list = append(list, mutate.NewTexts(filepath.Base(name), mutate.Tree{"": readSample(t, name)}))
	}
	return list
}

// aixSamples writes streams and logs of both word sizes with hooks of every length.
func aixSamples(t *testing.T) (list []*mutate.Sample) {
	for _, is64 := range []bool{false, true} {
		name := map[bool]string{false: "32", true: "64"}[is64]
		var stream bytes.Buffer
		w := aix.NewWriter(&stream, aix.WriterOptions{Kernel64: is64})
		w.App64 = is64
		aixHooks(w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		list = append(list, aixSample(t, "stream"+name, stream.Bytes(), is64))
		var log bytes.Buffer
		l := aix.NewLogWriter(&log, aix.LogOptions{WriterOptions: aix.WriterOptions{Kernel64: is64}, Buffers: 4,
			BufferSize: 4096})
		l.App64 = is64
		l.Clock(aix.Clock{Mul: 1, Div: 1, Type: 1})
		l.Begin()
		aixHooks(&l.Writer)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		list = append(list, aixSample(t, "log"+name, log.Bytes(), is64))
	}
	return list
}

func aixHooks(w *aix.Writer) {
	w.Now = 1000
	for i := range uint64(80) {
		w.Now += 100 + i%7
		w.TID = 0x1000 + i%5
		hook := uint32(0x10A0_0000 + i%3<<20)
		switch i % 8 {
		case 0:
			w.TRCHKL0T(hook)
		case 1:
			w.TRCHKL1T(hook, i)
		case 2:
			w.TRCHKL2T(hook, i, i*i)
		case 3:
			w.TRCHKL5T(hook, i, 2, 3, 4, 5)
		case 4:
			w.TRCGENT(hook, i, []byte(strings.Repeat("text ", int(i%6)+1)))
		case 5:
			w.TRCHKL3(hook, 1, 2, 3)
		case 6:
			w.App64 = !w.App64
			w.TRCHKL4T(hook, i, 2, 3, 4)
			w.App64 = !w.App64
		default:
			w.TRCGEN(hook, i, []byte{1, 2, 3})
		}
	}
}

func aixSample(t *testing.T, name string, b []byte, is64 bool) *mutate.Sample {
	rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), name)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var entries []int64
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for _, e := range batch.Entries {
				entries = append(entries, e.Offset)
			}
		}
	}
	return mutate.NewAIX(name, b, entries, is64)
}

// TestSamplesAreIntact checks that the samples of mutants have no damage, and that all commands
// accept them.
func TestSamplesAreIntact(t *testing.T) {
	for _, kind := range inputKinds {
		if kind.name == "archive" {
			continue // its samples are directories
		}
		k := newKindRun(t, &kind)
		for _, s := range needs.Some(t, k.samples, 1) {
			path := k.write(filepath.Join(k.dir, "m"), s.Tree)
			for _, command := range kind.commands[:min(3, len(kind.commands))] {
				res, err := k.command(s.Name, command, path, s.Tree.Size())
				if err != nil || res.code > exitDamaged {
					t.Errorf("%s %s: tracec %s: exit %d, %v\n%s", kind.name, s.Name, command, res.code, err,
						firstLine(res.stderr.String()))
				}
			}
		}
	}
}
