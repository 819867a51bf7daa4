package input_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/input"
)

// TestNotHeldBack: a pipe is open as soon as a magic number or the user has determined its kind.
func TestNotHeldBack(t *testing.T) {
	likely := func(p *input.Probe) bool { return bytes.HasPrefix(p.Head, []byte("likely")) }
	magic := func(p *input.Probe) bool { return bytes.HasPrefix(p.Head, []byte("MAGIC")) }
	begin := append([]byte("likely"), make([]byte, 94)...)
	for _, c := range []struct {
		name string
		come []byte
		kind input.Kind
		held bool
	}{
		{"magic number", []byte("MAGIC"), input.Kind{Detect: magic}, false},
		{"half of it", []byte("MAG"), input.Kind{Detect: magic}, true},
		{"of a kind that has some without", []byte("MAGIC"), input.Kind{Detect: likely, Guess: true, Sure: magic},
			false},
		{"likely", begin, input.Kind{Detect: likely, Guess: true}, true},
		{"likely and said", begin, input.Kind{Detect: likely, Guess: true, Said: true}, false},
		{"said, and not so", make([]byte, 100), input.Kind{Detect: likely, Guess: true, Said: true}, true},
		{"likely, and enough", append([]byte("likely"), make([]byte, 1018)...), input.Kind{Detect: likely, Guess: true},
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, w := io.Pipe()
			open := make(chan error, 1)
			go func() {
				in, err := input.Open(t.Context(), "-", r, 0, []input.Kind{c.kind}, nil)
				if err == nil {
					err = in.Close()
				}
				open <- err
			}()
			if _, err := w.Write(c.come); err != nil {
				t.Fatal(err)
			}
			if c.held {
				select {
				case <-open:
					t.Error("open before it is known")
				case <-time.After(20 * time.Millisecond):
				}
				w.Close()
			}
			select {
			case err := <-open:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(10 * time.Second):
				t.Error("held back")
			}
			w.Close()
		})
	}
}
