package index_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/index"
)

// listed is a part with its kinds.
type listed struct {
	index.Part
	kinds []uint32
}

func drawParts(t *rapid.T) (streams map[string][]listed, names []string) {
	streams = map[string][]listed{}
	for range rapid.IntRange(0, 4).Draw(t, "streams") {
		name := rapid.String().Draw(t, "name")
		if _, ok := streams[name]; ok {
			continue
		}
		names = append(names, name)
		at := int64(0)
		streams[name] = nil
		for i := range rapid.IntRange(0, 30).Draw(t, "parts") {
			if at += rapid.Int64Range(1, 1<<40).Draw(t, "step"); i == 0 {
				at--
			}
			first, last := rapid.Uint64().Draw(t, "first"), rapid.Uint64().Draw(t, "last")
			streams[name] = append(streams[name], listed{
				index.Part{At: at, Bytes: rapid.Int64Range(0, 1<<40).Draw(t, "bytes"), First: min(first, last),
					Last: max(first, last), Records: rapid.IntRange(0, math.MaxInt>>20).Draw(t, "records")},
				rapid.SliceOfN(rapid.Uint32Range(0, 40), 0, 6).Draw(t, "kinds"),
			})
		}
	}
	return streams, names
}

// TestRoundTrip checks that an index is read as it was written, and that sets have the kinds of
// their parts.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, names := drawParts(t)
		b := index.NewBuilder(nil)
		parts := 0
		for _, name := range names {
			b.Stream(name)
			for _, p := range streams[name] {
				b.Add(p.Part, slices.Clone(p.kinds))
				parts++
			}
		}
		x, err := b.Index()
		if err != nil {
			t.Fatal(err)
		}
		x.Size, x.Modified = rapid.Int64Range(0, 1<<50).Draw(t, "size"), time.Unix(0, rapid.Int64().Draw(t, "modified"))
		file, err := x.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := index.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		if y.Size != x.Size || !y.Modified.Equal(x.Modified) || y.Parts() != parts {
			t.Fatalf("%d bytes at %v, %d parts; want %d, %v, %d", y.Size, y.Modified, y.Parts(), x.Size, x.Modified,
				parts)
		}
		kind := rapid.Uint32Range(0, 40).Draw(t, "kind")
		wanted := y.Wanted(func(k uint32) bool { return k == kind })
		for _, name := range names {
			i := 0
			for p := range y.Find(name).All() {
				want := streams[name][i]
				if d := cmp.Diff(want.Part, p, cmpopts.IgnoreFields(index.Part{}, "Set")); d != "" {
					t.Fatalf("part %d (-want +got):\n%s", i, d)
				}
				if wanted[p.Set] != slices.Contains(want.kinds, kind) {
					t.Fatalf("part %d has %v: kind %d is %v", i, want.kinds, kind, wanted[p.Set])
				}
				i++
			}
			if i != len(streams[name]) {
				t.Fatalf("%d parts of %d", i, len(streams[name]))
			}
		}
	})
}

// FuzzParse checks that a parsed file is safe to use: offsets rise and sets exist.
func FuzzParse(f *testing.F) {
	b := index.NewBuilder(nil)
	b.Stream("4096")
	for i := range 10 {
		b.Add(index.Part{At: int64(i * 4096), First: uint64(i), Last: uint64(i + 3), Records: i},
			[]uint32{uint32(i), uint32(i * i)})
	}
	x, err := b.Index()
	if err != nil {
		f.Fatal(err)
	}
	file, err := x.AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		x, err := index.Parse(index.Sum(file))
		if err != nil {
			return
		}
		wanted := x.Wanted(func(k uint32) bool { return k%2 == 0 })
		for i := range x.Streams {
			at := int64(-1)
			for p := range x.Streams[i].All() {
				if p.At <= at || p.Set < 0 || p.Set >= len(wanted) || p.Records < 0 {
					t.Fatalf("%+v after %d, %d sets", p, at, len(wanted))
				}
				at = p.At
			}
		}
	})
}

