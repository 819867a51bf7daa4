package lttng

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/runtime/record"
)

// traceFiles holds the files of a trace.
type traceFiles struct{ files fstest.MapFS }

func newMemory() *traceFiles { return &traceFiles{fstest.MapFS{}} }

type memoryFile struct {
	bytes.Buffer
	done func([]byte)
}

func (f *memoryFile) Close() error {
	f.done(f.Bytes())
	return nil
}

func (m *traceFiles) create(name string) (io.WriteCloser, error) {
	return &memoryFile{done: func(b []byte) { m.files[name] = &fstest.MapFile{Data: b} }}, nil
}

// put replaces a file in a copy of the files, so that other traces are unchanged.
func (m *traceFiles) put(name string, b []byte) *traceFiles {
	n := newMemory()
	for k, f := range m.files {
		n.files[k] = f
	}
	n.files[name] = &fstest.MapFile{Data: b}
	return n
}

// got is an event that was read.
type got struct {
	CPU     int
	Channel string // of the file
	Marker  string
	TSC     uint64
	Data    string
}

// read reads all events of a trace, file by file.
func read(t fataler, rec *Recording) []got {
	t.Helper()
	var out []got
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			for i, e := range batch.Entries {
				g := got{CPU: s.File().CPU, Channel: s.File().Channel, TSC: e.TSC, Data: string(batch.Records[i].Data)}
				if e.Marker != nil {
					g.Marker = e.Marker.Channel + "." + e.Marker.Name
				}
				if batch.Records[i].Time != s.File().Trace().Time(e.TSC) {
					t.Fatalf("time %d of time stamp %d, want %d", batch.Records[i].Time, e.TSC,
						s.File().Trace().Time(e.TSC))
				}
				out = append(out, g)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				var d *Damage
				if !errors.As(err, &d) {
					t.Fatalf("%s: %v, want io.EOF or *Damage", s.File().Path, err)
				}
				break
			}
		}
	}
	return out
}

// fataler is a test, or a draw of a property test.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func openMemory(t testing.TB, m *traceFiles, opts ...Option) *Recording {
	t.Helper()
	rec, err := OpenFS(m.files, "trace", opts...)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
