package ftrace

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// TestUnpackInAnyRoom checks that the unpacked chunk, and the error for a chunk of the wrong size,
// do not depend on the size of the buffer. The size differs with the number of workers.
func TestUnpackInAnyRoom(t *testing.T) {
	data := bytes.Repeat([]byte("a page of events "), 100)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var deflated bytes.Buffer
	w := zlib.NewWriter(&deflated)
	w.Write(data)
	w.Close()
	for name, packed := range map[string][]byte{"zstd": z.EncodeAll(data, nil), "zlib": deflated.Bytes()} {
		c, err := newCodec(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, plain := range []int{0, 1, len(data) - 1, len(data), len(data) + 1, 2 * len(data)} {
			said := map[string]bool{}
			for _, room := range []int{0, plain, plain + 1, len(data), 10 * len(data), 1 << 20} {
				out, err := c.unpack(make([]byte, 0, room), packed, plain)
				if err == nil {
					said["no error"] = true
					if plain != len(data) || !bytes.Equal(out, data) {
						t.Errorf("%s: %d bytes in place of %d in a room of %d", name, len(out), plain, room)
					}
					continue
				}
				said[err.Error()] = true
			}
			if len(said) != 1 || said["no error"] != (plain == len(data)) {
				t.Errorf("%s, %d bytes in place of %d: %v", name, len(data), plain, said)
			}
		}
	}
}
