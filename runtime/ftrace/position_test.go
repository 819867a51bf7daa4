package ftrace

import (
	"errors"
	"io"
	"testing"
)

// TestPosition checks that the position of a stream grows to the size of its data, packed or not.
func TestPosition(t *testing.T) {
	for _, name := range []string{"amd64-extract.dat", "sid-zlib.dat", "s390x-markers.dat"} {
		rec, err := Open("../../testdata/ftrace/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		for _, b := range rec.Buffers() {
			for i, s := range b.Streams(StreamOptions{}) {
				at := s.(interface{ Position() (done, total int64) })
				for last := int64(0); ; {
					_, err := s.Next()
					now, size := at.Position()
					if now < last || now > size || size != b.CPUs[i].Size {
						t.Fatalf("%s: from %d to %d of %d, which has %d", name, last, now, size, b.CPUs[i].Size)
					}
					last = now
					if errors.Is(err, io.EOF) {
						break
					}
				}
				if now, size := at.Position(); now != size {
					t.Errorf("%s: %d of %d at the end", name, now, size)
				}
			}
		}
	}
}
