package lttng

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// TestSlicesAreTheRecording: consecutive slices give the same as the whole recording: records,
// their order, damage, counts of files, and errors. Cases: times that go back from one sub-buffer
// to the next; files that are damaged, cut, not closed or unreadable; selections.
func TestSlicesAreTheRecording(t *testing.T) {
	cuts, again, damaged, failed := 0, 0, 0, 0
	for seed := range uint64(needs.Cases(t, 80, 400)) {
		r := rand.New(rand.NewPCG(seed, 7))
		l := Layout{Dialect: dialects[r.IntN(len(dialects))], BigEndian: r.IntN(2) == 0, WordSize: 4 + 4*r.IntN(2),
			Sized: r.IntN(2) == 0, Heartbeat: r.IntN(2) == 0}
		l.Alignment = r.IntN(2) * l.WordSize
		x := sliced{mem: tangled(t, r, l), options: chosenOf(r), streams: r.IntN(3) == 0}
		if !x.streams && r.IntN(2) == 0 {
			x.anywhere = 1 + uint64(r.IntN(3e5))
		}
		if l.Dialect == Seed {
			x.opts = append(x.opts, WithDialect(Seed))
		}
		if r.IntN(5) == 0 {
			x.opts = append(x.opts, WithTasks())
		}
		x.fail(r)
		want := x.read(t, 1, 0)
		got := x.read(t, 2+r.IntN(4), 4096<<r.IntN(5))
		if d := cmp.Diff(want.lines, got.lines); d != "" {
			t.Fatalf("seed %d, %s, %+v, streams %v (-whole +slices):\n%s", seed, l.testName(), x.options, x.streams, d)
		}
		cuts += got.slices
		again += got.again
		damaged += want.damage
		failed += want.failed
	}
	t.Logf("%d slices, %d begun again, %d places of damage, %d errors", cuts, again, damaged, failed)
	if n := needs.Cases(t, 1, 5); cuts < 400*n || again < 20*n || damaged < 40*n || failed < 4*n {
		t.Errorf("only %d slices, %d of them begun again, %d places of damage, %d errors", cuts, again, damaged, failed)
	}
}

// tangled writes a trace of several files. Their sub-buffers overlap. Some are out of order, were
// never closed or are damaged.
func tangled(t testing.TB, r *rand.Rand, l Layout) *traceFiles {
	t.Helper()
	l.BlockSize, l.CPUs, l.Freq, l.StartTSC = 4096<<r.IntN(2), 1+r.IntN(3), 1e9, 5
	mem := newMemory()
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	channels := []string{"kernel", "fs"}[:1+r.IntN(2)]
	var markers []*Mark
	for _, c := range channels {
		for _, m := range []struct{ name, format string }{{"fixed", "a #1u%u b %lu"}, {"text", "name %s v %u"},
			{"sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld"}} {
			marker, err := w.Marker(c, c+"_"+m.name, m.format)
			if err != nil {
				t.Fatal(err)
			}
			markers = append(markers, marker)
		}
	}
	tsc, rare, bursts, cpu := l.StartTSC, r.IntN(3) == 0, r.IntN(2) == 0, 0
	for i := range 1000 + r.IntN(3000) {
		tsc += uint64(r.IntN(3000))
		if !bursts || r.IntN(200) == 0 {
			cpu = r.IntN(l.CPUs)
		}
		which := r.IntN(len(markers))
		if rare && r.IntN(100) > 0 {
			which = which / 3 * 3
		}
		m := markers[which]
		switch which % 3 {
		case 0:
			err = w.Event(cpu, m, tsc, i, i*1000)
		case 1:
			err = w.Event(cpu, m, tsc, strings.Repeat("n", i%17), i)
		case 2:
			err = w.Event(cpu, m, tsc, i%5, i%7, i%2)
		}
		if r.IntN(200) == 0 {
			err = errors.Join(err, w.Flush(cpu, m))
		}
		if r.IntN(100) == 0 && newHeader(l.Dialect) == countedHeader {
			err = errors.Join(err, w.Lose(cpu, m, uint32(r.IntN(3)*r.IntN(1000))))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return disorder(r, mem, l)
}

// disorder damages files in the ways in which recorded files are damaged.
func disorder(r *rand.Rand, mem *traceFiles, l Layout) *traceFiles {
	names := []string{}
	for name := range mem.files {
		names = append(names, name)
	}
	slices.Sort(names)
	used, block := sizeFields(l.Dialect)
	size := l.BlockSize
	for _, name := range names {
		b := slices.Clone(mem.files[name].Data)
		blocks := len(b) / size
		if r.IntN(4) == 0 && !strings.Contains(name, "metadata") {
			for range 1 + r.IntN(3) { // times go back
				x, y := r.IntN(blocks)*size, r.IntN(blocks)*size
				if r.IntN(2) == 0 {
					y = min(x+size, len(b)-size)
				}
				a := slices.Clone(b[x : x+size])
				copy(b[x:x+size], b[y:y+size])
				copy(b[y:y+size], a)
			}
		}
		if r.IntN(5) == 0 {
			at := r.IntN(blocks) * size
			copy(b[at+used:], "\xff\xff\xff\xff")
			if r.IntN(2) == 0 {
				copy(b[at+block:], "\xff\xff\xff\xff")
			}
		}
		if r.IntN(8) == 0 { // headers are hit more often than by chance
			b[r.IntN(blocks)*size+r.IntN(64)] = byte(r.Uint32())
		}
		mem = mem.put(name, b)
	}
	if r.IntN(3) == 0 {
		mem = damagedFiles(r, mem)
	}
	return mem
}

// chosenOf are random options.
func chosenOf(r *rand.Rand) (o record.Options) {
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(3) {
			o.IDs = append(o.IDs, uint32(r.IntN(9)))
		}
		if r.IntN(3) == 0 { // files may have no damage
			o.IDs = o.IDs[:r.IntN(2)]
		}
	}
	if r.IntN(8) == 0 {
		o.After = []uint32{uint32(r.IntN(9))}
	}
	if r.IntN(12) == 0 {
		o.Tasks = []int32{int32(r.IntN(7))}
	}
	if r.IntN(4) == 0 {
		o.CPUs = []int32{int32(r.IntN(3)), int32(r.IntN(3))}
	}
	if r.IntN(4) == 0 {
		o.Since = uint64(r.IntN(3e6))
	}
	if r.IntN(4) == 0 {
		o.Until = 1 + uint64(r.IntN(6e6))
	}
	return o
}

// sliced is a trace that is read in slices.
type sliced struct {
	mem     *traceFiles
	opts    []Option
	options record.Options
	streams bool
	// anywhere is the distance of cuts. If it is not 0, cuts can be at any time.
	anywhere uint64
	failing  string // a file that cannot be read from an offset on
	from     int64
}

// slicedResult is the result of a read.
type slicedResult struct {
	lines                         []string
	slices, again, damage, failed int
}

// fail makes a file fail in some of the cases.
func (x *sliced) fail(r *rand.Rand) {
	if r.IntN(4) > 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(x.mem.files)) {
		f := x.mem.files[name]
		if r.IntN(2) == 0 && strings.HasPrefix(name, "kernel") && len(f.Data) > 0 {
			x.failing, x.from = name, int64(r.IntN(len(f.Data)))
			return
		}
	}
}

