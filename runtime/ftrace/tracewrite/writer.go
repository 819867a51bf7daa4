package tracewrite

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tracec/tracec/internal/fileset"
)

// Writer writes one file. It is for one goroutine.
type Writer struct {
	h       Header
	s       *sink
	packer  packer
	layout  layout
	options []option // not yet written

	buffer  int // current buffer; -1 before the first
	cpu     int // current CPU; -1 if there is none
	cpus    []CPU
	data    [][]CPU
	pages   []byte // of the current chunk
	chunks  uint32 // written for the CPU
	started bool   // the CPU has an entry

	file *fileset.Pending // if made by Create
}

type option struct {
	id      uint16
	payload []byte
}

// A CPU is the location of a CPU's data.
type CPU struct {
	ID           int
	Offset, Size int64 // in the file, in bytes
	Plain        int64 // bytes unpacked
}

// A layout implements the differences between the versions.
type layout interface {
	head(w *Writer) error
	beginBuffer(w *Writer)
	endBuffer(w *Writer)
	end(w *Writer)
}

// Create begins a file. Until Close renames it, it has a temporary name beside path. Symbolic links
// are followed. A device is written directly. A file that cannot seek, such as a pipe, is an error.
func Create(path string, h Header) (*Writer, error) {
	if st, err := os.Stat(path); err == nil && st.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		return nil, &os.PathError{Op: "create", Path: path,
			Err: errors.New("is a pipe or socket, in which a recording cannot be written")}
	}
	file, err := fileset.Stage(path)
	if err != nil {
		return nil, err
	}
	w, err := New(file, h)
	if err != nil {
		file.Discard()
		return nil, err
	}
	w.file = file
	return w, nil
}

// New begins a file at the beginning of out. Errors of the header match ErrHeader.
func New(out io.WriteSeeker, h Header) (*Writer, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	p, version, err := newPacker(h.Compression)
	if err != nil {
		return nil, err
	}
	if h.CompressionVersion == "" {
		h.CompressionVersion = version
	}
	w := &Writer{h: h, s: newSink(out, h.ByteOrder), packer: p, buffer: -1, cpu: -1}
	order := byte(0)
	if h.ByteOrder.Uint16([]byte{0, 1}) == 1 {
		order = 1
	}
	w.s.str(fmt.Sprintf("\x17\x08\x44tracing%d\x00", h.Version))
	w.s.bytes([]byte{order, byte(h.LongSize)})
	w.s.u32(uint32(h.PageSize))
	w.layout = &version7{}
	if h.Version == 6 {
		w.layout = &version6{}
	}
	if err := w.layout.head(w); err != nil {
		return nil, err
	}
	return w, w.s.err
}

// fail stores the first error, which sticks.
func (w *Writer) fail(err error) error {
	if w.s.err == nil {
		w.s.err = err
	}
	return w.s.err
}

// Option adds an option. The ids are defined in package ftrace. The Writer itself adds the options
// that lead to parts of the file. Version 6 accepts options only before the first buffer, version 7
// until Close. The Writer keeps payload until then.
func (w *Writer) Option(id uint16, payload []byte) error {
	if w.h.Version == 6 && w.buffer >= 0 {
		return w.fail(fmt.Errorf("%w: an option after the first buffer of version 6", ErrOrder))
	}
	w.options = append(w.options, option{id, payload})
	return w.s.err
}

// Buffer begins the data of Header.Buffers[i]. Buffers must come in order, without gaps.
func (w *Writer) Buffer(i int) error {
	if i != w.buffer+1 || i >= len(w.h.Buffers) {
		return w.fail(fmt.Errorf("%w: buffer %d after buffer %d of %d", ErrOrder, i, w.buffer, len(w.h.Buffers)))
	}
	w.closeBuffer()
	w.buffer, w.cpus = i, nil
	w.layout.beginBuffer(w)
	return w.s.err
}

func (w *Writer) closeBuffer() {
	if w.buffer >= 0 {
		w.closeCPU()
		w.layout.endBuffer(w)
		w.data = append(w.data, w.cpus)
	}
}

// CPU begins the data of a CPU. A CPU without data may be left out.
func (w *Writer) CPU(id int) error {
	switch {
	case w.buffer < 0 || w.h.Buffers[w.buffer].Text:
		return w.fail(fmt.Errorf("%w: CPU %d outside of a buffer with data", ErrOrder, id))
	case id < 0 || id >= w.h.CPUs:
		return w.fail(fmt.Errorf("%w: CPU %d of %d", ErrHeader, id, w.h.CPUs))
	}
	for _, c := range w.cpus {
		if c.ID == id {
			return w.fail(fmt.Errorf("%w: CPU %d twice", ErrOrder, id))
		}
	}
	w.closeCPU()
	w.cpu, w.started = id, false
	return w.s.err
}

// Data returns the location of the data of each complete buffer. In version 6, every CPU has an
// entry.
func (w *Writer) Data() [][]CPU { return w.data }

// Text writes the text of a buffer that holds one.
func (w *Writer) Text(r io.Reader) error {
	if w.buffer < 0 || !w.h.Buffers[w.buffer].Text {
		return w.fail(fmt.Errorf("%w: a text outside of a buffer for one", ErrOrder))
	}
	if w.packer == nil {
		n, err := io.Copy(w.s.buf, r)
		w.s.pos += n
		if err != nil {
			return w.fail(err)
		}
		return w.s.err
	}
	at := w.s.pos
	w.s.u32(0)
	count := uint32(0)
	for chunk := make([]byte, chunkPages*w.h.pageSize(w.buffer)); ; {
		n, err := io.ReadFull(r, chunk)
		if n > 0 {
			w.chunk(chunk[:n])
			count++
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return w.fail(err)
		}
	}
	w.s.patch(at, w.h.ByteOrder.AppendUint32(nil, count))
	return w.s.err
}

// Close completes the file and gives it its name.
func (w *Writer) Close() error {
	if w.s.err == nil && w.buffer+1 < len(w.h.Buffers) {
		w.fail(fmt.Errorf("%w: %d of %d buffers were written", ErrOrder, w.buffer+1, len(w.h.Buffers)))
	}
	if w.s.err == nil {
		w.closeBuffer()
		w.layout.end(w)
		w.s.flush()
	}
	if w.file == nil {
		return w.s.err
	}
	if w.s.err != nil {
		err := w.s.err
		w.Abort()
		return err
	}
	err := w.file.Commit()
	w.file = nil
	return err
}

// Abort removes a file that Close has not completed. After Close, it does nothing.
func (w *Writer) Abort() {
	if w.file != nil {
		w.file.Discard()
		w.file = nil
	}
}
