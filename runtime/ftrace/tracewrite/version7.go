package tracewrite

import "github.com/tracec/tracec/runtime/ftrace"

// version7 is a chain: each section of options ends with the offset of the next one.
type version7 struct {
	next    int64 // place for the offset of the next section of options
	strings []byte
	section int64 // of the buffer
}

// The parts of a file: their ids and their names in the string table.
var partNames = map[uint16]string{
	ftrace.OptionDone: "options", ftrace.OptionHeaderInfo: "headers", ftrace.OptionFtraceEvents: "ftrace events",
	ftrace.OptionEventFormats: "events format", ftrace.OptionKallsyms: "kallsyms", ftrace.OptionPrintk: "printk",
	ftrace.OptionCmdlines: "command lines", ftrace.OptionBTF: "BTF", ftrace.OptionModules: "modules",
	ftrace.OptionStrings: "strings",
}

func (v *version7) head(w *Writer) error {
	name, version := w.h.Compression, w.h.CompressionVersion
	if w.packer == nil {
		name, version = "none", ""
	}
	w.s.str(name + "\x00" + version + "\x00")
	v.next = w.s.pos
	w.s.u64(0)
	for _, p := range []struct {
		id   uint16
		data []byte
	}{
		{ftrace.OptionHeaderInfo, w.h.HeaderInfo}, {ftrace.OptionFtraceEvents, w.h.FtraceEvents},
		{ftrace.OptionEventFormats, w.h.EventFormats}, {ftrace.OptionKallsyms, w.h.Kallsyms},
		{ftrace.OptionPrintk, w.h.Printk}, {ftrace.OptionCmdlines, w.h.Cmdlines},
		{ftrace.OptionBTF, w.h.BTF}, {ftrace.OptionModules, w.h.Modules},
	} {
		if p.data != nil {
			at := v.write(w, p.id, p.data)
			w.options = append(w.options, option{p.id, w.h.ByteOrder.AppendUint64(nil, uint64(at))})
		}
	}
	w.options = append(w.options, option{ftrace.OptionCPUCount, w.h.ByteOrder.AppendUint32(nil, uint32(w.h.CPUs))})
	return w.s.err
}

// header writes the header of a section whose size is set later, and returns its offset.
func (v *version7) header(w *Writer, id uint16, packed bool, name string) int64 {
	at := w.s.pos
	flags := uint16(0)
	if packed {
		flags = 1
	}
	w.s.u16(id)
	w.s.u16(flags)
	w.s.u32(uint32(len(v.strings)))
	w.s.u64(0)
	v.strings = append(append(v.strings, name...), 0)
	return at
}

// sectionHeader is the size of a header. Its last eight bytes are the size of the contents.
const sectionHeader = 16

func (v *version7) size(w *Writer, at int64) {
	w.s.patch64(at+sectionHeader-8, uint64(w.s.pos-at-sectionHeader))
}

// write writes a section of metadata.
func (v *version7) write(w *Writer, id uint16, data []byte) int64 {
	at := v.header(w, id, w.packer != nil, partNames[id])
	if w.packer != nil {
		w.chunk(data)
	} else {
		w.s.bytes(data)
	}
	v.size(w, at)
	return at
}

// writeOptions writes the pending options. They are uncompressed, so that the offset of the next
// section can be set later.
func (v *version7) writeOptions(w *Writer, more ...option) {
	list := append(w.options, more...)
	w.options = nil
	if len(list) == 0 {
		return
	}
	w.s.patch64(v.next, uint64(w.s.pos))
	at := v.header(w, ftrace.OptionDone, false, partNames[ftrace.OptionDone])
	for _, o := range append(list, option{ftrace.OptionDone, make([]byte, 8)}) {
		w.s.u16(o.id)
		w.s.u32(uint32(len(o.payload)))
		w.s.bytes(o.payload)
	}
	v.next = w.s.pos - 8
	v.size(w, at)
}

// addClock adds the clock of the top buffer. Readers take it from this option and not from the
// option of the buffer. In a recording of version 6, it may be empty.
func (w *Writer) addClock() {
	if !w.clocked() {
		return
	}
	for i := range w.options {
		if o := &w.options[i]; o.id == ftrace.OptionTraceClock {
			if len(o.payload) == 0 {
				o.payload = w.clock()
			}
			return
		}
	}
	w.options = append(w.options, option{ftrace.OptionTraceClock, w.clock()})
}

func (v *version7) beginBuffer(w *Writer) {
	if w.buffer == 0 {
		w.addClock()
	}
	v.writeOptions(w)
	b := &w.h.Buffers[w.buffer]
	if b.Text {
		v.section = v.header(w, ftrace.OptionBufferText, w.packer != nil, "buffer latency "+b.Name)
	} else {
		v.section = v.header(w, ftrace.OptionBuffer, w.packer != nil, "buffer flyrecord "+b.Name)
	}
}

// endBuffer writes the option that leads to the buffer and its data.
func (v *version7) endBuffer(w *Writer) {
	v.size(w, v.section)
	b, o := &w.h.Buffers[w.buffer], w.h.ByteOrder
	p := o.AppendUint64(nil, uint64(v.section))
	p = append(p, b.Name+"\x00"+b.Clock+"\x00"...)
	if b.Text {
		v.writeOptions(w, option{ftrace.OptionBufferText, p})
		return
	}
	p = o.AppendUint32(p, uint32(w.h.pageSize(w.buffer)))
	p = o.AppendUint32(p, uint32(len(w.cpus)))
	for _, c := range w.cpus {
		p = o.AppendUint32(p, uint32(c.ID))
		p = o.AppendUint64(p, uint64(c.Offset))
		p = o.AppendUint64(p, uint64(c.Size))
	}
	v.writeOptions(w, option{ftrace.OptionBuffer, p})
}

// end writes the options that were added late, and the string table.
func (v *version7) end(w *Writer) {
	v.writeOptions(w)
	at := v.header(w, ftrace.OptionStrings, w.packer != nil, partNames[ftrace.OptionStrings])
	if w.packer != nil {
		w.chunk(v.strings)
	} else {
		w.s.bytes(v.strings)
	}
	v.size(w, at)
}
