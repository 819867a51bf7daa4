package command

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// mutateUftrace damages a directory. Half of the mutants have changes only in the records of one
// thread. Then all other output must stay the same.
func mutateUftrace(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	var threads []string
	for name := range s.Tree {
		if tid := strings.TrimSuffix(name, ".dat"); tid != name && strings.Trim(tid, "0123456789") == "" &&
			len(s.Tree[name]) > 0 {
			threads = append(threads, name)
		}
	}
	slices.Sort(threads)
	if len(threads) < 2 || r.IntN(2) == 0 {
		return k.mutate(s, r)
	}
	file := threads[r.IntN(len(threads))]
	out, off, what := mutate.Blind(r, s.Tree[file], s.Tree[threads[0]])
	tree := s.Tree.Clone()
	tree[file] = out
	m := &mutate.Mutant{Tree: tree, Steps: []string{fmt.Sprintf("%s: %s at %d", file, what, off)}}
	return &mutant{Mutant: m, sample: s.Name, intact: s.Tree,
		check: func(k *kindRun, dir string) error { return otherThreads(k, s, file, dir) }}
}

// otherThreads compares the output of `uftrace dump` for all files but one with its output for the
// intact recording.
func otherThreads(k *kindRun, s *mutate.Sample, damaged, dir string) error {
	want, err := intact(s, func() (map[string]string, error) {
		return dumpByFile(k, k.write(k.dir+"/intact", s.Tree), s)
	})
	if err != nil {
		return err
	}
	got, err := dumpByFile(k, dir, s)
	if err != nil {
		return err
	}
	for file, text := range want {
		if file != damaged && got[file] != text {
			return fmt.Errorf("the text of %s, which is intact, is not what it was: %d bytes of %d", file,
				len(got[file]), len(text))
		}
	}
	return nil
}

// dumpByFile returns the output below "reading TID.dat", by file.
func dumpByFile(k *kindRun, dir string, s *mutate.Sample) (map[string]string, error) {
	res, err := k.command(s.Name, "uftrace dump -d FILE", dir, s.Tree.Size())
	if err != nil {
		return nil, err
	}
	all, file := map[string]string{}, ""
	for line := range strings.Lines(res.stdout.String()) {
		if name, ok := strings.CutPrefix(line, "reading "); ok {
			file = path.Base(strings.TrimSpace(name))
		}
		all[file] += line
	}
	delete(all, "") // the heading
	return all, nil
}

// mutateLTTng damages a trace. Half of the mutants have changes in one sub-buffer only. Then the
// events of all others must not change.
func mutateLTTng(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	whole, err := intact(s, func() (*subBuffers, error) { return readSubBuffers(s.Name, s.Tree) })
	if err != nil {
		k.t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(whole.size))
	if len(names) == 0 || r.IntN(2) == 0 {
		return k.mutate(s, r)
	}
	file := names[r.IntN(len(names))]
	b, size := bytes.Clone(s.Tree[file]), whole.size[file]
	// The head of the first record applies to the whole file.
	begin := r.IntN(len(b)/size) * size
	off := begin + r.IntN(size)
	if begin == 0 {
		off = lttngHead + r.IntN(size-lttngHead)
	}
	n := min(1+r.IntN(1<<r.IntN(8)), begin+size-off)
	for i := range n {
		b[off+i] = byte(r.Uint32())
	}
	tree := s.Tree.Clone()
	tree[file] = b
	m := &mutate.Mutant{Tree: tree, Steps: []string{fmt.Sprintf("%s: %d bytes of noise at %d", file, n, off)}}
	return &mutant{Mutant: m, sample: s.Name, intact: s.Tree, check: func(*kindRun, string) error {
		got, err := readSubBuffers(s.Name, tree)
		if err != nil {
			return err
		}
		return whole.compare(got, file, begin)
	}}
}

// lttngHead is larger than the head of any sub-buffer.
const lttngHead = 128

// subBuffers holds the events of a trace by file and sub-buffer.
type subBuffers struct {
	size   map[string]int // size of sub-buffers in files with several sub-buffers and without descriptions
	events map[string]map[int][]string
}

func readSubBuffers(name string, tree mutate.Tree) (*subBuffers, error) {
	rec, err := lttng.OpenFS(memoryFS(tree), name)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	all := &subBuffers{map[string]int{}, map[string]map[int][]string{}}
	for _, s := range rec.Streams(record.Options{}) {
		f := s.File()
		var offsets []int64
		var texts []string
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for i, e := range batch.Entries {
				marker := "unknown"
				if e.Marker != nil {
					marker = e.Marker.Name
				}
				offsets = append(offsets, e.Offset)
				texts = append(texts, fmt.Sprintf("%d %s %d %x", e.Offset, marker, batch.Records[i].Time,
					batch.Records[i].Data))
			}
		}
		s.Close()
		size := int(f.Size)
		if f.Blocks > 1 && size%f.Blocks == 0 && size/f.Blocks%4096 == 0 {
			size /= f.Blocks
		}
		base := path.Base(f.Path)
		if size < int(f.Size) && !strings.HasPrefix(base, "metadata") && !strings.Contains(f.Path, "control/") {
			all.size[f.Path] = size
		}
		events := map[int][]string{}
		for i, off := range offsets {
			begin := int(off) / size * size
			events[begin] = append(events[begin], texts[i])
		}
		all.events[f.Path] = events
	}
	return all, nil
}

// compare returns an error if the events of another sub-buffer than the damaged one have changed.
func (b *subBuffers) compare(got *subBuffers, file string, damaged int) error {
	for name, all := range b.events {
		for begin, want := range all {
			if name == file && begin == damaged {
				continue
			}
			var have []string
			for other, list := range got.events[name] { // the damage may have changed the size of its sub-buffers
				if other == begin || b.size[name] == 0 || got.size[name] != b.size[name] {
					have = append(have, list...)
				}
			}
			set := map[string]bool{}
			for _, e := range have {
				set[e] = true
			}
			for i, e := range want {
				if !set[e] {
					return fmt.Errorf("%s: event %d of %d in the sub-buffer at %d, which is intact, is not what it was: %.200s", name, i, len(want), begin, e)
				}
			}
		}
	}
	return nil
}

// intacts are the known facts about intact samples.
var intacts = map[*mutate.Sample]any{}

// intact computes something about a sample once.
func intact[T any](s *mutate.Sample, compute func() (T, error)) (T, error) {
	if v, ok := intacts[s]; ok {
		return v.(T), nil
	}
	v, err := compute()
	if err == nil {
		intacts[s] = v
	}
	return v, err
}

func memoryFS(tree mutate.Tree) fstest.MapFS {
	files := fstest.MapFS{}
	for name, b := range tree {
		files[name] = &fstest.MapFile{Data: b}
	}
	return files
}
