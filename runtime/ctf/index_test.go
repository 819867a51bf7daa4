package ctf_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/ctftest/repeat"
	"github.com/tracec/tracec/internal/testkit/indextest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

// sparse returns a trace of two streams, the second of which is in two files. Many packets have
// only their first event, which is of the first kind. Some report losses.
func sparse(r *rand.Rand, losses bool) fstest.MapFS {
	files := fstest.MapFS{"metadata": {Data: []byte(smallMetadata)}}
	lost := [2]uint64{}
	for i, name := range []string{"s0", "s1", "s1_1"} {
		stream := min(i, 1)
		var data []byte
		for n := range uint64(60) {
			if losses && r.IntN(10) == 0 {
				lost[stream] += uint64(r.IntN(3))
			}
			b := smallPacket(uint64(stream), n+uint64(max(0, i-1))*60, lost[stream])
			if r.IntN(3) > 0 {
				binary.LittleEndian.PutUint64(b[repeat.Content:], (headSize+10)*8)
			}
			data = append(data, b...)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return files
}

// spoiled returns a trace with some changed bytes. One of its files may be cut.
func spoiled(r *rand.Rand, files fstest.MapFS) fstest.MapFS {
	for range r.IntN(4) {
		files = change(files, []string{"s0", "s1", "s1_1"}[r.IntN(3)], func(b []byte) []byte {
			if r.IntN(6) == 0 {
				b = b[:r.IntN(len(b))]
			}
			for range r.IntN(4) {
				if len(b) > 0 {
					b[r.IntN(len(b))] = byte(r.Uint32())
				}
			}
			return b
		})
	}
	return files
}

// writeIndex writes the index of a trace to the file beside a path.
func writeIndex(t *testing.T, files fstest.MapFS, path string) *index.Index {
	t.Helper()
	rec, err := ctf.OpenFS(files, "trace", ctf.WithPath(path), ctf.WithIndex(""))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	return indextest.Write(t, rec, index.Name(path))
}

// inSlices returns the same results as read, from slices of size bytes.
func inSlices(
	t *testing.T, files fstest.MapFS, o record.Options, size int64, opts ...ctf.Option,
) (events, damage []string, rec *ctf.Recording) {
	t.Helper()
	rec, err := ctf.OpenFS(files, "trace", opts...)
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = 2
	err = record.InSlices(t.Context(), rec.Slices(o, size), 2,
		func(_ int, s record.Slice[ctf.Entry]) (lines []string, err error) {
			m := s.Merge()
			for r, e := range m.All() {
				lines = append(lines, line(r, e))
			}
			return lines, m.Err()
		}, func(lines []string) error { events = append(events, lines...); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range rec.Damage() {
		damage = append(damage, d.Error())
	}
	return events, damage, rec
}

// TestIndexChangesNothing: an index does not change the selected events, their losses or the
// damage, also in slices.
func TestIndexChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	listed := 0
	for seed := range uint64(needs.Cases(t, 30, 500)) {
		r := rand.New(rand.NewPCG(seed, 37))
		files := spoiled(r, sparse(r, true))
		listed += writeIndex(t, files, path).Parts()
		for range 4 {
			o := record.Options{IDs: []uint32{uint32(r.IntN(4))}}
			if r.IntN(3) == 0 {
				o.IDs = append(o.IDs, uint32(r.IntN(4)))
			}
			if r.IntN(3) == 0 {
				o.Since, o.Until = uint64(r.IntN(6e4)), 6e4+uint64(r.IntN(6e4))
			}
			want, damage, _ := read(t, files, o)
			got, bad, rec := read(t, files, o, ctf.WithPath(path))
			if d := cmp.Diff(want, got) + cmp.Diff(damage, bad); d != "" || rec.IndexErr() != nil {
				t.Fatalf("seed %d, %+v, %v (-plain +index):\n%.3000s", seed, o, rec.IndexErr(), d)
			}
			got, bad, _ = inSlices(t, files, o, 5000, ctf.WithPath(path))
			if d := cmp.Diff(want, got) + cmp.Diff(damage, bad); d != "" {
				t.Fatalf("seed %d, %+v, slices (-plain +index):\n%.3000s", seed, o, d)
			}
		}
	}
	if listed < needs.Cases(t, 30, 500)*100 {
		t.Errorf("only %d packets were listed", listed)
	}
}

// TestIndexPassesOver: packets without selected events are not read. Damage in them after the index
// was made is not noticed.
func TestIndexPassesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	files := sparse(rand.New(rand.NewPCG(1, 2)), false)
	x := writeIndex(t, files, path)
	o := record.Options{IDs: []uint32{1}}
	want, _, _ := read(t, files, o)
	wanted, count := x.Wanted(func(kind uint32) bool { return kind == 1 }), 0
	for s := range x.Streams {
		files = change(files, x.Streams[s].Name, func(b []byte) []byte {
			for p := range x.Streams[s].All() {
				if !wanted[p.Set] && p.At > 4096 && p.At < int64(len(b)-8192) { // not the pages that identity looks at
					b[p.At+headSize] = 0xfe
					count++
				}
			}
			return b
		})
	}
	got, damage, rec := read(t, files, o, ctf.WithPath(path))
	if d := cmp.Diff(want, got); d != "" || damage != nil || rec.IndexErr() != nil || count < 20 {
		t.Errorf("%d packets were spoiled, %v, %v:\n%s", count, damage, rec.IndexErr(), d)
	}
	if _, damage, _ := read(t, files, o); damage == nil {
		t.Error("nothing was spoiled")
	}
}

// TestIndexIsNotBelieved: an index of an earlier state of the trace, or of other metadata, is not
// used. The recording reports this.
func TestIndexIsNotBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	files := sparse(rand.New(rand.NewPCG(1, 2)), false)
	writeIndex(t, files, path)
	check := func(what string, files fstest.MapFS, is error) {
		t.Helper()
		o := record.Options{IDs: []uint32{1}}
		want, _, _ := read(t, files, o)
		got, _, rec := read(t, files, o, ctf.WithPath(path))
		if err := rec.IndexErr(); !errors.Is(err, is) || !slices.Equal(want, got) {
			t.Errorf("%s: %v, want %v; %d events, want %d", what, err, is, len(got), len(want))
		}
	}
	same := func(b []byte) []byte { return b }
	check("as it was made", files, nil)
	check("longer", change(files, "s0", func(b []byte) []byte { return append(b, b[:packetSize]...) }), index.ErrStale)
	check("another byte", change(files, "s1", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }), index.ErrStale)
	later := change(files, "s0", same)
	later["s0"].ModTime = time.Unix(7, 0)
	check("later", later, index.ErrStale)
	check("another name", change(files, "metadata", func(b []byte) []byte {
		return bytes.Replace(b, []byte("a:text"), []byte("a:next"), 1)
	}), index.ErrStale)
	if err := os.WriteFile(index.Name(path), []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	check("no index", files, index.ErrFormat)
	rec, err := ctf.OpenFS(files, "trace")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Index(t.Context()); !errors.Is(err, index.ErrNone) {
		t.Error(fmt.Sprint("a trace without a path: ", err))
	}
}
