package tracewrite

import "github.com/tracec/tracec/runtime/ftrace"

// version6 writes all parts in a fixed order. The offsets of buffers and data are filled in once
// they are known.
type version6 struct {
	places []int64 // of the options that lead to the buffers after the first
	table  int64   // of the CPUs
}

func (v *version6) head(w *Writer) error {
	for _, b := range [][]byte{w.h.HeaderInfo, w.h.FtraceEvents, w.h.EventFormats, w.h.Kallsyms, w.h.Printk,
		w.h.Cmdlines} {
		w.s.bytes(b)
	}
	w.s.u32(uint32(w.h.CPUs))
	return w.s.err
}

func (v *version6) beginBuffer(w *Writer) {
	b := &w.h.Buffers[w.buffer]
	if w.buffer == 0 {
		v.writeOptions(w)
	} else {
		w.s.patch64(v.places[w.buffer-1], uint64(w.s.pos))
	}
	if b.Text {
		w.s.str("latency  \x00")
		return
	}
	w.s.str("flyrecord\x00")
	v.table = w.s.pos
	w.s.zero(16 * int64(w.h.CPUs))
	if w.clocked() { // a single option reports whether clocks follow
		clock := "[" + b.Clock + "]\x00"
		w.s.u64(uint64(len(clock)))
		w.s.str(clock)
	}
	w.s.align(w.h.PageSize)
}

// writeOptions writes the options, including the options of the other buffers. If there is an
// option TRACECLOCK, a reader takes the bytes after the table of CPUs for the clock.
func (v *version6) writeOptions(w *Writer) {
	w.s.str("options  \x00")
	clocked := false
	for _, o := range w.options {
		if o.id == ftrace.OptionTraceClock {
			if clocked = true; !w.clocked() {
				continue
			}
		}
		v.option(w, o.id, o.payload)
	}
	w.options = nil
	v.option(w, ftrace.OptionCPUCount, w.h.ByteOrder.AppendUint32(nil, uint32(w.h.CPUs)))
	if !clocked && w.clocked() {
		v.option(w, ftrace.OptionTraceClock, w.clock())
	}
	for _, b := range w.h.Buffers[1:] {
		v.places = append(v.places, w.s.pos+6)
		v.option(w, ftrace.OptionBuffer, append(make([]byte, 8), b.Name+"\x00"...))
	}
	w.s.u16(ftrace.OptionDone)
}

// clock returns the payload of the option TRACECLOCK, in the form in which the kernel writes the
// current clock.
func (w *Writer) clock() []byte { return []byte("[" + w.h.Buffers[0].Clock + "]\x00") }

// clocked reports whether the file has clocks. If there is an option TRACECLOCK, readers expect a
// clock even in front of the text of a latency tracer.
func (w *Writer) clocked() bool { return w.h.Buffers[0].Clock != "" && !w.h.Buffers[0].Text }

func (v *version6) option(w *Writer, id uint16, payload []byte) {
	w.s.u16(id)
	w.s.u32(uint32(len(payload)))
	w.s.bytes(payload)
}

// endBuffer fills in the table, in which every CPU has an entry. The offset of a CPU without data
// is the end of the data.
func (v *version6) endBuffer(w *Writer) {
	if w.h.Buffers[w.buffer].Text {
		return
	}
	w.s.align(w.h.PageSize)
	table := make([]CPU, w.h.CPUs)
	for i := range table {
		table[i] = CPU{ID: i, Offset: w.s.pos}
	}
	for _, c := range w.cpus {
		table[c.ID] = c
	}
	var b []byte
	for _, c := range table {
		b = w.h.ByteOrder.AppendUint64(b, uint64(c.Offset))
		b = w.h.ByteOrder.AppendUint64(b, uint64(c.Size))
	}
	w.s.patch(v.table, b)
	w.cpus = table
}

func (v *version6) end(*Writer) {}
