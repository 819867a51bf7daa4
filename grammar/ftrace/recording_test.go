package ftrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestRecordings parses the formats inside recordings: of kernels without an events tree in the
// collection, and of probes and synthetic events.
//
// It finds them without reading the container: each zstd frame has its length 8 bytes ahead of it,
// each format its length in the 8 bytes before `name: ` (ftrace.md 1.3).
func TestRecordings(t *testing.T) {
	for recording, atLeast := range map[string]int{
		"trixie-6.12-amd64/all-events.dat":        2000,
		"trixie-6.12-arm64-16k/all-events.dat":    1900,
		"trixie-6.12-ppc64el-64k/all-events.dat":  1900,
		"bookworm-6.1-s390x/probes-synthetic.dat": 15,
		"bookworm-6.1-amd64/probes-synthetic.dat": 15,
		"sid-amd64/probes-synthetic.dat":          15,
		"bookworm-6.1-s390x/file-version-6.dat":   15,
		"bookworm-6.1-amd64/file-version-6.dat":   15,
	} {
		t.Run(recording, func(t *testing.T) {
			if atLeast > 1000 {
				needs.Proofs(t)
			}
			src, err := os.ReadFile(needs.Shared(t, "ftrace/"+recording))
			if err != nil {
				t.Fatal(err)
			}
			files := map[string][]byte{}
			for i, text := range append(frames(t, src), src) {
				for j, f := range embeddedFormats(text) {
					files[fmt.Sprint(recording, ":", i, ":", j)] = f
				}
			}
			if len(files) < atLeast {
				t.Errorf("%d formats found, want %d", len(files), atLeast)
			}
			checkFormats(t, files)
		})
	}
}

// frames unpacks the zstd frames of a recording. Adjacent frames are one text.
func frames(t *testing.T, src []byte) [][]byte {
	t.Helper()
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer unpack.Close()
	var out [][]byte
	end := -1
	for at := 8; ; {
		i := bytes.Index(src[at:], []byte{0x28, 0xb5, 0x2f, 0xfd})
		if i < 0 {
			return out
		}
		at += i
		n := binary.LittleEndian.Uint32(src[at-8:])
		if uint64(n) > uint64(len(src)-at) {
			n = binary.BigEndian.Uint32(src[at-8:])
		}
		if uint64(n) > uint64(len(src)-at) {
			at++
			continue
		}
		text, err := unpack.DecodeAll(src[at:at+int(n)], nil)
		if err != nil {
			at++
			continue
		}
		if at-8 == end {
			out[len(out)-1] = append(out[len(out)-1], text...)
		} else {
			out = append(out, text)
		}
		at += int(n)
		end = at
	}
}

// embeddedFormats cuts the formats out of an unpacked section.
func embeddedFormats(text []byte) [][]byte {
	var out [][]byte
	for at := 8; at <= len(text); {
		i := bytes.Index(text[at:], []byte("name: "))
		if i < 0 {
			break
		}
		at += i
		n := binary.LittleEndian.Uint64(text[at-8:])
		if n > 1<<32 {
			n = binary.BigEndian.Uint64(text[at-8:])
		}
		if n > uint64(len(text)-at) || !bytes.Contains(text[at:at+int(n)], []byte("\nID: ")) {
			at++
			continue
		}
		out = append(out, text[at:at+int(n)])
		at += int(n)
	}
	return out
}