// TestDamaged checks that an index with any byte changed is rejected.
func TestDamaged(t *testing.T) {
	b := index.NewBuilder(nil)
	b.Stream("a")
	b.Add(index.Part{At: 1, Last: 2, Records: 3}, []uint32{4})
	x, err := b.Index()
	if err != nil {
		t.Fatal(err)
	}
	file, err := x.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range file {
		bad := slices.Clone(file)
		bad[i] ^= byte(1 + r.IntN(255))
		if _, err := index.Parse(bad); err == nil {
			t.Errorf("byte %d is %#x in place of %#x", i, bad[i], file[i])
		}
		if _, err := index.Parse(file[:i]); err == nil {
			t.Errorf("%d bytes of %d are an index", i, len(file))
		}
	}
}

// TestLoad checks that directories and files larger than an index can be are not read, and that a
// missing index is not an error.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	rec := bytes.NewReader(make([]byte, 100))
	is, err := index.FileIdentity(rec, 100, time.Unix(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string, most int64) (*index.Index, error) {
		return index.Load(filepath.Join(dir, name), func() (index.Identity, error) { return is, nil }, most)
	}
	if x, err := load("none", 1<<20); x != nil || err != nil {
		t.Errorf("without a file: %v, %v", x, err)
	}
	x, err := index.NewBuilder(nil).Index()
	if err != nil {
		t.Fatal(err)
	}
	x.Identity = is
	file, _ := x.AppendBinary(nil)
	if err := os.WriteFile(filepath.Join(dir, "good"), file, 0o666); err != nil {
		t.Fatal(err)
	}
	if x, err := load("good", 1<<20); x == nil || err != nil {
		t.Errorf("%v, %v", x, err)
	}
	if _, err := load("good", 10); err == nil {
		t.Error("more than there may be is read")
	}
	if _, err := load(".", 1<<20); err == nil {
		t.Error("a directory is an index")
	}
	if is, err := index.FileIdentity(bytes.NewReader(append(make([]byte, 99), 1)), 100, time.Unix(1, 0)); err != nil ||
		x.Of(is) == nil {
		t.Error("other bytes are the same recording")
	}
}

// TestKinds checks that all kinds are collected, in little memory.
func TestKinds(t *testing.T) {
	var k index.Kinds
	for i := range 1_000_000 {
		k.Add(uint32(i * 7 % 5000))
	}
	if cap(k) > 40_000 {
		t.Errorf("room for %d kinds", cap(k))
	}
	slices.Sort(k)
	if k = slices.Compact(k); len(k) != 5000 || k[4999] != 4999 {
		t.Errorf("%d kinds", len(k))
	}
}

// TestLimits checks that an index larger than its reader accepts is an error, and so is one that
// needs more memory than the budget has.
func TestLimits(t *testing.T) {
	errFull := errors.New("full")
	for _, room := range []int64{0, 1000, 100_000, 1 << 30} {
		b := index.NewBuilder(func(n int64) error {
			if room -= n; room < 0 {
				return errFull
			}
			return nil
		})
		b.Stream("a")
		for i := range 1000 {
			var k index.Kinds
			for kind := range uint32(1000) {
				k.Add(kind * uint32(i+1))
			}
			b.Add(index.Part{At: int64(i) << 16, Bytes: 1 << 16}, k)
		}
		x, err := b.Index()
		if err != nil {
			if !errors.Is(err, errFull) || room >= 0 {
				t.Errorf("%d bytes are left: %v", room, err)
			}
			continue
		}
		if room < 0 {
			t.Error("more memory is used than there is")
		}
		if x.Size = 1 << 20; !errors.Is(appended(x), index.ErrLarge) {
			t.Errorf("of a small recording: %v", appended(x))
		}
		if x.Size = 1 << 40; appended(x) != nil {
			t.Errorf("of a large recording: %v", appended(x))
		}
	}
}

func appended(x *index.Index) error {
	_, err := x.AppendBinary(nil)
	return err
}