func (x *sliced) read(t *testing.T, workers int, size int64) (all slicedResult) {
	rec, err := OpenFS(failingFS{x.mem.files, x.failing, x.from}, "trace", x.opts...)
	if err != nil {
		return slicedResult{lines: []string{err.Error()}}
	}
	defer rec.Close()
	o := x.options
	o.Workers = workers
	list := rec.Slices(o, size)
	switch k := rec.toCut(&o, size); {
	case x.streams:
		list = rec.StreamSlices(o, size)
	case x.anywhere > 0 && k != nil:
		k.begin(rec)
		var all []record.Sample
		for _, f := range k.files { // and parts may begin with any page
			for i := range k.marks[f] {
				if m := &k.marks[f][i]; (m.time+x.anywhere)%5 == 0 {
					m.at = min(m.at/8192*8192+4096, f.Size)
				}
			}
		}
		for i := range uint64(40) {
			all = append(all, record.Sample{Time: i * x.anywhere, Size: 1 << 20})
		}
		list = record.CutSlices(record.Cuts(all, 1<<20),
			func(c *record.Cut) *record.Merger[Entry] { return MergeStreams(k.streams(rec, k.files, o, c)) })
	}
	type made struct {
		slice record.Slice[Entry]
		lines []string
		err   error
	}
	var errs []error
	var calls atomic.Int64
	err = record.InSlices(t.Context(), list, workers, func(_ int, s record.Slice[Entry]) (made, error) {
		calls.Add(1)
		lines, err := readMerger(s.Merge())
		return made{s, lines, err}, nil
	}, func(m made) error {
		all.lines = append(all.lines, m.lines...)
		errs = append(errs, m.err)
		all.slices++
		if workers > 1 {
			lines, err := readMerger(m.slice.MergeAgain())
			if d := cmp.Diff(m.lines, lines); d != "" || fmt.Sprint(err) != fmt.Sprint(m.err) {
				t.Errorf("read again: %v, first %v (-first +again):\n%s", err, m.err, d)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all.again = int(calls.Load()) - all.slices
	if err := errors.Join(errs...); err != nil {
		all.lines = append(all.lines, err.Error())
		all.failed++
	}
	var damage []string
	for _, d := range rec.Damage() {
		damage = append(damage, fmt.Sprint(d, d.Skipped))
	}
	all.damage = len(damage)
	for _, f := range rec.Files() {
		all.lines = append(all.lines, fmt.Sprint(f.Path, f.Blocks, f.EventsLost, f.Corrupt, f.Unclosed))
	}
	all.lines = append(append(all.lines, damage...), fmt.Sprint(rec.DamageStats()))
	return all
}

func readMerger(m *record.Merger[Entry]) (lines []string, err error) {
	for x, e := range m.All() {
		lines = append(lines, fmt.Sprint(*x, e.TSC, e.Offset))
	}
	return lines, m.Err()
}

// failingFS has a file that cannot be read from an offset on.
type failingFS struct {
	fs.FS
	name string
	from int64
}

type failingFile struct {
	fs.File
	from int64
}

func (f failingFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err == nil && name == f.name {
		file = failingFile{file, f.from}
	}
	return file, err
}

var errFails = errors.New("the disk fails")

func (f failingFile) ReadAt(b []byte, off int64) (int, error) {
	if off+int64(len(b)) > f.from && off >= 4096 {
		return 0, errFails
	}
	return f.File.(io.ReaderAt).ReadAt(b, off)
}
