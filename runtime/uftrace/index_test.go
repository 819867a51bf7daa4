package uftrace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/indextest"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// writeIndex writes the index of a recording beside path. It returns nil if the recording cannot be
// opened.
func writeIndex(t indextest.TB, files fs.FS, path string, opts ...uftrace.Option) *index.Index {
	t.Helper()
	rec, err := uftrace.OpenFS(files, "x", append(opts, uftrace.WithPath(path), uftrace.WithIndex(""))...)
	if err != nil {
		return nil
	}
	defer rec.Close()
	return indextest.Write(t, rec, index.Name(path))
}

// drawChoice draws ids of a recording, and possibly a window and threads.
func drawChoice(t *rapid.T, files fstest.MapFS) record.Options {
	o := record.Options{IDs: []uint32{}, Workers: rapid.IntRange(1, 4).Draw(t, "workers")}
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return o
	}
	defer rec.Close()
	ids, times := map[uint32]bool{uftrace.NoSymbol: true}, []uint64{0}
	for r := range rec.Merge(uftrace.MergeOptions{}).All() {
		ids[r.ID] = true
		times = append(times, r.Time)
	}
	kinds := slices.Sorted(maps.Keys(ids))
	for range rapid.IntRange(0, 3).Draw(t, "kinds") {
		o.IDs = append(o.IDs, rapid.SampledFrom(kinds).Draw(t, "kind"))
	}
	if rapid.IntRange(0, 3).Draw(t, "window") == 0 {
		o.Since, o.Until = rapid.SampledFrom(times).Draw(t, "since"), rapid.SampledFrom(times).Draw(t, "until")
	}
	if tasks := rec.Tasks(); len(tasks) > 0 && rapid.IntRange(0, 3).Draw(t, "threads") == 0 {
		o.Tasks = []int32{rapid.SampledFrom(tasks).Draw(t, "thread").TID}
	}
	if rapid.IntRange(0, 7).Draw(t, "stacks") == 0 {
		o.After = []uint32{rapid.SampledFrom(kinds).Draw(t, "after")}
	}
	if o.Since == 0 && rapid.IntRange(0, 3).Draw(t, "losses") == 0 {
		o.LostSince = uint64(rapid.IntRange(1, 2000).Draw(t, "lost since"))
	}
	return o
}

// TestIndexChangesNothing: an index does not change the selected records, their order, losses or
// damage. Cases: times that go back, selected threads and windows, files of the kernel and of perf,
// slices.
func TestIndexChangesNothing(t *testing.T) {
	recordings := uftracetest.All(t)
	path := filepath.Join(t.TempDir(), "x.data")
	listed, cuts, saved := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		parts := uftrace.WithParts(int64(16 << rapid.IntRange(0, 7).Draw(t, "parts")))
		x := writeIndex(t, files, path, parts)
		if x == nil {
			return
		}
		listed += x.Parts()
		for range 2 {
			o := drawChoice(t, files)
			streams, size := rapid.Bool().Draw(t, "streams"), int64(64<<rapid.IntRange(0, 6).Draw(t, "size"))
			plain := o
			plain.Workers = 1
			all, some := &uftracetest.Counted{FS: files}, &uftracetest.Counted{FS: files}
			want := readSlices(t, all, plain, streams, size, nil, parts, uftrace.WithIndex(""), uftrace.WithPath(path))
			n := 0
			got := readSlices(t, some, o, streams, size, &n, parts, uftrace.WithPath(path))
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%+v, streams %v, slices of %d (-plain +index):\n%s", o, streams, size, d)
			}
			if d := cmp.Diff(endTimes(t, files, plain, uftrace.WithIndex("")),
				endTimes(t, files, plain, parts, uftrace.WithPath(path))); d != "" {
				t.Fatalf("%+v: streams end with other times (-plain +index):\n%s", plain, d)
			}
			if cuts += n - 1; some.Bytes.Load() < all.Bytes.Load() {
				saved++
			}
		}
	})
	if !testing.Short() && (listed < 300 || cuts < 50 || saved < 20) {
		t.Errorf("%d parts were listed, %d slices cut, %d times less was read", listed, cuts, saved)
	}
}

