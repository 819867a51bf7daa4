package plugin

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
)

// TestBlkTrace: recorded blk tracer records of 6.1 (struct blk_io_trace) and 7.2 (blk_io_trace2),
// and made-up records of the other forms. The texts follow kernel/trace/blktrace.c, since trace-cmd
// does not print them.
func TestBlkTrace(t *testing.T) {
	const bare = "0d00010199000000" + "0000000000000000"
	for _, tt := range []struct{ name, data, want string }{
		{"queue", "0d00010199000000" + "7263755f70726565" + "3c42040000000000" + "00040000" + "01001a10" + "99000000" +
			"3000e00f" + "00000000" + "00000000",
			"254,48   Q WSM 279100 + 2 [dd]"},
		{"plug", "0d00010199000000" + "03860a0095003400" + "0000000000000000" + "00000000" + "09001100" + "99000000" +
			"3000e00f" + "00000000" + "00000000",
			"254,48   P   N [dd]"},
		{"issue of 7.2", "0e00010098030000" + "290101027b030000" + "0248000000000000" + "00c00300" + "98030000" +
			"07004a0100000000" + "3000e00f" + "00000000" + "00000000" + strings.Repeat("00", 12),
			"254,48   D  WS 18434 + 480 [dd]"},
		{"unplug of 7.2", "0e00010098030000" + "7b03000018000a00" + "0000000000000000" + "00000000" + "98030000" +
			"0a00110000000000" + "3000e00f" + "00000000" + "00000800" + strings.Repeat("00", 12) + "0000000000000001",
			"254,48   U   N [dd] 1"},
		{"complete with error", bare + "0a00000000000000" + "00020000" + "08008200" + "99000000" + "01000008" +
			"00000000" + "fbff0000",
			"128,1    C   W 10 + 1 [65531]"},
		{"flush completed", bare + "0000000000000000" + "00000000" + "08008400" + "99000000" + "01000008" + "00000000" +
			"00000000",
			"128,1    C  FN 0 [0]"},
		{"split", bare + "0a00000000000000" + "00020000" + "0d000100" + "99000000" + "01000008" + "00000000" +
			"00000800" + "0000000000000020",
			"128,1    X   R 10 / 32 [dd]"},
		{"remap", bare + "0a00000000000000" + "00020000" + "0f000200" + "99000000" + "01000008" + "00000000" +
			"00001800" + "0fe00031" + "00000000" + "0000000000000100" + "0000000000000000",
			"128,1    A   W 10 + 1 <- (254,49) 256"},
		{"message", bare + "0000000000000000" + "00000000" + "02000004" + "99000000" + "01000008" + "00000000" +
			"00000500" + hex.EncodeToString([]byte("hello\x00\x00\x00")),
			"128,1    m   N hello"},
		{"command", bare + "0000000000000000" + "24000000" + "07004002" + "99000000" + "01000008" + "00000000" +
			"00000600" + "120000002400" + "0000",
			"128,1    D   R 36 (12 00 00 00 24 00) [dd]"},
		{"cgroup", bare + "0a00000000000000" + "00020000" + "01010100" + "99000000" + "01000008" + "00000000" +
			"00000800" + "2100000001000000",
			"128,1   21,1  Q   R 10 + 1 [dd]"},
		{"unknown", bare + "0000000000000000" + "00000000" + "77000000" + "99000000" + "01000008" + "00000000" +
			"00000000",
			"Unknown action 77"},
		{"short", bare, "[short record: 16 of 48 bytes]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data, err := hex.DecodeString(tt.data)
			if err != nil {
				t.Fatal(err)
			}
			c := blkContext()
			r := &record.Record{Data: data, ID: 13, Task: int32(binary.LittleEndian.Uint32(data[4:]))}
			ev := &ir.Event{Group: "ftrace", Name: BlkTrace, ID: 13}
			h, dst := New(ev, c), make([]byte, 0, 256)
			if got := string(h(nil, r)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if n := testing.AllocsPerRun(10, func() { dst = h(dst[:0], r) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
			for n := range data {
				r.Data = data[:n:n]
				h(nil, r)
			}
		})
	}
}

func blkContext() *Context {
	return &Context{Target: ir.Target{WordSize: 8}, Comm: func(int32) string { return "dd" }}
}
