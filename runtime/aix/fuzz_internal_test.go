package aix

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/record"
)

// walkResult is the result of one walk of a stream.
type walkResult struct {
	Records []record.Record
	Entries []Entry
	Data    [][]byte
	Raw     [][]byte
	Damage  []Damage
}

func walkAll(t *testing.T, b []byte, kind Kind, slowPathOnly bool) (w walkResult) {
	t.Helper()
	rec, err := OpenReaderAt(bytes.NewReader(b), int64(len(b)), "fuzz", WithKind(kind))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	s := rec.Streams(record.Options{})[0]
	s.slowPathOnly = slowPathOnly
	for steps := 0; ; steps++ {
		if steps > len(b)+1 {
			t.Fatal("the walk does not end")
		}
		batch, err := s.Next()
		if err != nil {
			break
		}
		for i, e := range batch.Entries {
			r := batch.Records[i]
			w.Data, w.Raw = append(w.Data, bytes.Clone(r.Data)), append(w.Raw, bytes.Clone(e.Raw))
			r.Data, e.Raw = nil, nil
			w.Records, w.Entries = append(w.Records, r), append(w.Entries, e)
		}
	}
	for _, d := range rec.Damage() {
		w.Damage = append(w.Damage, *d)
	}
	return w
}

// FuzzWalk walks any bytes as a stream, once with the fast loops and once without. Both must yield
// the same entries.
func FuzzWalk(f *testing.F) {
	for _, kernel64 := range []bool{false, true} {
		var b bytes.Buffer
		w := NewWriter(&b, WriterOptions{Kernel64: kernel64})
		for i := range uint64(12) {
			w.App64, w.TID, w.Now = i%3 != 0, 0x205+i%2, 1000+100*i
			w.TRCHKL1T(0x10600001, i)
			w.TRCHKL5T(0x50000005, 1, 2, 3, 4, i)
			w.TRCGENT(0x02000000, 1, []byte("/usr/bin/ksh\x00"))
			w.TRCHKL0(0x01000000)
		}
		w.Clock(Clock{125, 64, 2})
		if err := w.Flush(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), kernel64)
	}
	f.Fuzz(func(t *testing.T, b []byte, kernel64 bool) {
		kind := Stream32
		if kernel64 {
			kind = Stream64
		}
		fast, slow := walkAll(t, b, kind, false), walkAll(t, b, kind, true)
		if d := cmp.Diff(slow, fast, cmp.AllowUnexported(Entry{}),
			cmp.Comparer(func(x, y error) bool { return x == y })); d != "" {
			t.Fatalf("-slow +fast:\n%s", d)
		}
		end := int64(0)
		for i, e := range fast.Entries {
			if e.Offset < end || e.Offset+int64(len(fast.Raw[i])) > int64(len(b)) || len(fast.Raw[i]) < 8 {
				t.Fatalf("entry %d of %d bytes at %d behind %d", i, len(fast.Raw[i]), e.Offset, end)
			}
			end = e.Offset + int64(len(fast.Raw[i]))
		}
	})
}

// TestConverter compares the incremental conversion with the direct one.
func TestConverter(t *testing.T) {
	for _, c := range []Clock{{125, 64, 2}, {1, 1, 2}, {1000000000, 512000000, 2}, {3, 7, 2}, {1 << 63, 1 << 62, 2},
		{7, 1, 2}, {1, 1<<64 - 1, 2}, {5, 0, 2}, {125, 64, 1}, {1<<64 - 1, 3, 2}} {
		k := newConverter(c)
		x := uint64(12345)
		for i := range 20000 {
			x += uint64(i) * 0x9E3779B9 >> (i % 40)
			if i%1000 == 999 {
				x <<= 7
			}
			if i%777 == 776 {
				x -= 5000
			}
			if got, want := k.convert(x), c.NS(x); got != want {
				t.Fatalf("%+v: %d ticks are %d ns, not %d", c, x, got, want)
			}
		}
	}
	if ns := (Clock{125, 64, 2}).NS(0x1000); ns != 8000 { // the example of aix.md 2.8
		t.Errorf("%d ns", ns)
	}
}

