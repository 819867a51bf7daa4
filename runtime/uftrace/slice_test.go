package uftrace_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestSlicesAreTheRecording: consecutive slices give the same as the whole recording: records,
// their order, losses and damage. This also holds for damaged recordings and for selections.
func TestSlicesAreTheRecording(t *testing.T) {
	recordings := uftracetest.All(t)
	cuts, bad := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		o := record.Options{Workers: rapid.IntRange(2, 5).Draw(t, "workers")}
		if rapid.Bool().Draw(t, "kinds") {
			for range 4 {
				o.IDs = append(o.IDs, uint32(rapid.IntRange(0, 60).Draw(t, "id")))
			}
		}
		streams := rapid.Bool().Draw(t, "streams")
		size := int64(64 << rapid.IntRange(0, 5).Draw(t, "size"))
		want := readSlices(t, files, record.Options{Workers: 1, IDs: o.IDs}, streams, size, nil)
		got := readSlices(t, files, o, streams, size, &cuts)
		if len(want) > 0 && want[len(want)-1] != "{0 0}" {
			bad++
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("streams %v, size %d (-whole +slices):\n%s", streams, size, d)
		}
	})
	if !testing.Short() && (cuts < 250 || bad == 0) {
		t.Errorf("only %d slices were read, of %d damaged recordings", cuts, bad)
	}
}

// readSlices returns all data read from a recording, and adds the number of slices to n.
func readSlices(
	t *rapid.T, files fs.FS, o record.Options, streams bool, size int64, n *int, opts ...uftrace.Option,
) (all []string) {
	rec, err := uftrace.OpenFS(files, "x", opts...)
	if err != nil {
		return []string{err.Error()}
	}
	defer rec.Close()
	if err := rec.IndexErr(); err != nil {
		t.Fatal(err)
	}
	if c, ok := files.(*uftracetest.Counted); ok {
		c.Bytes.Store(0)
	}
	list := rec.Slices(o, size)
	if streams {
		list = rec.StreamSlices(o, size)
	}
	if n != nil {
		*n += len(list)
	}
	read := func(m *record.Merger[uftrace.Entry]) (part []string, err error) {
		for x, e := range m.All() {
			part = append(part, fmt.Sprint(*x, e.Addr, e.Sym != nil, e.Depth, e.Kind, e.More))
		}
		return part, m.Err()
	}
	type made struct {
		slice record.Slice[uftrace.Entry]
		part  []string
	}
	err = record.InSlices(context.Background(), list, o.Workers,
		func(_ int, s record.Slice[uftrace.Entry]) (made, error) {
			part, err := read(s.Merge())
			return made{s, part}, err
		}, func(x made) error {
			all = append(all, x.part...)
			again, err := read(x.slice.MergeAgain())
			if d := cmp.Diff(x.part, again); d != "" {
				t.Errorf("read again (-first +again):\n%s", d)
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	damage := []string{}
	for _, d := range rec.Damage() {
		damage = append(damage, fmt.Sprint(d, d.Skipped))
	}
	all = append(all, damage...)
	return append(all, fmt.Sprint(rec.DamageStats()))
}

// TestSlicesReadLittleTwice: slices read their own bytes, and little of their neighbours' bytes.
func TestSlicesReadLittleTwice(t *testing.T) {
	for _, threads := range []int{1, 2, 5} {
		files := synthetic(threads, 400_000, false)
		size := int64(0)
		for name, f := range files {
			if strings.HasSuffix(name, ".dat") {
				size += int64(len(f.Data))
			}
		}
		for _, streams := range []bool{false, true} {
			c := &uftracetest.Counted{FS: files}
			rec, err := uftrace.OpenFS(c, "x")
			if err != nil {
				t.Fatal(err)
			}
			o := record.Options{Workers: 2}
			list := rec.Slices(o, 256<<10)
			if streams {
				list = rec.StreamSlices(o, 256<<10)
			}
			c.Bytes.Store(0) // without the reads that find the places of cuts
			err = record.InSlices(t.Context(), list, o.Workers,
				func(_ int, s record.Slice[uftrace.Entry]) (int, error) {
					return 0, s.Merge().EachRun(func([]record.Record, []uftrace.Entry) error { return nil })
				}, func(int) error { return nil })
			twice := c.Bytes.Load() - size
			if err != nil || len(list) < 20 || twice < 0 || twice > size/5 ||
				(threads == 1 || streams) && twice > size/50 {
				t.Errorf("%d threads, streams %v: %d slices read %d bytes twice, of %d: %v", threads, streams,
					len(list), twice, size, err)
			}
			rec.Close()
		}
	}
}

// TestThreadSlices: thread after thread, the slices have the thread's records of a full merge, in
// the same order, except for the contents of perf events.
func TestThreadSlices(t *testing.T) {
	recordings := uftracetest.All(t)
	cuts, events := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		o := record.Options{Workers: rapid.IntRange(2, 5).Draw(t, "workers")}
		if rapid.IntRange(0, 3).Draw(t, "window") == 0 {
			o.Since = uint64(rapid.IntRange(1, 2000).Draw(t, "since"))
		}
		rec, err := uftrace.OpenFS(files, "x")
		if err != nil {
			t.Skip(err)
		}
		defer rec.Close()
		x := rec.ThreadSlices(o, int64(64<<rapid.IntRange(0, 5).Draw(t, "size")))
		if x == nil {
			t.Skip("cannot be read by thread")
		}
		want := map[int32][]string{}
		line := func(r *record.Record, e *uftrace.Entry) (int32, string) {
			if e.Source == uftrace.Perf {
				return r.Task, fmt.Sprint(r.Time, r.ID, r.CPU, e.Addr)
			}
			return r.Task, fmt.Sprint(*r, e.Addr, e.Depth, e.Kind, e.More)
		}
		whole := rec.Merge(uftrace.MergeOptions{Options: o})
		for r, e := range whole.All() {
			if e.Source == uftrace.Perf {
				events++
			}
			task, text := line(r, e)
			want[task] = append(want[task], text)
		}
		got := map[int32][]string{}
		cuts += len(x.Slices)
		err = record.InSlices(context.Background(), x.Slices, o.Workers,
			func(_ int, s record.Slice[uftrace.Entry]) (part [][2]any, err error) {
				m := s.Merge()
				for r, e := range m.All() {
					task, text := line(r, e)
					part = append(part, [2]any{task, text})
				}
				return part, m.Err()
			}, func(part [][2]any) error {
				for _, p := range part {
					got[p[0].(int32)] = append(got[p[0].(int32)], p[1].(string))
				}
				return nil
			})
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Fatalf("%v (-merged +by thread):\n%s", err, d)
		}
	})
	if !testing.Short() && (cuts < 250 || events < 250) {
		t.Errorf("only %d slices and %d events of perf were read", cuts, events)
	}
}