// endTimes returns the times that the streams of threads know at their ends.
func endTimes(t *rapid.T, files fs.FS, o record.Options, opts ...uftrace.Option) (all []string) {
	rec, err := uftrace.OpenFS(files, "x", opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, s := range rec.Streams(o) {
		for {
			if _, err = s.Next(); err != nil {
				break
			}
		}
		last, other := s.Times()
		all = append(all, fmt.Sprint(s.File(), last, other, err))
	}
	return all
}

// rare makes a recording of two threads that call leaf only in two of many places, and an index of
// the recording.
func rare(t *testing.T, path string) (files fstest.MapFS, leaf *uftrace.Symbol) {
	t.Helper()
	files = synthetic(2, 400_000, true)
	for _, name := range []string{"1.dat", "2.dat"} {
		data := bytes.Clone(files[name].Data)
		n := 0
		for at := 0; at < len(data); at += 16 {
			word := binary.LittleEndian.Uint64(data[at+8:])
			if word>>16&0xffff == 0x1204 && n/2 != 100 && n/2 != 30_000 {
				word -= 0x100 << 16 // mid
			}
			if word>>16&0xffff == 0x1204 || word>>16&0xffff == 0x1104 {
				n++
			}
			binary.LittleEndian.PutUint64(data[at+8:], word)
			if word&4 != 0 {
				at += 8
			}
		}
		files[name] = &fstest.MapFile{Data: data, ModTime: time.Unix(5, 0)}
	}
	rec := open(t, files)
	i := slices.IndexFunc(rec.Symbols(), func(s *uftrace.Symbol) bool { return s.Name == "leaf" })
	writeIndex(t, files, path)
	return files, rec.Symbols()[i]
}

// chosen returns the records read, and the number of bytes read from the files of threads.
func chosen(t *testing.T, files fs.FS, o record.Options, opts ...uftrace.Option) (all []string, read int64, err error) {
	t.Helper()
	c := &uftracetest.Counted{FS: files}
	rec, err := uftrace.OpenFS(c, "x", opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	c.Bytes.Store(0)
	m := rec.Merge(uftrace.MergeOptions{Options: o})
	for r, e := range m.All() {
		all = append(all, fmt.Sprint(*r, e.Addr, e.Depth, e.Kind))
	}
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	return append(all, fmt.Sprint(rec.Damage())), c.Bytes.Load(), rec.IndexErr()
}

// walked reads selected records from streams that skip other records only by the index. It returns
// the number of bytes read.
func walked(t *testing.T, files fs.FS, ids []uint32, opts ...uftrace.Option) (all []string, read int64) {
	t.Helper()
	c := &uftracetest.Counted{FS: files}
	rec, err := uftrace.OpenFS(c, "x", opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	c.Bytes.Store(0)
	streams := rec.Streams(record.Options{})
	for _, s := range streams {
		s.PassOver(ids)
	}
	err = record.InStreamOrder(streams, func(records []record.Record, _ []uftrace.Entry) error {
		for _, r := range records {
			if slices.Contains(ids, r.ID) {
				all = append(all, fmt.Sprint(r))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, c.Bytes.Load()
}

// TestIndexPassesOver: parts without selected functions are not read.
func TestIndexPassesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.data")
	files, leaf := rare(t, path)
	o := record.Options{IDs: []uint32{leaf.ID(uftrace.Leave), leaf.ID(uftrace.Enter)}, Workers: 1}
	want, all, _ := chosen(t, files, o)
	got, some, err := chosen(t, files, o, uftrace.WithPath(path))
	if d := cmp.Diff(want, got); d != "" || err != nil || len(want) < 5 {
		t.Errorf("%v, %d lines (-plain +index):\n%s", err, len(want), d)
	}
	t.Logf("%d bytes are read with an index, %d without", some, all)
	if size := int64(len(files["1.dat"].Data) + len(files["2.dat"].Data)); all < size || some > 5*(64<<10) {
		t.Errorf("%d bytes are read with an index, %d without, of %d", some, all, size)
	}
	plain, _ := walked(t, files, o.IDs)
	if got, read := walked(t, files, o.IDs, uftrace.WithPath(path)); read != some || len(got) < 4 ||
		!slices.Equal(got, plain) {
		t.Errorf("PassOver: %d bytes are read, %d where the stream chooses, and %d records of %d", read, some, len(got),
			len(plain))
	}
	if none, read, err := chosen(t, files, record.Options{IDs: []uint32{}}, uftrace.WithPath(path)); len(none) != 1 ||
		read > 8<<10 || err != nil {
		t.Errorf("of nothing %d lines, %d bytes: %v", len(none), read, err)
	}
}

// TestIndexIsNotBelieved: an index of an earlier state of the recording, or of other symbols, is
// not used. The recording reports this.
func TestIndexIsNotBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.data")
	files, leaf := rare(t, path)
	o := record.Options{IDs: []uint32{leaf.ID(uftrace.Enter)}}
	good, err := os.ReadFile(index.Name(path))
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, data []byte, at int64) fstest.MapFS {
		other := maps.Clone(files)
		other[name] = &fstest.MapFile{Data: data, ModTime: time.Unix(at, 0)}
		return other
	}
	check := func(what string, files fstest.MapFS, is error, opts ...uftrace.Option) {
		t.Helper()
		want, all, _ := chosen(t, files, o, opts...)
		got, some, err := chosen(t, files, o, append(opts, uftrace.WithPath(path))...)
		if !errors.Is(err, is) || err != nil && !strings.Contains(err.Error(), index.Suffix) ||
			(some < all) != (is == nil) {
			t.Errorf("%s: %v, want %v; %d bytes of %d are read", what, err, is, some, all)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: other records (-plain +index):\n%s", what, d)
		}
	}
	check("as it was made", files, nil)
	check("one thread", files, nil, uftrace.WithTIDs(2))
	data := files["1.dat"].Data
	check("longer", put("1.dat", slices.Concat(data, data[:16]), 5), index.ErrStale)
	other := bytes.Clone(data)
	other[len(other)-16] ^= 1
	check("another byte", put("1.dat", other, 5), index.ErrStale)
	check("later", put("1.dat", data, 6), index.ErrStale)
	check("another symbol", put("spin.sym", bytes.Replace(files["spin.sym"].Data, []byte("1100 T mid"),
		[]byte("1180 T mid"), 1), 0), index.ErrStale)
	check("another map", put("sid-0123456789abcdef.map",
		bytes.Replace(files["sid-0123456789abcdef.map"].Data, []byte("555500000000-"), []byte("555500000400-"), 1), 0),
		index.ErrStale)
	check("another session", put("task.txt", bytes.Replace(files["task.txt"].Data, []byte("timestamp=1.0"),
		[]byte("timestamp=1.1"), 1), 0), index.ErrStale)
	check("other arguments", put("info", bytes.Replace(files["info"].Data, []byte("mid@arg1/i32"),
		[]byte("mid@arg1/i64"), 1), 0), index.ErrStale)
	symbols := t.TempDir()
	if err := os.WriteFile(filepath.Join(symbols, "spin.sym"),
		bytes.Replace(files["spin.sym"].Data, []byte("top"), []byte("tip"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	check("other symbols", files, index.ErrStale, uftrace.WithSymbols(symbols))
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(index.Name(path), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write([]byte("something else"))
	check("no index", files, index.ErrFormat)
	write(append(slices.Clone(good[:len(good)-9]), 1, 2, 3))
	check("cut", files, index.ErrCorrupt)
	write(good)
	check("as it was made, again", files, nil)
}

// TestHostileIndex: a wrong index may hide records, but has no other effect. Reading ends, and no
// record is read twice.
func TestHostileIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.data")
	files := synthetic(2, 2000, true)
	is := writeIndex(t, files, path).Identity
	rapid.Check(t, func(t *rapid.T) {
		b := index.NewBuilder(nil)
		for _, name := range []string{"1.dat", "2.dat", "none"} {
			b.Stream(name)
			at := int64(0)
			for range rapid.IntRange(0, 20).Draw(t, "parts") {
				p := index.Part{At: at, Bytes: rapid.OneOf(rapid.Int64Range(0, 5000),
					rapid.Int64Range(0, 1<<63-1)).Draw(t, "bytes"), First: rapid.Uint64().Draw(t, "first")}
				p.Last = max(p.First, rapid.Uint64().Draw(t, "last"))
				b.Add(p, index.Kinds{5})
				if at += rapid.OneOf(rapid.SampledFrom([]int64{8, 16, 24, 16 * 256}),
					rapid.Int64Range(1, 1<<40)).Draw(t, "step"); rapid.Bool().Draw(t, "follows") && p.Bytes > 0 &&
					p.Bytes < 1<<40 {
					at = p.At + p.Bytes
				}
			}
		}
		x, err := b.Index()
		if err != nil {
			t.Fatal(err)
		}
		x.Identity = is
		file, err := x.AppendBinary(nil)
		if err == nil {
			err = os.WriteFile(index.Name(path), file, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		o := record.Options{IDs: []uint32{1 << 31, 1<<31 + 1, uftrace.NoSymbol},
			Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		if n := len(readSlices(t, files, o, rapid.Bool().Draw(t, "streams"), 1000, nil, uftrace.WithParts(16),
			uftrace.WithPath(path))); n > 10_000 {
			t.Fatalf("%d lines", n)
		}
	})
}