// TestUnwrap follows stamps through wraps and damage.
func TestUnwrap(t *testing.T) {
	const p = 1 << 32
	for name, c := range map[string]struct {
		rule   Unwrap
		period uint64
		stamps []uint64
		want   []uint64
	}{
		"grows": {UnwrapSteady, p, []uint64{1, 2, 3}, []uint64{1, 2, 3}},
		"wraps": {UnwrapSteady, p, []uint64{p - 2, 5, 6, p - 1, 4},
			[]uint64{p - 2, p + 5, p + 6, 2*p - 1, 2*p + 4}},
		"real time":     {UnwrapSteady, 1e9, []uint64{999999999, 5}, []uint64{999999999, 1000000005}},
		"one too large": {UnwrapSteady, p, []uint64{100, 200, p / 2, 300, 400}, []uint64{100, 200, p / 2, 300, 400}},
		"one too small": {UnwrapSteady, p, []uint64{p / 2, p/2 + 1, 7, p/2 + 2},
			[]uint64{p / 2, p/2 + 1, p + 7, p/2 + 2}},
		"always": {UnwrapAlways, p, []uint64{100, 200, p / 2, 300, 400},
			[]uint64{100, 200, p / 2, p + 300, p + 400}},
		"never": {UnwrapNever, p, []uint64{p - 1, 5}, []uint64{p - 1, 5}},
	} {
		u := unwrapper{rule: c.rule, period: c.period}
		var got []uint64
		for _, s := range c.stamps {
			got = append(got, u.ticks(s, false))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	u := unwrapper{period: p} // a timer sync keeps a slow trace from losing a wrap
	for i, s := range []uint64{10, p / 100 * 85, 20} {
		if got, want := u.ticks(s, i == 1), []uint64{10, p / 100 * 85, p + 20}[i]; got != want {
			t.Errorf("sync %d: %d, want %d", i, got, want)
		}
	}
}

// TestParseAgrees compares the tables of the fast loops with parse, for all flags and types and for
// many lengths.
func TestParseAgrees(t *testing.T) {
	s := &Stream{past: history{form: form{is64: true, maxBuffer: MaxBuffer}}}
	s.past.sizes = s.past.form.sizes()
	var b [8]byte
	for bits := range uint64(1 << 16) {
		for _, rest := range []uint64{0x00000100, 0x00141234, 0x00280100, 0x00290100, 0x000600A0, 0x10000100,
			0x10010100, 0x00080000, 0x0008010F} {
			w := bits<<48 | rest<<16 | 5
			binary.BigEndian.PutUint64(b[:], w)
			h, ok := s.past.form.parse(b[:])
			want := 0
			if ok && h.id != 0 && h.id != idUtility && h.flags&Stamped != 0 && !h.extra && bits&flag64CPU == 0 {
				want = int(h.data)
			}
			if got := s.past.fastSize64(w); got != want {
				t.Fatalf("%016X: %d, want %d", w, got, want)
			}
		}
	}
	s.past.form.is64 = false
	for hi := range uint64(1 << 16) {
		for _, low := range []uint64{0, 5, 0x1000, 0x1001, 0xFFFF} {
			w := hi<<16 | low
			binary.BigEndian.PutUint32(b[:], uint32(w))
			h, ok := s.past.form.parse(b[:4])
			want := 0
			if ok && h.id != 0 && h.id != idUtility && h.id != idHook64 && h.flags&Stamped != 0 {
				want = int(h.data)
			}
			if got := s.past.fastSize32(uint32(w)); got != want {
				t.Fatalf("%08X: %d, want %d", w, got, want)
			}
		}
	}
}
