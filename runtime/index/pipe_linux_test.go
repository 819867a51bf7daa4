package index_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/index"
)

// TestPipe checks that a pipe with the name of an index is rejected without waiting for a writer.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		needs.Skip(t, "need named pipes", err)
	}
	loaded := make(chan error, 1)
	go func() {
		_, err := index.Load(name, func() (index.Identity, error) { return index.Identity{}, nil }, 1<<20)
		loaded <- err
	}()
	select {
	case err := <-loaded:
		if !errors.Is(err, index.ErrCorrupt) {
			t.Errorf("%v, want %v", err, index.ErrCorrupt)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits for a writer")
	}
}
