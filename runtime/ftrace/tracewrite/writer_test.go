package tracewrite_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
	"github.com/tracec/tracec/runtime/record"
)

const (
	headerPage = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" +
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n"
	headerEvent = "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n" +
		"\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n\tdata max type_len  == 28\n"
)

func header(o tracewrite.ByteOrder, version int, compression string) tracewrite.Header {
	return tracewrite.Header{
		Version: version, Compression: compression, ByteOrder: o, LongSize: 8, PageSize: 4096, CPUs: 3,
		HeaderInfo:   tracewrite.EncodeHeaders(o, headerPage, headerEvent),
		FtraceEvents: tracewrite.EncodeFormats(o, []string{strings.Replace(format, "ID: 7", "ID: 5", 1)}),
		EventFormats: tracewrite.EncodeSystems(o, []tracewrite.System{{Name: "test", Formats: []string{format}}}),
		Kallsyms:     tracewrite.EncodeText(o, "ffffffff81000000 T alpha\n"),
		Printk:       tracewrite.EncodeText(o, "0xffffffff82000000 : \"hello\"\n"),
		Cmdlines:     tracewrite.EncodeCmdlines(o, "7 seven\n"),
		Buffers: []tracewrite.Buffer{{Clock: "local"}, {Name: "first", Clock: "mono"},
			{Name: "empty", Clock: "mono"}},
	}
}

// fill writes 40 pages of one record each for CPUs 0 and 2 of the first two buffers.
func fill(t *testing.T, w *tracewrite.Writer, o tracewrite.ByteOrder) {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	check(w.Option(ftrace.OptionUname, []byte("Linux test\x00")))
	check(w.Option(ftrace.OptionTraceClock, []byte("[local] global\x00")))
	check(w.Option(ftrace.OptionCPUStat, []byte("CPU: 0\nentries: 40\n\x00")))
	for i := range 3 {
		check(w.Buffer(i))
		for _, cpu := range []int{0, 2} {
			check(w.CPU(cpu))
			if i == 2 {
				continue
			}
			p := tracewrite.NewPages(o, 8, 4096, w.Page)
			for n := range uint64(40) {
				data := o.AppendUint32(o.AppendUint16(nil, 7), 0)
				data = o.AppendUint16(data, uint16(cpu))
				check(p.Add(1000*n+uint64(i), 0, data))
				check(p.Flush())
			}
		}
	}
}

