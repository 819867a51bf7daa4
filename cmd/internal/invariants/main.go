// Command invariants checks properties of every correct recording, regardless of a tool's output.
// Times of a stream do not step back. The task that is switched out is the task that was switched
// in. Calls that return were entered. All ways to read count the same events.
//
//	go run ./cmd/internal/invariants FILE...
//
// It reads fields by name, through package tracec. So it shares no code with the texts that make
// compare checks.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tracec/tracec"
)

func main() {
	code := 0
	for _, name := range os.Args[1:] {
		found := newFindings()
		err := checkFile(name, found)
		if err != nil {
			fmt.Fprintf(os.Stderr, "invariants: %s: %v\n", name, err)
			code = 2
		}
		for _, f := range found.sorted() {
			fmt.Printf("%s: %v\n", name, f)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// checkFile opens a recording of any kind, which may be packed, and checks it.
func checkFile(name string, found *findings) error {
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		return err
	}
	defer rec.Close()
	return check(rec, found)
}
