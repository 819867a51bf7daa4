package plugin

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/runtime/ftrace/btf"
)

// TestArgs: the words agree with kernel/trace/trace_output.c (print_function_args), and with
// trace-cmd 3.4 for the recording graph-args.
func TestArgs(t *testing.T) {
	const fd, buf, count, sgp = 0xffffff9c, 0x560448c7a1a0, 1, 0
	for _, tt := range []struct {
		name   string
		params []btf.Param
		words  []uint64
		want   string
	}{
		{"none", []btf.Param{}, []uint64{1, 2}, ""},
		{"kinds", []btf.Param{
			{Name: "dfd", Kind: btf.Int, Size: 4, Signed: true}, {Name: "buf", Kind: btf.Pointer},
			{Name: "count", Kind: btf.Int, Size: 8}, {Name: "sgp", Kind: btf.Enum, Size: 4},
		}, []uint64{fd, buf, count, sgp, 5}, "dfd=4294967196, buf=0x560448c7a1a0, count=0x1, sgp=0"},
		{"more than registers", []btf.Param{{Name: "a", Kind: btf.Pointer}, {Name: "b", Kind: btf.Pointer},
			{Name: "c", Kind: btf.Pointer}},
			[]uint64{1, 2}, "a=0x1, b=0x2, ..."},
		{"structure", []btf.Param{{Name: "s", Kind: btf.Struct, Size: 16}, {Name: "n", Kind: btf.Int, Size: 8}},
			[]uint64{1, 2, 3}, "s=(STRUCT)[0x1:0x2], n=0x3"},
		{"cut structure", []btf.Param{{Name: "s", Kind: btf.Struct, Size: 24}}, []uint64{1, 2},
			"s=(STRUCT)[0x1:0x2:...]"},
		{"unknown", nil, []uint64{1, 0xffff, 3}, "1, ffff, 3"},
	} {
		a := &funcArgs{at: 8, word: 8, params: map[string]params{"f": {list: tt.params, known: tt.params != nil}}}
		data := make([]byte, 8)
		for _, v := range tt.words {
			data = binary.LittleEndian.AppendUint64(data, v)
		}
		data = append(data, 9, 9, 9) // padding of a record
		if got := string(a.put(nil, data, "f")); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
