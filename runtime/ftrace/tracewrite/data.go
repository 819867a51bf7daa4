package tracewrite

import "fmt"

// chunkPages is the number of sub-buffers that are packed together, as in trace-cmd.
const chunkPages = 10

// Page writes a whole sub-buffer of the current CPU.
func (w *Writer) Page(page []byte) error {
	size := w.h.pageSize(max(w.buffer, 0))
	switch {
	case w.cpu < 0:
		return w.fail(fmt.Errorf("%w: a page without a CPU", ErrOrder))
	case len(page) != size:
		return w.fail(fmt.Errorf("%w: a page of %d bytes in sub-buffers of %d", ErrHeader, len(page), size))
	}
	if !w.started {
		w.startCPU(size)
	}
	w.cpus[len(w.cpus)-1].Plain += int64(size)
	if w.packer == nil {
		w.s.bytes(page)
		return w.s.err
	}
	w.pages = append(w.pages, page...)
	if len(w.pages) >= chunkPages*size {
		w.flushChunk()
	}
	return w.s.err
}

func (w *Writer) startCPU(pageSize int) {
	w.s.align(pageSize)
	w.cpus = append(w.cpus, CPU{ID: w.cpu, Offset: w.s.pos})
	w.started, w.chunks = true, 0
	if w.packer != nil {
		w.s.u32(0) // the number of chunks
	}
}

// chunk packs b and writes it after its sizes.
func (w *Writer) chunk(b []byte) {
	packed, err := w.packer.pack(b)
	if err != nil {
		w.fail(err)
		return
	}
	w.s.u32(uint32(len(packed)))
	w.s.u32(uint32(len(b)))
	w.s.bytes(packed)
}

func (w *Writer) flushChunk() {
	if len(w.pages) > 0 {
		w.chunk(w.pages)
		w.chunks++
		w.pages = w.pages[:0]
	}
}

// closeCPU ends the data of a CPU.
func (w *Writer) closeCPU() {
	if w.cpu < 0 {
		return
	}
	if w.started {
		c := &w.cpus[len(w.cpus)-1]
		if w.packer != nil {
			w.flushChunk()
			w.s.patch(c.Offset, w.h.ByteOrder.AppendUint32(nil, w.chunks))
		}
		c.Size = w.s.pos - c.Offset
	}
	w.cpu = -1
}
