package trcrpt

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
)

// TestLive writes a trace into a pipe, and waits for the line of each event before it writes the
// next one.
func TestLive(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		in, trace := io.Pipe()
		text, out := io.Pipe()
		done := make(chan error, 1)
		go func() {
			job := &report.Job{Job: sources.Job{Path: "-", Stdin: in, Warn: func(err error) { t.Error(err) }}, Out: out}
			err := Run(context.Background(), &Options{Inputs: []string{"-"}}, job)
			out.CloseWithError(err)
			done <- err
		}()
		lines := make(chan string, 200)
		go func() {
			b := make([]byte, 1<<16)
			for {
				n, err := text.Read(b)
				for range strings.Count(string(b[:n]), "\n") {
					lines <- ""
				}
				if err != nil {
					return
				}
			}
		}()
		w := aix.NewWriter(trace, aix.WriterOptions{Kernel64: kernel64})
		w.TID, w.Now = 0x3A5B, 1000
		write := func() {
			w.Now += 500
			w.TRCHKL1T(0x02000000, 7)
			if err := w.Flush(); err != nil {
				t.Error(err)
			}
		}
		w.Clock(aix.Clock{Mul: 1, Div: 1, Type: aix.ClockTimeBase})
		for range 100 { // recordings are recognized by at most a KiB
			write()
		}
		for range 2 + 100 { // the heading
			<-lines
		}
		for range 30 {
			write()
			<-lines
		}
		trace.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
