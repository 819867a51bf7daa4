package aix_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// A 64-bit system traces hooks of a 64-bit and a 32-bit program. They are read back in the form
// that templates expect.
func Example() {
	var trace bytes.Buffer
	w := aix.NewWriter(&trace, aix.WriterOptions{Kernel64: true})
	w.TID, w.Now = 0x1F0035, 0x1000
	w.Clock(aix.Clock{Mul: 125, Div: 64, Type: aix.ClockTimeBase})
	w.TRCHKL2T(0x01000007, 1, 2)
	w.App64, w.Now = false, 0x2000
	w.TRCHKL1T(0x01000007, 1)
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}

	rec, err := aix.OpenReader(&trace, "trace.raw")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	m := rec.Merge(record.Options{})
	for r, e := range m.All() {
		fmt.Printf("%04X %6d ns  %d-byte hook word  %X\n", r.ID, r.Time, e.Env().HeadSize(),
			r.Data[e.Env().HeadSize():])
	}
	if err := m.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 00A0   8000 ns  8-byte hook word  000000000000025C000000000000007D00000000000000400000000000000002
	// 0100   8000 ns  8-byte hook word  00000000000000010000000000000002
	// 0100  16000 ns  4-byte hook word  00000001
}