// read returns the contents of a file, record by record.
func read(t *testing.T, path string) (*ftrace.Recording, []string) {
	t.Helper()
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	var list []string
	for _, b := range rec.Buffers() {
		m := record.Merge(b.Streams(ftrace.StreamOptions{}), nil)
		for r := range m.All() {
			list = append(list, b.Name+" "+string(rune('0'+r.CPU))+" "+string(r.Data)+" "+
				string(binary.BigEndian.AppendUint64(nil, r.Time))+string(rune(r.Lost+1)))
		}
		if err := m.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if d := rec.Damage(); len(d) > 0 {
		t.Fatal(d[0])
	}
	return rec, list
}

// TestWriter checks that every version and compression gives the same contents.
func TestWriter(t *testing.T) {
	var want []string
	for _, o := range []tracewrite.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		want = nil
		for _, form := range []struct {
			version     int
			compression string
		}{{6, ""}, {7, "none"}, {7, "zstd"}, {7, "zlib"}} {
			path := filepath.Join(t.TempDir(), "x.dat")
			w, err := tracewrite.Create(path, header(o, form.version, form.compression))
			if err != nil {
				t.Fatal(err)
			}
			fill(t, w, o)
			if _, err := os.Stat(path); err == nil {
				t.Error("the file is there before it is complete")
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w.Abort()
			rec, got := read(t, path)
			if want == nil {
				want = got
			}
			if len(got) != 160 || !cmp.Equal(want, got) {
				t.Errorf("%v, %v: %d records", o, form, len(got))
			}
			info := rec.Info()
			if info.Uname != "Linux test" || info.CPUs != 3 || len(info.CPUStats) != 1 || len(rec.Buffers()) != 3 ||
				rec.Buffers()[1].Clock != "mono" ||
				rec.Comm(7) != "seven" || rec.Kallsyms() == "" || rec.PrintkFormats() == "" || len(rec.Formats()) != 2 {
				t.Errorf("%v, %v: %+v", o, form, info)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
				t.Error("left behind:", left)
			}
		}
	}
}

// TestHeader checks that contents the version does not support are an error before anything is
// written.
func TestHeader(t *testing.T) {
	for name, change := range map[string]func(*tracewrite.Header){
		"version 5":            func(h *tracewrite.Header) { h.Version = 5 },
		"compressed version 6": func(h *tracewrite.Header) { h.Compression = "zstd" },
		"unknown compression":  func(h *tracewrite.Header) { h.Version, h.Compression = 7, "lzma" },
		"BTF in version 6":     func(h *tracewrite.Header) { h.BTF = []byte{1} },
		"two page sizes":       func(h *tracewrite.Header) { h.Buffers[1].PageSize = 8192 },
		"no top buffer":        func(h *tracewrite.Header) { h.Buffers = h.Buffers[1:] },
		"two top buffers":      func(h *tracewrite.Header) { h.Buffers[1].Name = "" },
		"no order":             func(h *tracewrite.Header) { h.ByteOrder = nil },
		"odd long":             func(h *tracewrite.Header) { h.LongSize = 5 },
		"no page size":         func(h *tracewrite.Header) { h.PageSize = 0 },
		"CPUs":                 func(h *tracewrite.Header) { h.CPUs = 1 << 20 },
	} {
		h := header(binary.LittleEndian, 6, "")
		change(&h)
		dir := t.TempDir()
		if _, err := tracewrite.Create(filepath.Join(dir, "x.dat"), h); !errors.Is(err, tracewrite.ErrHeader) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

// TestOrder checks that calls out of order fail, and that Close leaves no file.
func TestOrder(t *testing.T) {
	for name, do := range map[string]func(*tracewrite.Writer) error{
		"page without CPU": func(w *tracewrite.Writer) error { w.Buffer(0); return w.Page(make([]byte, 4096)) },
		"short page": func(w *tracewrite.Writer) error {
			w.Buffer(0)
			w.CPU(0)
			return w.Page(make([]byte,
				100))
		}, "CPU without buffer": func(w *tracewrite.Writer) error { return w.CPU(0) },
		"CPU twice": func(w *tracewrite.Writer) error {
			w.Buffer(0)
			w.CPU(1)
			w.Page(make([]byte, 4096))
			w.CPU(0)
			return w.CPU(1)
		},
		"CPU beyond":      func(w *tracewrite.Writer) error { w.Buffer(0); return w.CPU(3) },
		"second buffer":   func(w *tracewrite.Writer) error { return w.Buffer(1) },
		"late option":     func(w *tracewrite.Writer) error { w.Buffer(0); return w.Option(5, nil) },
		"text":            func(w *tracewrite.Writer) error { w.Buffer(0); return w.Text(strings.NewReader("x")) },
		"missing buffers": func(w *tracewrite.Writer) error { w.Buffer(0); return w.Close() },
	} {
		dir := t.TempDir()
		w, err := tracewrite.Create(filepath.Join(dir, "x.dat"), header(binary.LittleEndian, 6, ""))
		if err != nil {
			t.Fatal(err)
		}
		first := do(w)
		if !errors.Is(first, tracewrite.ErrOrder) && !errors.Is(first, tracewrite.ErrHeader) {
			t.Errorf("%s: %v", name, first)
		}
		if err := w.Close(); err != first {
			t.Errorf("%s: Close: %v, before it %v", name, err, first)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

// TestText writes texts of latency tracers of any length.
func TestText(t *testing.T) {
	text := strings.Repeat("# tracer: wakeup\n", 9000)
	for _, form := range []struct {
		version     int
		compression string
	}{{6, ""}, {7, ""}, {7, "zstd"}} {
		h := header(binary.LittleEndian, form.version, form.compression)
		h.Buffers = []tracewrite.Buffer{{Clock: "local", Text: true}}
		path := filepath.Join(t.TempDir(), "x.dat")
		w, err := tracewrite.Create(path, h)
		if err != nil {
			t.Fatal(err)
		}
		w.Buffer(0)
		w.Text(strings.NewReader(text))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		rec, _ := read(t, path)
		got, err := io.ReadAll(rec.Buffers()[0].Text())
		if err != nil || !bytes.Equal(got, []byte(text)) {
			t.Errorf("%v: %d of %d bytes, %v", form, len(got), len(text), err)
		}
	}
}

// full is a file that fails after a number of bytes.
type full struct {
	bytes.Buffer
	left int
}

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, os.ErrClosed
	}
	return len(b), nil
}

func (f *full) Seek(int64, int) (int64, error) { return 0, nil }

// TestFull checks that Close returns the error of a failed write, wherever it happens.
func TestFull(t *testing.T) {
	for left := 0; left < 400_000; left += 7919 {
		o := binary.LittleEndian
		w, err := tracewrite.New(&full{left: left}, header(o, 7, ""))
		if err == nil {
			for i := range 3 {
				w.Buffer(i)
				w.CPU(0)
				for range 40 {
					w.Page(make([]byte, 4096))
				}
			}
			err = w.Close()
		}
		if !errors.Is(err, os.ErrClosed) {
			t.Fatalf("after %d bytes: %v", left, err)
		}
	}
}
