package render_test

import (
	"fmt"

	"github.com/tracec/tracec/runtime/render"
)

// The functions append. So a line is built in one buffer, which is reused for the next line.
func Example() {
	states := render.Table{{Value: 1, Text: "S"}, {Value: 2, Text: "D"}}
	comm := []byte("kworker/0:1\x00\x00\x00\x00\x00")
	var line []byte
	for state := range uint64(3) {
		line = append(line[:0], "prev_comm="...)
		line = append(line, render.CString(comm)...)
		line = append(line, " prev_pid="...)
		line = render.Dec(line, 1234)
		line = append(line, " prev_state="...)
		line = render.Symbolic(line, nil, state, states)
		fmt.Printf("%s\n", line)
	}
	// Output:
	// prev_comm=kworker/0:1 prev_pid=1234 prev_state=0x0
	// prev_comm=kworker/0:1 prev_pid=1234 prev_state=S
	// prev_comm=kworker/0:1 prev_pid=1234 prev_state=D
}

// A text is appended first and then cut and padded, as %-16.15s does.
func ExamplePad() {
	line := []byte("comm=")
	start := len(line)
	line = append(line, "bash"...)
	line = render.Pad(line, start, render.Spec{Verb: 's', Minus: true, Width: 8, Prec: 15})
	fmt.Printf("%s|\n", line)
	// Output: comm=bash    |
}

// kallsyms finds addresses in a table of one function.
type kallsyms struct{}

func (kallsyms) Symbol(addr uint64) (string, uint64, bool) {
	const start, end = 0xffffffff81000000, 0xffffffff81000040
	return "schedule", addr - start, addr >= start && addr < end
}

func ExampleSymbolOffset() {
	env := &render.Env{WordSize: 8, Symbols: kallsyms{}}
	fmt.Printf("%s\n", render.SymbolOffset(nil, env, 0xffffffff81000012))
	fmt.Printf("%s\n", render.SymbolOffset(nil, env, 0x1234))
	// Output:
	// schedule+0x12
	// 0x1234
}
