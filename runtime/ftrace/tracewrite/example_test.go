package tracewrite_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
)

// A file with one event, written and read.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trace.dat")

	o := binary.LittleEndian
	w, err := tracewrite.Create(path, tracewrite.Header{
		Version: 7, Compression: "zstd", ByteOrder: o, LongSize: 8, PageSize: 4096, CPUs: 1,
		HeaderInfo:   tracewrite.EncodeHeaders(o, headerPage, headerEvent),
		FtraceEvents: tracewrite.EncodeFormats(o, nil),
		EventFormats: tracewrite.EncodeSystems(o, []tracewrite.System{{Name: "test", Formats: []string{format}}}),
		Kallsyms:     tracewrite.EncodeText(o, ""),
		Printk:       tracewrite.EncodeText(o, ""),
		Cmdlines:     tracewrite.EncodeCmdlines(o, "1 init\n"),
		Buffers:      []tracewrite.Buffer{{Clock: "local"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	w.Option(ftrace.OptionUname, []byte("Linux example\x00"))
	w.Buffer(0)
	w.CPU(0)
	pages := tracewrite.NewPages(o, 8, 4096, w.Page)
	pages.Add(1_500_000_000, 0, []byte{7, 0, 0, 0, 1, 0, 0, 0})
	pages.Flush()
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	rec, err := ftrace.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	m := rec.Merge(ftrace.StreamOptions{})
	for r := range m.All() {
		fmt.Println(r.Time, r.CPU, r.ID, rec.Comm(r.Task))
	}
	if err := m.Err(); err != nil {
		log.Fatal(err)
	}
	// Output: 1500000000 0 7 init
}
