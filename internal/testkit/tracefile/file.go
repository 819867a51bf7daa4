package tracefile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// File is a trace.dat.
type File struct {
	Machine
	Version      int
	RecorderWord int // if 0, it is Word
	PageSize     int
	Compression  string // for version 7; "" means none

	HeaderPage, HeaderEvent    string // if "", they are made up
	Ftrace                     []string
	Systems                    []System
	Kallsyms, Printk, Cmdlines string
	CPUs                       int // for version 6
	Options                    []Option
	Buffers                    []Buffer // the top buffer first
	ChunkPages                 int      // if 0, it is 10
	// SizeOff is added to the size of compressed CPU data (3.0 and 3.1 wrote it 4 bytes short).
	SizeOff int
	// PlainMeta writes uncompressed sections and options in a compressed file.
	PlainMeta bool
}

// System is a system of events.
type System struct {
	Name    string
	Formats []string
}

// Option is an option of either version.
type Option struct {
	ID      uint16
	Payload []byte
}

// Buffer is a ring buffer, or a latency tracer's text.
type Buffer struct {
	Name, Clock string
	PageSize    int // if 0, it is the file's
	CPUs        []CPU
	Text        string
	CPUCount    int // option of version 6, written if non-zero
}

// CPU is a processor's sub-buffers.
type CPU struct {
	ID    int
	Pages []byte
}

// Format returns the text of an event with one field.
func Format(name string, id int) string {
	return fmt.Sprintf("name: %s\nID: %d\nformat:\n"+
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"+
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"+
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"+
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"+
		"\tfield:int value;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"%%d\", REC->value\n", name, id)
}

// HeaderPage returns the kernel's text for sub-buffers of size bytes.
func (m Machine) HeaderPage(size int) string {
	return fmt.Sprintf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"+
		"\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"+
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"+
		"\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:0;\n", m.Word, m.Header(), size-m.Header())
}

// HeaderEvent is the kernel's text.
const HeaderEvent = "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n" +
	"\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n" +
	"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n"

// writer appends data in the order of the file.
type writer struct {
	f   *File
	o   binary.AppendByteOrder
	buf []byte
}

func (w *writer) u16(v uint16) { w.buf = w.o.AppendUint16(w.buf, v) }
func (w *writer) u32(v uint32) { w.buf = w.o.AppendUint32(w.buf, v) }
func (w *writer) u64(v uint64) { w.buf = w.o.AppendUint64(w.buf, v) }
func (w *writer) str(s string) { w.buf = append(w.buf, s...) }
func (w *writer) pad(to int) {
	for len(w.buf)%to != 0 {
		w.buf = append(w.buf, 0)
	}
}
func (w *writer) patch64(at int, v uint64) { copy(w.buf[at:], w.o.AppendUint64(nil, v)) }

// Bytes writes the file.
func (f *File) Bytes() []byte {
	w := f.begin(fmt.Sprint(f.Version))
	if f.Version == 6 {
		w.version6()
	} else {
		w.version7()
	}
	return w.buf
}

// Tracing writes perf's record of its tracepoints: the descriptions of version 6 under another
// version (docs/spec/perf.md 8).
func (f *File) Tracing() []byte {
	w := f.begin("0.6")
	w.descriptions()
	return w.buf
}

// begin writes the first bytes.
func (f *File) begin(version string) *writer {
	w := &writer{f: f, o: f.Order()}
	w.str("\x17\x08\x44tracing")
	w.str(version + "\x00")
	order := byte(0)
	if f.Big {
		order = 1
	}
	word := f.RecorderWord
	if word == 0 {
		word = f.Word
	}
	w.buf = append(w.buf, order, byte(word))
	w.u32(uint32(f.PageSize))
	return w
}

func (w *writer) headers() {
	page, event := w.f.HeaderPage, w.f.HeaderEvent
	if page == "" {
		page = w.f.Machine.HeaderPage(w.f.PageSize)
	}
	if event == "" {
		event = HeaderEvent
	}
	w.str("header_page\x00")
	w.u64(uint64(len(page)))
	w.str(page)
	w.str("header_event\x00")
	w.u64(uint64(len(event)))
	w.str(event)
}

func (w *writer) formats(list []string) {
	w.u32(uint32(len(list)))
	for _, s := range list {
		w.u64(uint64(len(s)))
		w.str(s)
	}
}

