// Package indextest writes indexes of recordings for tests.
package indextest

import (
	"bytes"
	"context"
	"os"

	"github.com/tracec/tracec/runtime/index"
)

// TB is a test, including tests of rapid.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Write writes the index of a recording to a file. It makes the index twice. The second time all
// damage is known, which must not change the index.
func Write(t TB, rec index.Source, name string) *index.Index {
	t.Helper()
	x, err := rec.Index(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, err := x.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := rec.Index(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := again.AppendBinary(nil); err != nil || !bytes.Equal(b, c) {
		t.Fatalf("another index the second time, of %d parts, not %d: %v", again.Parts(), x.Parts(), err)
	}
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return x
}
