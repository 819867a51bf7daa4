package ftrace

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestFork checks that forked cursors read the contents of the file in any interleaving, integers
// and texts of any length.
func TestFork(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 5*cursorWindow)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	for range 200 {
		first := newCursor(&source{r: bytes.NewReader(data), size: int64(len(data))}, binary.LittleEndian,
			r.Int64N(cursorWindow))
		all := []*cursor{first}
		for range 200 {
			c := all[r.IntN(len(all))]
			at := c.off
			switch n := r.Int64N(2 * cursorFirst); r.IntN(20) {
			case 0:
				k := c.fork()
				all = append(all, &k)
			case 1:
				n = r.Int64N(3 * cursorWindow)
				fallthrough
			case 2, 3, 4, 5:
				if n > c.left() {
					continue
				}
				if got := c.text(n, "text"); got != string(data[at:at+n]) {
					t.Fatalf("another text of %d bytes at %d", n, at)
				}
			default:
				if c.left() < 4 {
					continue
				}
				if got := c.u32("number"); got != binary.LittleEndian.Uint32(data[at:]) {
					t.Fatalf("%#x at %d", got, at)
				}
			}
			if c.err != nil {
				t.Fatal(c.err)
			}
		}
	}
}
