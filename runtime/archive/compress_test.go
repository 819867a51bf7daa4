package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// packCompress packs data like compress. settings is the third byte. The table is cleared after
// every clearAfter bytes; 0 means never.
func packCompress(plain []byte, settings byte, clearAfter int) []byte {
	out := []byte{0x1f, 0x9d, settings}
	most, block := int(settings&0x1f), settings&0x80 != 0
	var bits, held uint64
	width, codes := 9, 0
	put := func(code int) {
		bits |= uint64(code) << held
		for held += uint64(width); held >= 8; held -= 8 {
			out, bits = append(out, byte(bits)), bits>>8
		}
		codes++
	}
	to := func(w int) {
		for codes%8 != 0 {
			put(0)
		}
		width, codes = w, 0
	}
	table, next := map[[2]int]int{}, 256
	if block {
		next = 257
	}
	prefix := -1
	entries, first := next, true // of the reader
	widen := func() {
		if entries >= 1<<width && width < max(most, 10) {
			to(width + 1)
		}
	}
	emit := func(code int) {
		widen()
		put(code)
		if !first && entries < 1<<most {
			entries++
		}
		first = false
	}
	for i, b := range plain {
		if block && clearAfter > 0 && i > 0 && i%clearAfter == 0 {
			emit(prefix)
			widen()
			put(256)
			to(9)
			clear(table)
			next, entries, prefix, first = 257, 257, -1, true
		}
		if prefix < 0 {
			prefix = int(b)
			continue
		}
		if code, ok := table[[2]int{prefix, int(b)}]; ok {
			prefix = code
			continue
		}
		emit(prefix)
		if next < 1<<most {
			table[[2]int{prefix, int(b)}] = next
			next++
		}
		prefix = int(b)
	}
	if prefix >= 0 {
		emit(prefix)
	}
	if held > 0 {
		out = append(out, byte(bits))
	}
	return out
}

// TestCompress covers all widths, with and without cleared tables. gzip, which also reads the
// format, verifies the packed data.
func TestCompress(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := [][]byte{nil, []byte("a"), bytes.Repeat([]byte("ab"), 40000), sample()}
	long := make([]byte, 300_000)
	for i := range long {
		long[i] = byte(rng.IntN(5) * rng.IntN(9))
	}
	texts = append(texts, long)
	for most := byte(9); most <= 16; most++ {
		for _, block := range []byte{0, blockMode} {
			for _, after := range []int{0, 7001} {
				for i, plain := range texts {
					packed := packCompress(plain, block|most, after)
					got, err := unpack(packed)
					if err != nil || !bytes.Equal(got, plain) {
						t.Fatalf("%d bits, block %x, emptied after %d, text %d: %d of %d bytes, %v", most, block, after,
							i, len(got), len(plain), err)
					}
					if i < 2 || !needs.LongProofs(t) && i > 3 {
						continue
					}
					if theirs, ok := run(t, packed, "gzip", "-dc"); !ok || !bytes.Equal(theirs, plain) {
						t.Fatalf("%d bits, block %x, emptied after %d, text %d: gzip reads %d of %d bytes", most, block,
							after, i, len(theirs), len(plain))
					}
				}
			}
		}
	}
}

// TestDamagedCompress checks that data before damage are unpacked, and that no input has a worse
// result than an error.
func TestDamagedCompress(t *testing.T) {
	plain := sample()
	packed := packCompress(plain, blockMode|12, 9000)
	for n := range 200 {
		cut := packed[:3+n*(len(packed)-3)/200]
		ours, err := unpack(cut)
		if !bytes.HasPrefix(plain, ours) || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %d, %v", len(cut), len(packed), len(ours), err)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		bad := bytes.Clone(packed)
		at := 3 + rng.IntN(len(bad)-3)
		bad[at] ^= byte(1 + rng.IntN(255))
		ours, _ := unpack(bad)
		theirs, _ := unpack(bad[:at])
		if !bytes.HasPrefix(ours, theirs[:max(0, len(theirs)-1)]) {
			t.Errorf("byte %d: what is before is not right", at)
		}
	}
	for _, head := range []string{"\x1f\x9d", "\x1f\x9d\x88", "\x1f\x9d\x91", "\x1f\x9d\x90\xff\xff\xff"} {
		if got, err := unpack([]byte(head)); err == nil {
			t.Errorf("%q: %d bytes and no error", head, len(got))
		}
	}
	if _, err := unpack([]byte("\x1f\x9d\x91")); fmt.Sprint(err) != "compress: codes of 17 bits" {
		t.Error(err)
	}
}

// TestCompressFlags: a header with unknown flags is an error after the data. gzip unpacks them with
// a warning.
func TestCompressFlags(t *testing.T) {
	plain := sample()
	packed := packCompress(plain, blockMode|12, 0)
	for _, flags := range []byte{0x20, 0x40, 0x60} {
		packed[2] = blockMode | 12 | flags
		got, err := unpack(packed)
		if want := fmt.Sprintf("compress: unpacked in spite of unknown flags 0x%x in the header",
			flags); !bytes.Equal(got, plain) || fmt.Sprint(err) != want {
			t.Errorf("flags %x: %d of %d bytes, %v", flags, len(got), len(plain), err)
		}
	}
}

// TestCompressProgram reads files of the program itself. With codes of 9 bits, the program cannot
// read its own files.
func TestCompressProgram(t *testing.T) {
	for most := 10; most <= 16; most++ {
		for _, plain := range [][]byte{sample(), bytes.Repeat(sample(), 10), []byte("a")} {
			packed, _ := run(t, plain, "compress", "-c", "-f", "-b", fmt.Sprint(most))
			if got, err := unpack(packed); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%d bits: %d of %d bytes, %v", most, len(got), len(plain), err)
			}
		}
	}
}
