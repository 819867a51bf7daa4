package ftrace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// Events of a pKVM hypervisor have a header of two bytes. The bytes at the place of the pid are not
// a pid.
func TestEventsWithoutTask(t *testing.T) {
	m := machines[0]
	f := oneCPU(m, 256, m.NewPage(256, stamp).Event(0, m.Payload(301, 7)).Event(1, m.Payload(500, 7)).Done())
	f.Systems = append([]tracefile.System{{Name: "hypervisor", Formats: []string{"name: hyp_enter\nID: 500\nformat:\n" +
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\tfield:u64 x;\toffset:2;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n"}}}, f.Systems...)
	got := walk(t, openBytes(t, f.Bytes()).Streams(ftrace.StreamOptions{}))
	if d := cmp.Diff([]event{{1000, 301, 7, 0, 8}, {1001, 500, -1, 0, 8}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Layouts come from the recording. This one has a common header and a page header that do not occur
// in current kernels.
func TestOtherLayouts(t *testing.T) {
	for _, m := range machines {
		word := func(p *tracefile.Page, v uint32) *tracefile.Page { return p.Word(v) }
		p := m.NewPage(256, stamp)
		// pid of 4 bytes at 0, type of 4 bytes at 8
		word(word(word(p.Head(3, 2), 77), 0), 301)
		f := oneCPU(m, 256, p.Done())
		f.Ftrace = nil
		f.Systems[0].Formats = []string{"name: one\nID: 301\nformat:\n" +
			"\tfield:int common_pid;\toffset:0;\tsize:4;\tsigned:1;\n" +
			"\tfield:unsigned int common_type;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n"}
		got := walk(t, openBytes(t, f.Bytes()).Streams(ftrace.StreamOptions{}))
		if d := cmp.Diff([]event{{1002, 301, 77, 0, 12}}, got); d != "" {
			t.Errorf("%+v (-want +got):\n%s", m, d)
		}
	}
}

// TRACECLOCK may be empty (kernel bugzilla 218430).
func TestEmptyClock(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 6})
	for i := range f.Buffers {
		f.Buffers[i].Clock = ""
	}
	f.Options = []tracefile.Option{{ID: ftrace.OptionTraceClock}}
	b := f.Bytes()
	rec := openBytes(t, b)
	if c := rec.Info().TraceClock; c != "" {
		t.Errorf("clock %q", c)
	}
	checkContent(t, rec, f)
}

// A recorder without support for large sub-buffers writes the machine's page size.
func TestSubBuffersLargerThanSaid(t *testing.T) {
	m := machines[0]
	f := oneCPU(m, 256, manyPages(m, 1024, 3, 1000, 301),
		m.NewPage(1024, 5000).Long(0, m.Payload(301, 7, make([]uint32, 200)...)).Done())
	big := m.NewPage(1024, 500).Long(0, m.Payload(302, 7, make([]uint32, 200)...)).Done()
	f.Buffers[0].CPUs[0].Pages = append(big, f.Buffers[0].CPUs[0].Pages...)
	f.Version, f.CPUs = 6, 1
	f.HeaderPage = m.HeaderPage(1024)
	rec := openBytes(t, f.Bytes())
	if n := rec.Buffers()[0].PageSize; n != 1024 {
		t.Errorf("page size %d", n)
	}
	if got := walk(t, rec.Streams(ftrace.StreamOptions{})); len(got) != 8 {
		t.Errorf("%d records, want 8", len(got))
	}
	if d := rec.Damage(); d != nil {
		t.Error(d)
	}
}

// One broken chunk loses its pages. The others are read.
func TestBrokenChunk(t *testing.T) {
	for _, compression := range []string{"zstd", "zlib"} {
		m := machines[0]
		f := oneCPU(m, 256, manyPages(m, 256, 9, 1000, 301))
		f.Compression, f.ChunkPages = compression, 3
		b := f.Bytes()
		second := tracefile.Pack(compression, f.Buffers[0].CPUs[0].Pages[3*256:6*256])
		at := bytes.Index(b, second)
		if at < 0 {
			t.Fatal("no second chunk")
		}
		for i := range 8 {
			b[at+i] ^= 0xff
		}
		rec := openBytes(t, b)
		if got := walk(t, rec.Streams(ftrace.StreamOptions{})); len(got) != 12 || got[6].Time != 1600 {
			t.Errorf("%s: %d records: %v", compression, len(got), got)
		}
		d := rec.Damage()
		if len(d) != 1 || d[0].Skipped != 3*256 || d[0].Offset != int64(at-8) || !errors.Is(d[0], ftrace.ErrCorrupt) {
			t.Errorf("%s: damage %v", compression, d)
		}
	}
}

// TestBombs checks that sizes that the packed data cannot have are rejected before memory is taken.
func TestBombs(t *testing.T) {
	m := machines[0]
	f := oneCPU(m, 256, manyPages(m, 256, 9, 1000, 301))
	f.Compression = "zstd"
	b := f.Bytes()
	pages := f.Buffers[0].CPUs[0].Pages
	at := bytes.Index(b, tracefile.Pack("zstd", pages)) - 4
	for _, size := range []uint32{1 << 31, 65 << 20, 1<<32 - 1} {
		c := bytes.Clone(b)
		m.Order().AppendUint32(c[at:at], size)
		rec := openBytes(t, c)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if got := walk(t, rec.Streams(ftrace.StreamOptions{})); len(got) != 0 {
			t.Errorf("%d records", len(got))
		}
		runtime.ReadMemStats(&after)
		if d := rec.Damage(); len(d) != 1 || !errors.Is(d[0], ftrace.ErrLimit) && !errors.Is(d[0], ftrace.ErrCorrupt) {
			t.Errorf("size %d: damage %v", size, d)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("size %d: %d bytes allocated", size, n)
		}
	}
}

// The list of damage is bounded. Its count is not.
func TestDamageIsCounted(t *testing.T) {
	m := machines[0]
	p := m.NewPage(256, stamp)
	p.Commit = 4000
	const n = 1000
	rec := openBytes(t, oneCPU(m, 256, bytes.Repeat(p.Done(), n)).Bytes())
	walk(t, rec.Streams(ftrace.StreamOptions{}))
	if s := rec.DamageStats(); s.Count != n || s.Skipped != n*256 {
		t.Errorf("%+v", s)
	}
	if l := rec.Damage(); len(l) != 256 || l[1].Offset-l[0].Offset != 256 {
		t.Errorf("%d entries", len(l))
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		os.WriteFile(p, []byte(text), 0o644)
		return p
	}
	old := fill(tracefile.File{Machine: machines[0], Version: 6,
		HeaderEvent: "type : 2 bits\nlen : 3 bits\ntime_delta : 27 bits\n"})
	for _, c := range []struct {
		path string
		want error
	}{
		{write("empty", ""), ftrace.ErrFormat},
		{write("text", "hello, world"), ftrace.ErrFormat},
		{write("magic", "\x17\x08\x44tracing"), ftrace.ErrCorrupt},
		{write("old", "\x17\x08\x44tracing0.6\x00"), ftrace.ErrUnsupported},
		{write("v8", "\x17\x08\x44tracing8\x00\x00\x08\x00\x10\x00\x00"), ftrace.ErrUnsupported},
		{write("order", "\x17\x08\x44tracing6\x00\x02\x08\x00\x10\x00\x00"), ftrace.ErrCorrupt},
		{write("word", "\x17\x08\x44tracing6\x00\x00\x03\x00\x10\x00\x00"), ftrace.ErrCorrupt},
		{write("page", "\x17\x08\x44tracing6\x00\x00\x08\x00\x00\x00\x00"), ftrace.ErrCorrupt},
		{write("cut", "\x17\x08\x44tracing6\x00\x00\x08\x00\x10\x00\x00header_p"), ftrace.ErrTruncated},
		{write("lzma", "\x17\x08\x44tracing7\x00\x00\x08\x00\x10\x00\x00lzma\x001\x00\x10\x00\x00\x00\x00\x00\x00\x00"),
			ftrace.ErrUnsupported},
		{write("unfinished", "\x17\x08\x44tracing7\x00\x00\x08\x00\x10\x00\x00none\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), ftrace.ErrTruncated},
		{write("ancient", string(old.Bytes())), ftrace.ErrUnsupported},
		{dir, ftrace.ErrFormat},
		{filepath.Join(dir, "missing"), os.ErrNotExist},
	} {
		rec, err := ftrace.Open(c.path)
		if !errors.Is(err, c.want) || rec != nil || !strings.Contains(fmt.Sprint(err), c.path) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}

// Without usable headers, pages cannot be read, whatever else the file has.
func TestBrokenHeaders(t *testing.T) {
	m := machines[0]
	page := m.HeaderPage(256)
	for _, v := range variants() {
		for _, f := range []tracefile.File{
			{HeaderPage: strings.Replace(page, "offset:16", "offset:6", 1)},
			{HeaderPage: strings.Replace(page, "size:8", "size:4", 1)},
			{HeaderPage: strings.Replace(page, "size:8;\tsigned:1", "size:3;\tsigned:1", 1)},
			{HeaderPage: "no fields"},
			{HeaderEvent: "type_len : 4 bits\n"},
		} {
			c := fill(v)
			c.HeaderPage, c.HeaderEvent = f.HeaderPage, f.HeaderEvent
			for _, cut := range []int{0, 20} {
				b := c.Bytes()
				b = b[:len(b)-cut]
				_, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "broken.dat")
				if !errors.Is(err, ftrace.ErrCorrupt) && !errors.Is(err, ftrace.ErrUnsupported) {
					t.Errorf("%s %q %q: %v", variantName(&v), f.HeaderPage, f.HeaderEvent, err)
				}
			}
		}
	}
}

// A file that becomes shorter ends the walk with an error.
func TestFileIsTruncated(t *testing.T) {
	m := machines[0]
	f := oneCPU(m, 4096, manyPages(m, 4096, 200, 1000, 301))
	f.Version, f.CPUs = 6, 1
	path := filepath.Join(t.TempDir(), "shrinks.dat")
	b := f.Bytes()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := rec.Streams(ftrace.StreamOptions{})[0]
	if _, err := s.Next(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 40000); err != nil {
		needs.Skip(t, "need files that can be cut while they are open", err)
	}
	for err == nil {
		_, err = s.Next()
	}
	if !errors.Is(err, io.EOF) || rec.DamageStats().Count == 0 {
		t.Errorf("%v, damage %v", err, rec.Damage())
	}
	rec.Close()
}

// Streams of one recording may run in parallel. make race finds shared state.
func TestParallelStreams(t *testing.T) {
	for _, v := range variants() {
		f := fill(v)
		for i := range f.Buffers[0].CPUs {
			p := f.Buffers[0].CPUs[i].Pages
			if len(p) > 600 {
				f.Machine.Order().AppendUint32(p[16+f.Machine.Word-8:][:0], 0) // the list of damage is shared as well
			}
		}
		rec := openBytes(t, f.Bytes())
		want := walk(t, rec.Streams(ftrace.StreamOptions{}))
		total := make(chan int)
		streams := rec.Streams(ftrace.StreamOptions{})
		for _, s := range streams {
			go func() {
				n := 0
				for {
					batch, err := s.Next()
					if err != nil {
						break
					}
					n += len(batch.Records)
					rec.Comm(batch.Records[0].Task)
					rec.Symbols().Lookup(batch.Records[0].Time)
				}
				total <- n
			}()
		}
		n := 0
		for range streams {
			n += <-total
		}
		if n != len(want) {
			t.Errorf("%s: %d records, want %d", variantName(&v), n, len(want))
		}
	}
}

// TestAmplification checks options of version 7 that lead to the same section many times.
func TestAmplification(t *testing.T) {
	for _, id := range needs.Some(t, []uint16{ftrace.OptionEventFormats, ftrace.OptionModules, ftrace.OptionHeaderInfo,
		ftrace.OptionBuffer}, 1) {
		for _, compression := range []string{"", "zstd"} {
			f := fill(tracefile.File{Machine: machines[0], Version: 7, Compression: compression})
			for i := range 800 {
				f.Systems[0].Formats = append(f.Systems[0].Formats, tracefile.Format(fmt.Sprint("filler", i), 1000+i))
			}
			base := f.Bytes()
			rec := openBytes(t, base)
			var again []byte
			for _, o := range rec.Info().Options {
				if o.ID == ftrace.OptionEventFormats && id == ftrace.OptionModules {
					again = o.Payload // any section's place
				}
				if o.ID == id {
					again = o.Payload
				}
			}
			for range 20000 {
				f.Options = append(f.Options, tracefile.Option{ID: id, Payload: again})
			}
			b := f.Bytes()
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "amplified.dat")
			runtime.GC()
			runtime.ReadMemStats(&after)
			if n := int64(after.HeapAlloc - before.HeapAlloc); n > 2*ftrace.MaxMeta {
				t.Errorf("option %d %s: %d MB held", id, compression, n>>20)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 4*ftrace.MaxMeta {
				t.Errorf("option %d %s: %d MB allocated", id, compression, n>>20)
			}
			if err == nil {
				rec.Close()
			}
		}
	}
}
