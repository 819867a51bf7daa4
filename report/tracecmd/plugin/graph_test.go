package plugin

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
)

// TestReturnValue: kernels with CONFIG_FUNCTION_GRAPH_RETVAL record return values. trace-cmd 3.1.6
// does not support that. The form is from the kernel's own function_graph text.
func TestReturnValue(t *testing.T) {
	num := func(name string, at, size int) *ir.Field {
		return &ir.Field{Name: name, Kind: ir.Int, Offset: at, Size: size}
	}
	for _, tt := range []struct {
		word       int
		option     string
		leaf, exit string
	}{
		{8, "", "  0.001 us   |  10();", "  0.001 us   |  }"},
		{8, "retval-hex", "  0.001 us   |  10(); /* ret=0xfffffffffffffff4 */",
			"  0.001 us   |  } /* ret=0xfffffffffffffff4 */"},
		{8, "fgraph:retval-dec", "  0.001 us   |  10(); /* ret=-12 */", "  0.001 us   |  } /* ret=-12 */"},
		{4, "fgraph:retval-dec", "  0.001 us   |  10(); /* ret=-12 */", "  0.001 us   |  } /* ret=-12 */"},
		{4, "retval-hex=1", "  0.001 us   |  10(); /* ret=0xfffffff4 */", "  0.001 us   |  } /* ret=0xfffffff4 */"},
	} {
		t.Run(tt.option, func(t *testing.T) {
			w := tt.word
			entry := &ir.Event{Group: "ftrace", Name: "funcgraph_entry", ID: 11,
				Fields: []*ir.Field{num("func", 8, w), num("depth", 8+w, 4)}}
			exit := &ir.Event{Group: "ftrace", Name: "funcgraph_exit", ID: 10, Fields: []*ir.Field{
				num("func", 8, w), num("retval", 8+w, w), num("depth", 8+2*w, 4), num("overrun", 12+2*w, 4),
				num("calltime", 16+2*w, 8), num("rettime", 24+2*w, 8),
			}}
			call, ret := make([]byte, 12+w), make([]byte, 32+2*w)
			call[8], ret[8] = 16, 16
			copy(ret[8+w:8+2*w], binary.LittleEndian.AppendUint64(nil, 1<<64-12))
			ret[24+2*w] = 1
			next := &record.Record{ID: 10, Data: ret}
			var opts Options
			if tt.option != "" {
				if err := opts.Set(tt.option); err != nil {
					t.Fatal(err)
				}
			}
			c := &Context{
				Reference: true,
				Target:    ir.Target{WordSize: w}, Options: &opts,
				Event: func(uint32) *ir.Event { return exit },
				Peek:  func() *record.Record { return next },
			}
			if got := string(New(entry, c)(nil, &record.Record{ID: 11, Data: call})); got != tt.leaf {
				t.Errorf("leaf: got  %q\nwant %q", got, tt.leaf)
			}
			if got := string(New(exit, c)(nil, next)); got != tt.exit {
				t.Errorf("exit: got  %q\nwant %q", got, tt.exit)
			}
		})
	}
}
