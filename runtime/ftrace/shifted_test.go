package ftrace_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// shift removes n bytes at a place, or adds -n bytes.
func shift(b []byte, at, n int) []byte {
	if n < 0 {
		return slices.Insert(bytes.Clone(b), at, bytes.Repeat([]byte{0xa5}, -n)...)
	}
	return slices.Delete(bytes.Clone(b), at, at+n)
}

// TestShiftedMetadata removes and adds bytes in the metadata of every container, which moves
// everything after them. All events of all CPUs must still be found, and damage must report the
// wrong parts.
func TestShiftedMetadata(t *testing.T) {
	for _, v := range variants() {
		if v.Big == (v.Word == 8) { // two of the four machines
			continue
		}
		t.Run(variantName(&v), func(t *testing.T) {
			t.Parallel()
			f := fill(v)
			b := f.Bytes()
			want, _ := survive(t, b)
			begin := bytes.Index(b, []byte("name: kernel_stack"))
			end := bytes.Index(b, []byte("options  \x00"))
			if v.Version == 7 {
				end = firstOptions(t, b)
			}
			if begin < 0 || v.Compression != "" && !v.PlainMeta {
				begin = headersEnd(t, b)
			}
			for at := begin; at < end-64; at += 29 * needs.Cases(t, 5, 1) {
				for _, n := range []int{1, 4, 13, -1, -8, -100, -300} {
					got, rec := survive(t, shift(b, at, min(n, end-64-at)))
					if got != want || rec == nil || rec.DamageStats().Count == 0 {
						t.Errorf("%d bytes fewer at %d of %d to %d: %d of %d records, opened: %v", n, at, begin, end,
							got, want, rec != nil)
						return
					}
				}
			}
		})
	}
}

// firstOptions returns the offset of the first section of options.
func firstOptions(t *testing.T, b []byte) int {
	list, err := openBytes(t, b).Sections()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.ID == ftrace.OptionDone {
			return int(s.Offset)
		}
	}
	t.Fatal("no options")
	return 0
}

// headersEnd returns the offset of the section after the headers.
func headersEnd(t *testing.T, b []byte) int {
	list, err := openBytes(t, b).Sections()
	if err != nil {
		t.Fatal(err)
	}
	return int(list[1].Offset)
}

// TestShiftedData removes and adds bytes in the data of one CPU. The data of all other CPUs must
// still be found.
func TestShiftedData(t *testing.T) {
	for _, v := range variants() {
		t.Run(variantName(&v), func(t *testing.T) {
			t.Parallel()
			f := fill(v)
			f.Buffers = f.Buffers[:1]
			b := f.Bytes()
			rec := openBytes(t, b)
			first := rec.Buffers()[0].CPUs[0]
			want := len(f.Buffers[0].CPUs[2].Pages) / 256 * 2
			for at := int(first.Offset) + 40; at < int(first.Offset+first.Size)-300; at += 111 * needs.Cases(t, 4, 1) {
				for _, n := range []int{1, 4, 13, -1, -8, -100} {
					rec := openBytes(t, shift(b, at, n))
					if got := last(t, rec); got != want || rec.DamageStats().Count == 0 {
						t.Fatalf("%d bytes fewer at %d: %d of %d records of the last CPU, %d times damage", n, at, got,
							want, rec.DamageStats().Count)
					}
				}
			}
		})
	}
}

// last reads all CPUs of the top buffer and counts the records of the last one.
func last(t *testing.T, rec *ftrace.Recording) (n int) {
	for _, s := range rec.Buffers()[0].Streams(ftrace.StreamOptions{}) {
		n = len(walk(t, []record.Stream[record.None]{s}))
	}
	return n
}

// TestWrongOffsets checks that the sections of a version 7 file are found if its offsets are wrong.
func TestWrongOffsets(t *testing.T) {
	for _, v := range variants() {
		if v.Version == 6 {
			continue
		}
		f := fill(v)
		b := f.Bytes()
		want, _ := survive(t, b)
		at := bytes.Index(b, []byte("1.0\x00")) + 4
		for _, first := range []uint64{0, 1, 100, uint64(len(b)) - 3, 1 << 40, 1 << 63} {
			c := bytes.Clone(b)
			f.Order().AppendUint64(c[at:at], first)
			if got, rec := survive(t, c); got != want || rec == nil || rec.DamageStats().Count == 0 {
				t.Errorf("%s, first options at %d: %d of %d records", variantName(&v), first, got, want)
			}
		}
	}
}