func (w *writer) systems() {
	w.u32(uint32(len(w.f.Systems)))
	for _, s := range w.f.Systems {
		w.str(s.Name + "\x00")
		w.formats(s.Formats)
	}
}

func (w *writer) text32(s string) { w.u32(uint32(len(s))); w.str(s) }
func (w *writer) text64(s string) { w.u64(uint64(len(s))); w.str(s) }

// descriptions writes the seven parts of version 6 before the number of CPUs.
func (w *writer) descriptions() {
	f := w.f
	w.headers()
	w.formats(f.Ftrace)
	w.systems()
	w.text32(f.Kallsyms)
	w.text32(f.Printk)
	w.text64(f.Cmdlines)
}

func (w *writer) version6() {
	f := w.f
	w.descriptions()
	w.u32(uint32(f.CPUs))
	w.str("options  \x00")
	for _, o := range f.Options {
		w.option(o)
	}
	if f.Buffers[0].Clock != "" {
		w.option(Option{ID: 4})
	}
	var patches []int
	for _, b := range f.Buffers[1:] {
		patches = append(patches, len(w.buf)+6)
		w.option(Option{3, append(make([]byte, 8), b.Name+"\x00"...)})
		if b.CPUCount != 0 {
			w.option(Option{8, w.o.AppendUint32(nil, uint32(b.CPUCount))})
		}
	}
	w.u16(0)
	w.buffer6(f.Buffers[0])
	for i, b := range f.Buffers[1:] {
		w.patch64(patches[i], uint64(len(w.buf)))
		w.buffer6(b)
	}
}

func (w *writer) option(o Option) {
	w.u16(o.ID)
	w.u32(uint32(len(o.Payload)))
	w.str(string(o.Payload))
}

func (w *writer) buffer6(b Buffer) {
	if b.Text != "" {
		w.str("latency  \x00" + b.Text)
		return
	}
	w.str("flyrecord\x00")
	table := len(w.buf)
	w.buf = append(w.buf, make([]byte, 16*len(b.CPUs))...)
	if b.Clock != "" {
		w.text64(b.Clock)
	}
	for i, c := range b.CPUs {
		w.pad(w.f.PageSize)
		w.patch64(table+16*i, uint64(len(w.buf)))
		w.patch64(table+16*i+8, uint64(len(c.Pages)))
		w.str(string(c.Pages))
	}
}

func (w *writer) compressed() bool { return w.f.Compression != "" && w.f.Compression != "none" }

// Pack compresses data as trace-cmd does.
func Pack(name string, b []byte) []byte {
	var out bytes.Buffer
	switch name {
	case "zlib":
		z := deflaters.Get().(*zlib.Writer)
		defer deflaters.Put(z)
		z.Reset(&out)
		z.Write(b)
		z.Close()
	case "zstd":
		z := encoders.Get().(*zstd.Encoder)
		defer encoders.Put(z)
		z.Reset(&out)
		z.Write(b)
		z.Close()
	}
	return out.Bytes()
}

// deflaters are reused, since each takes 600 KB.
var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestCompression)
	if err != nil {
		panic(err)
	}
	return z
}}

// encoders are reused, since they are costly to make. Used as streams, they omit the plain size
// from a frame, as trace-cmd does.
var encoders = sync.Pool{New: func() any {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(1<<16))
	if err != nil {
		panic(err)
	}
	return z
}}

// section writes a section and returns its offset.
func (w *writer) section(id uint16, body []byte) uint64 {
	at := len(w.buf)
	flags := uint16(0)
	if w.compressed() && !w.f.PlainMeta {
		flags = 1
		packed := Pack(w.f.Compression, body)
		head := w.o.AppendUint32(nil, uint32(len(packed)))
		head = w.o.AppendUint32(head, uint32(len(body)))
		body = append(head, packed...)
	}
	w.u16(id)
	w.u16(flags)
	w.u32(1<<32 - 1)
	w.u64(uint64(len(body)))
	w.str(string(body))
	return uint64(at)
}

// part calls fn with an empty buffer and returns the written bytes.
func (w *writer) part(fn func(p *writer)) []byte {
	p := &writer{f: w.f, o: w.o}
	fn(p)
	return p.buf
}

