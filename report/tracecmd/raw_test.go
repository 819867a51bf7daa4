package tracecmd

import (
	"testing"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

const commonFormat = `format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

`

// TestRawFields: trace_printk in binary form, as kernels before and after 4.x describe it, and
// arguments of functions. The output of trace-cmd 3.1.6 is from arm-bprint (ftrace-public), fmtzoo
// and func-args (ftrace).
func TestRawFields(t *testing.T) {
	for _, tt := range []struct{ name, format, reference, own string }{
		{"bprint of 32 bits", "name: bprint\nID: 6\n" + commonFormat +
			"\tfield:unsigned long ip;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:const char * fmt;\toffset:12;\tsize:4;\tsigned:0;\n" +
			"\tfield:u32 buf;\toffset:16;\tsize:0;\tsigned:0;\n\nprint fmt: \"%pf: %s\", (void *)REC->ip, REC->fmt\n",
			" ip=0xc044504c fmt=0xc089461c buf=0",
			" ip=0xc044504c fmt=0xc089461c buf=ARRAY[01, 00, 00, 00]"},
		{"bprint", "name: bprint\nID: 6\n" + commonFormat +
			"\tfield:unsigned long ip;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:const char * fmt;\toffset:12;\tsize:4;\tsigned:0;\n" +
			"\tfield:u32 buf[];\toffset:16;\tsize:0;\tsigned:0;\n\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n",
			" ip=0xc044504c fmt=0xc089461c buf=ARRAY[]",
			" ip=0xc044504c fmt=0xc089461c buf=ARRAY[01, 00, 00, 00]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, bad := ParseFormats([]compiler.Source{{System: "ftrace", Name: "bprint", Text: []byte(tt.format)}})
			if len(bad) > 0 {
				t.Fatal(bad)
			}
			in := &input{formats: formats{target: ir.Target{WordSize: 4}},
				values: values{env: &render.Env{WordSize: 4}}}
			in.values.machine = interp.NewMachine(in.values.env)
			ev, _ := compiler.CompileEvent("ftrace", "bprint", []byte(tt.format), in.formats.target)
			data := []byte{6, 0, 0, 0, 1, 0, 0, 0, 0x4c, 0x50, 0x44, 0xc0, 0x1c, 0x46, 0x89, 0xc0, 1, 0, 0, 0}
			for reference, want := range map[bool]string{true: tt.reference, false: tt.own} {
				got := string(newRaw(list[0], ev, in, V31, reference)(nil, &record.Record{Data: data}))
				if got != want {
					t.Errorf("reference %t: %q, want %q", reference, got, want)
				}
			}
		})
	}
}
