package interp_test

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// An event without generated code is compiled when its first record comes.
func Example() {
	const format = `name: irq_handler_exit
ID: 42
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:int irq;	offset:8;	size:4;	signed:1;
	field:int ret;	offset:12;	size:4;	signed:1;

print fmt: "irq=%d ret=%s", REC->irq, REC->ret ? "handled" : "unhandled"
`
	target := ir.Target{WordSize: 8}
	ev, _ := ftrace.CompileEvent("irq", "format", []byte(format), target)
	p, err := interp.Compile(ev, target)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := interp.NewMachine(&render.Env{WordSize: 8})
	var line []byte
	for _, data := range []string{
		"\x2a\x00\x00\x00\x07\x00\x00\x00\x18\x00\x00\x00\x01\x00\x00\x00",
		"\x2a\x00\x00\x00\x07\x00\x00\x00\x01\x01\x00\x00\x00\x00\x00\x00",
		"\x2a\x00\x00\x00",
	} {
		line = m.AppendText(line[:0], p, []byte(data))
		fmt.Println(string(line))
	}
	// Output:
	// irq=24 ret=handled
	// irq=257 ret=unhandled
	// [short record: 4 of 16 bytes]
}

// A Reader returns the value of one field, for filters and raw output.
func ExampleReader() {
	pid := interp.NewReader(&ir.Field{Name: "pid", Offset: 4, Size: 4, Signed: true},
		ir.Target{BigEndian: true, WordSize: 8})
	fmt.Println(int64(pid.Uint([]byte("\x00\x2a\x00\x00\xff\xff\xff\xfe"))))
	// Output: -2
}