func (w *writer) version7() {
	f := w.f
	name := f.Compression
	if name == "" {
		name = "none"
	}
	w.str(name + "\x00")
	w.str("1.0\x00")
	first := len(w.buf)
	w.u64(0)
	at := func(id uint16, fn func(p *writer)) Option {
		return Option{id, w.o.AppendUint64(nil, w.section(id, w.part(fn)))}
	}
	options := []Option{
		at(16, (*writer).headers),
		at(17, func(p *writer) { p.formats(f.Ftrace) }),
		at(18, (*writer).systems),
		at(19, func(p *writer) { p.text32(f.Kallsyms) }),
		at(20, func(p *writer) { p.text32(f.Printk) }),
		at(21, func(p *writer) { p.text64(f.Cmdlines) }),
	}
	options = append(options, f.Options...)
	w.patch64(first, uint64(len(w.buf)))
	next := w.options7(options)
	for _, b := range f.Buffers {
		o := w.buffer7(b)
		w.patch64(next, uint64(len(w.buf)))
		next = w.options7([]Option{o})
	}
}

// options7 writes a section of options. The section is never compressed, so that the offset of the
// next section can be inserted later. options7 returns the place for that offset.
func (w *writer) options7(list []Option) int {
	p := &writer{f: w.f, o: w.o}
	for _, o := range list {
		p.option(o)
	}
	p.option(Option{0, make([]byte, 8)})
	w.u16(0)
	w.u16(0)
	w.u32(1<<32 - 1)
	w.u64(uint64(len(p.buf)))
	w.str(string(p.buf))
	return len(w.buf) - 8
}

func (w *writer) buffer7(b Buffer) Option {
	if b.Text != "" {
		at := w.text(b.Text)
		return Option{22, append(w.o.AppendUint64(nil, at), b.Name+"\x00"+b.Clock+"\x00"...)}
	}
	size := b.PageSize
	if size == 0 {
		size = w.f.PageSize
	}
	at := len(w.buf)
	w.u16(3)
	flags := uint16(0)
	if w.compressed() {
		flags = 1
	}
	w.u16(flags)
	w.u32(1<<32 - 1)
	w.u64(0)
	o := w.o.AppendUint64(nil, uint64(at))
	o = append(o, b.Name+"\x00"+b.Clock+"\x00"...)
	o = w.o.AppendUint32(o, uint32(size))
	o = w.o.AppendUint32(o, uint32(len(b.CPUs)))
	for _, c := range b.CPUs {
		w.pad(size)
		off := len(w.buf)
		if w.compressed() {
			w.chunks(c.Pages, size)
		} else {
			w.str(string(c.Pages))
		}
		o = w.o.AppendUint32(o, uint32(c.ID))
		o = w.o.AppendUint64(o, uint64(off))
		n := len(w.buf) - off
		if w.compressed() {
			n += w.f.SizeOff
		}
		o = w.o.AppendUint64(o, uint64(n))
	}
	w.patch64(at+8, uint64(len(w.buf)-at-16))
	return Option{3, o}
}

// text writes the section of a latency tracer's text. Compressed text is in chunks, like the pages
// of CPU data.
func (w *writer) text(text string) uint64 {
	if !w.compressed() || w.f.PlainMeta {
		return w.section(22, []byte(text))
	}
	body := w.part(func(p *writer) { p.chunks([]byte(text), 1) })
	at := uint64(len(w.buf))
	w.u16(22)
	w.u16(1)
	w.u32(1<<32 - 1)
	w.u64(uint64(len(body)))
	w.str(string(body))
	return at
}

func (w *writer) chunks(pages []byte, size int) {
	n := w.f.ChunkPages
	if n == 0 {
		n = 10
	}
	n *= size
	w.u32(uint32((len(pages) + n - 1) / n))
	for len(pages) > 0 {
		part := pages[:min(n, len(pages))]
		pages = pages[len(part):]
		packed := Pack(w.f.Compression, part)
		w.u32(uint32(len(packed)))
		w.u32(uint32(len(part)))
		w.str(string(packed))
	}
}

// SharedBytes is like [Bytes] for a file of version 7 with one buffer and one CPU, but that many
// CPUs refer to the same data.
func (f *File) SharedBytes(cpus int) []byte {
	for i := 1; i < cpus; i++ {
		f.Buffers[0].CPUs = append(f.Buffers[0].CPUs, CPU{ID: i})
	}
	b := f.Bytes()
	table := len(b) - 14 - 20*cpus // before the option that ends the section
	for i := 1; i < cpus; i++ {
		copy(b[table+20*i+4:table+20*i+20], b[table+4:table+20])
	}
	return b
}
