package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// unpack returns the contents of a packed file and the final error.
func unpack(packed []byte) ([]byte, error) {
	p := PackingOf(packed)
	if p == nil {
		return nil, io.ErrUnexpectedEOF
	}
	r, err := p.Open(bytes.NewReader(packed), int64(len(packed)), 0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// run returns the output of a program, even if it fails.
func run(t *testing.T, input []byte, program string, args ...string) ([]byte, bool) {
	t.Helper()
	c := exec.Command(needs.Program(t, program, "apt-get install gzip xz-utils zstd ncompress"), args...)
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	return out, err == nil
}

// sample returns text that can be packed, noise and zeros.
func sample() []byte {
	var b bytes.Buffer
	for i := range 1500 {
		fmt.Fprintf(&b, "event %d at %x\n", i, i*i*7919)
	}
	noise := rand.NewChaCha8([32]byte{1})
	io.CopyN(&b, noise, 3000)
	b.Write(make([]byte, 30000))
	return b.Bytes()
}

// TestCuts cuts a packed file at any place. The output must be the same as from the program that
// packed it, and there must be an error. A decoder that looks ahead may return less, by at most the
// output of two bytes of input.
func TestCuts(t *testing.T) {
	plain := sample()
	for _, c := range []struct {
		program string
		args    []string
		twice   bool
	}{
		{"xz", nil, false},
		{"xz", []string{"--block-size=9000"}, false},
		{"xz", []string{"-9", "-C", "sha256"}, true},
		{"xz", []string{"-0", "-C", "none"}, false},
		{"xz", []string{"--delta=dist=4", "--lzma2"}, false},
		{"gzip", nil, false},
		{"gzip", []string{"-1"}, true},
		{"zstd", nil, false},
		{"zstd", []string{"-19"}, true},
		{"bzip2", nil, true},
	} {
		t.Run(fmt.Sprint(c.program, c.args), func(t *testing.T) {
			packed, _ := run(t, plain, c.program, append(c.args, "-c")...)
			want := plain
			if c.twice {
				packed, want = append(packed, packed...), append(bytes.Clone(plain), plain...)
			}
			if got, err := unpack(packed); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("whole: %d of %d bytes, %v", len(got), len(want), err)
			}
			step := max(1, len(packed)/25)
			for n := 8; n < len(packed); n += step {
				theirs, _ := run(t, packed[:n-2], c.program, "-dc")
				_, fine := run(t, packed[:n], c.program, "-dc")
				ours, err := unpack(packed[:n])
				if len(ours) < len(theirs) || !bytes.HasPrefix(want, ours) {
					t.Errorf("%d of %d: %d bytes, %s has %d", n, len(packed), len(ours), c.program, len(theirs))
				}
				if fine != (err == nil) {
					t.Errorf("%d of %d: %v, %s said it is fine: %v", n, len(packed), err, c.program, fine)
				}
			}
		})
	}
}

// TestFilters unpacks data packed with filters of xz.
func TestFilters(t *testing.T) {
	plain := sample()
	for _, filter := range []string{"--x86", "--arm", "--armthumb", "--powerpc", "--ia64", "--sparc",
		"--delta=dist=8"} {
		packed, _ := run(t, plain, "xz", "-c", filter, "--lzma2")
		if got, err := unpack(packed); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: %d of %d bytes, %v", filter, len(got), len(plain), err)
		}
	}
}

// TestDamage checks that the data before a changed byte are unpacked, at least as far as the
// program unpacks them.
func TestDamage(t *testing.T) {
	plain := sample()
	for _, program := range []string{"xz", "gzip", "zstd"} {
		packed, _ := run(t, plain, program, "-c")
		for at := 40; at < len(packed); at += len(packed) / 10 {
			bad := bytes.Clone(packed)
			bad[at] ^= 0x55
			theirs, _ := run(t, bad, program, "-dc")
			ours, err := unpack(bad)
			if n, want := common(ours, plain), common(theirs, plain); n < want || err == nil {
				t.Errorf("%s: byte %d of %d: the first %d bytes are right, theirs %d, %v", program, at, len(packed), n,
					want, err)
			}
		}
	}
}

// TestMemory checks that a file of a few bytes that requires a dictionary of 4 GiB is rejected
// without taking the memory.
func TestMemory(t *testing.T) {
	xz := []byte("\xfd7zXZ\x00\x00\x01\x69\x22\xde\x36" + // a stream whose blocks have a CRC32
		"\x02\x00\x21\x01\x28\x00\x00\x00\xe6\xa0\x11\xb3") // a block of LZMA2 with the largest dictionary
	for _, packed := range [][]byte{xz, []byte("\x28\xb5\x2f\xfd\x04\xa8\x01\x00\x00")} {
		got, err := unpack(packed)
		if !errors.Is(err, ErrMemory) || len(got) > 0 {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
}

// TestOneDictionary checks that data before an early end can be decoded two more times with the
// memory of one decoder.
func TestOneDictionary(t *testing.T) {
	const dictionary = 16 << 20
	packed, ok := run(t, sample(), "xz", "-c", "--lzma2=dict=16MiB")
	if !ok {
		t.Fatal("xz fails")
	}
	packed = packed[:len(packed)-40]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := PackingOf(packed)
	r, err := p.Open(bytes.NewReader(packed), int64(len(packed)), 2*dictionary)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	runtime.ReadMemStats(&after)
	if n == 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > dictionary*3/2 {
		t.Errorf("%d MiB for a dictionary of %d MiB", got>>20, dictionary>>20)
	}
}
