package tracec_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// renderCTF returns the lines of the selected events of a trace, with its damage and its losses.
func renderCTF(files fs.FS, workers int, opts ...tracec.Option) string {
	rec, err := ctf.OpenFS(files, "trace")
	if err != nil {
		return err.Error()
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, opts...)
	if err != nil {
		return err.Error()
	}
	add := func(dst []byte, ev *tracec.Event) ([]byte, error) {
		x := ev.Entry.(*ctf.Entry)
		dst = fmt.Appendf(dst, "%d %d %s %s/%d/%d lost %d at %d of %d %x: ", ev.Time, ev.CPU, ev.Type.Label, ev.Comm(),
			ev.Process(), ev.Task, ev.Lost, x.Offset, ev.Stream, x.Packet)
		dst, _ = ev.AppendText(dst)
		return append(dst, '\n'), nil
	}
	var text []byte
	newAppender := func() func([]byte, *tracec.Event) ([]byte, error) { return add }
	err = r.Render(workers, newAppender, func(block []byte) error {
		text = append(text, block...)
		return nil
	})
	for _, d := range rec.Damage() {
		text = fmt.Appendln(text, d)
	}
	list, more := rec.Losses()
	for _, l := range list {
		text = fmt.Appendf(text, "%s lost %d at %d..%d of %d\n", l.File.Path, l.Count, l.From, l.To, l.Stream)
	}
	lost, streams := rec.LostAtEnd()
	return string(fmt.Appendln(text, r.Count(), err, rec.DamageStats(), more, lost, streams))
}

// copyOf reads all files of a trace.
func copyOf(t *testing.T, dir fs.FS) fstest.MapFS {
	files := fstest.MapFS{}
	err := fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dir, path)
		files[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// damagedCopy returns copies of files. One of them, but not metadata, is damaged.
func damagedCopy(r *rand.Rand, files fstest.MapFS) fstest.MapFS {
	var names []string
	bad := fstest.MapFS{}
	for name, f := range files {
		if bad[name] = f; !strings.HasSuffix(name, "metadata") && len(f.Data) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return bad
	}
	name := names[r.IntN(len(names))]
	data, donor := files[name].Data, files[names[r.IntN(len(names))]].Data
	for range 1 + r.IntN(3) {
		if len(data) > 0 {
			data, _, _ = mutate.Blind(r, data, donor)
		}
	}
	bad[name] = &fstest.MapFile{Data: data}
	return bad
}

// TestRenderInCuts: the slices that workers read themselves give the whole trace, with damage and
// losses, whatever is selected.
func TestRenderInCuts(t *testing.T) {
	selections := [][]tracec.Option{
		nil, {tracec.WithEvents("*a*")}, {tracec.WithFilter("CPU == 0")}, {tracec.WithLimit(20)},
		{tracec.WithRecords(record.Options{CPUs: []int32{1}})}, {tracec.WithThreads()},
		{tracec.WithThreads(), tracec.WithEvents("*a*")},
		{tracec.WithTasks("zoo-ust")}, {tracec.WithFilter("COMM ~ '*o*'")},
	}
	count, seed := needs.Mutants()
	r := rand.New(rand.NewPCG(seed, 40))
	var list []fstest.MapFS
	cut := 0
	groups := []string{"lttng", "babeltrace", "barectf", "perf", "tracecompass", "odd", "random", "fields"}
	for _, group := range groups {
		for _, s := range needs.Some(t, ctftest.Samples(t, group), 10) {
			files, size := copyOf(t, s.Dir), 0
			for _, f := range files {
				size += len(f.Data)
			}
			check := func(name string, size int64, opts []tracec.Option) {
				defer tracec.SetSliceBytes(size)()
				if want, got := renderCTF(files, 1, opts...), renderCTF(files, 3, opts...); got != want {
					t.Errorf("%s %s in slices of %d: %d bytes, want %d", name, s.Name, size, len(got), len(want))
				}
			}
			for _, n := range []int64{1, 300, 20_000} {
				check(group, n, nil)
			}
			check(group, 300, []tracec.Option{tracec.WithThreads()})
			if rec, err := ctf.OpenFS(files, "trace"); err == nil {
				if len(rec.Slices(record.Options{Workers: 3}, 300)) > 1 {
					cut++
				}
				rec.Close()
			}
			check(group, 5000, selections[r.IntN(len(selections))])
			if size < 1<<20 {
				list = append(list, files)
			}
		}
	}
	if cut < 10 {
		t.Errorf("only %d traces are cut", cut)
	}
	if count == 0 {
		count = needs.Cases(t, 100, 2000)
	}
	for i := range count {
		files, size := damagedCopy(r, list[r.IntN(len(list))]), int64(1+r.IntN(5000))
		opts := selections[r.IntN(len(selections))]
		restore := tracec.SetSliceBytes(size)
		if want, got := renderCTF(files, 1, opts...), renderCTF(files, 3, opts...); got != want {
			t.Errorf("mutant %d of seed %d in slices of %d: %d bytes, want %d", i, seed, size, len(got), len(want))
		}
		restore()
	}
}
