package ftrace_test

import (
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestBatchEndsWithItsBlock checks that records of a batch keep their data if the next pages in the
// block have no events or are invalid. Reading the next block would overwrite the data.
func TestBatchEndsWithItsBlock(t *testing.T) {
	m := tracefile.Machine{Word: 8}
	const size, pages = 4096, 320 // ten blocks
	gaps := map[string][]byte{
		"empty":  m.NewPage(size, 5000).Done(),
		"broken": append([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 7}, make([]byte, size-12)...),
	}
	for name, gap := range gaps {
		for _, compression := range []string{"", "zstd"} {
			t.Run(name+compression, func(t *testing.T) {
				var data [][]byte
				for i := range pages {
					if i%2 == 1 {
						data = append(data, gap)
						continue
					}
					data = append(data, m.NewPage(size, uint64(1000+i)).Event(0, m.Payload(301, 7, uint32(i))).Done())
				}
				f := oneCPU(m, size, data...)
				f.Compression = compression
				checkBatches(t, openBytes(t, f.Bytes()), pages/2)
			})
		}
	}
}

// checkBatches expects records whose data are their number, doubled, in time order.
func checkBatches(t *testing.T, rec *ftrace.Recording, want int) {
	t.Helper()
	n := 0
	for _, s := range rec.Buffers()[0].Streams(ftrace.StreamOptions{}) {
		for {
			batch, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range batch.Records {
				if got := binary.LittleEndian.Uint32(batch.Records[i].Data[8:]); int(got) != 2*n {
					t.Fatalf("record %d has the data of record %d", n, got/2)
				}
				n++
			}
		}
	}
	if n != want {
		t.Errorf("%d records, want %d", n, want)
	}
}
