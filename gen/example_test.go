package gen_test

import (
	"fmt"
	"strings"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
)

func ExampleGenerate() {
	format := `name: tick
ID: 300
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:u32 count;	offset:8;	size:4;	signed:0;
	field:s64 delta_ns;	offset:16;	size:8;	signed:1;

print fmt: "count=%u delta=%lld", REC->count, REC->delta_ns
`
	formats := []ftrace.Source{{System: "demo", Name: "demo/tick/format", Text: []byte(format)}}
	unit, _ := ftrace.Compile("demo", formats, ir.Target{WordSize: 8})
	files, err := gen.Generate(unit, gen.Options{Package: "demo", Text: true, Version: "v0.1.0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	code := string(files[0].Content)
	from := strings.Index(code, "// Tick")
	fmt.Println(code[from : from+strings.Index(code[from:], "}")+1])
	// Output:
	// demo.go
	// demo_purego.go
	// demo_text.go
	// demo_unsafe.go
	// // Tick is demo:tick.
	// type Tick struct {
	// 	Common
	// 	Count   uint32 // u32
	// 	_       [4]byte
	// 	DeltaNs int64 // s64
	// }
}
