package main

import (
	"bufio"
	"bytes"
	"encoding/binary"

	"github.com/tracec/tracec/runtime/ftrace"
)

// writeV6 writes the blocks of version 6 in order (ftrace.md 1.2).
func writeV6(w *writer, rec *ftrace.Recording, l *loop) {
	info, systems := rec.Info(), bySystem(rec.Formats())
	w.prefix("6", info, l.page)
	w.headers(info)
	w.ftraceFormats(systems)
	w.eventFormats(systems)
	w.text(rec.Kallsyms(), 4)
	w.text(rec.PrintkFormats(), 4)
	w.text(rec.Cmdlines(), 8)
	cpus := l.cpuCount()
	w.u32(cpus)
	clock := "[" + info.TraceClock + "]"
	w.str("options  \x00")
	for _, o := range kept(info) {
		w.option(int(o.ID), o.Payload)
	}
	if info.TraceClock != "" {
		w.option(ftrace.OptionTraceClock, nil)
	}
	w.u16(ftrace.OptionDone)
	w.str("flyrecord\x00")
	byID := make([]cpu, cpus)
	for _, c := range l.cpus {
		byID[c.id] = c
	}
	off := w.off + int64(16*cpus)
	if info.TraceClock != "" {
		off += int64(8 + len(clock))
	}
	off = aligned(off, l.page)
	for i := range byID {
		w.u64(off)
		w.u64(l.size(&byID[i]))
		off += l.size(&byID[i])
	}
	if info.TraceClock != "" {
		w.text(clock, 8)
	}
	w.align(l.page)
	for i := range byID {
		l.write(w, &byID[i])
	}
}

// writeV7 writes sections in the order of trace-cmd (ftrace.md 1.3). The offset of the options is
// at the start of the file. So the sections, which are small, are laid out in memory first.
func writeV7(w *writer, rec *ftrace.Recording, l *loop) {
	info, systems := rec.Info(), bySystem(rec.Formats())
	w.prefix("7", info, l.page)
	w.str("none\x00\x00")
	var meta bytes.Buffer
	m := newWriter(bufio.NewWriter(&meta), w.order)
	m.off = w.off + 8
	var options bytes.Buffer
	o := newWriter(bufio.NewWriter(&options), w.order)
	add := func(id int, fn func(p *writer)) {
		var lead bytes.Buffer
		at := newWriter(bufio.NewWriter(&lead), w.order)
		at.u64(m.off)
		at.flush()
		o.option(id, lead.Bytes())
		m.section(id, fn)
	}
	add(ftrace.OptionHeaderInfo, func(p *writer) { p.headers(info) })
	add(ftrace.OptionFtraceEvents, func(p *writer) { p.ftraceFormats(systems) })
	add(ftrace.OptionEventFormats, func(p *writer) { p.eventFormats(systems) })
	add(ftrace.OptionKallsyms, func(p *writer) { p.text(rec.Kallsyms(), 4) })
	add(ftrace.OptionPrintk, func(p *writer) { p.text(rec.PrintkFormats(), 4) })
	add(ftrace.OptionCmdlines, func(p *writer) { p.text(rec.Cmdlines(), 8) })
	for _, k := range kept(info) {
		o.option(int(k.ID), k.Payload)
	}
	m.flush()
	o.flush()
	optionsAt := m.off
	bufferAt := optionsAt + sectionHeader + o.off + doneOption
	w.u64(optionsAt)
	w.bytes(meta.Bytes())
	w.optionsSection(options.Bytes(), 0, func() int64 { return l.tableAt(bufferAt) })
	w.head(ftrace.OptionBuffer, l.tableAt(bufferAt)-bufferAt-sectionHeader)
	w.align(l.page)
	table := l.table(w.order, bufferAt, w.off, info.TraceClock)
	for i := range l.cpus {
		l.write(w, &l.cpus[i])
	}
	w.optionsSection(table, 0, func() int64 { return 0 })
}

const (
	sectionHeader = 16
	doneOption    = 6 + 8
)

// tableAt returns the offset of the options section with the buffer's table. It follows the
// buffer's data.
func (l *loop) tableAt(bufferAt int64) int64 {
	off := aligned(bufferAt+sectionHeader, l.page)
	for i := range l.cpus {
		off += l.size(&l.cpus[i])
	}
	return off
}

// section writes an uncompressed section.
func (w *writer) section(id int, fn func(p *writer)) {
	var body bytes.Buffer
	p := newWriter(bufio.NewWriter(&body), w.order)
	fn(p)
	p.flush()
	w.head(id, int64(body.Len()))
	w.bytes(body.Bytes())
}

// head writes the header of an uncompressed section of size bytes.
func (w *writer) head(id int, size int64) {
	w.u16(id)
	w.u16(0)
	w.number(1<<32-1, 4) // no description
	w.u64(size)
}

// optionsSection writes options and the option that refers to the next section.
func (w *writer) optionsSection(options []byte, id int, next func() int64) {
	w.section(id, func(p *writer) {
		p.bytes(options)
		p.u16(ftrace.OptionDone)
		p.u32(8)
		p.u64(next())
	})
}

// table returns the option BUFFER.
func (l *loop) table(order binary.ByteOrder, bufferAt, data int64, clock string) []byte {
	var table, option bytes.Buffer
	t := newWriter(bufio.NewWriter(&table), order)
	t.u64(bufferAt)
	t.str("\x00" + clock + "\x00")
	t.u32(l.page)
	t.u32(len(l.cpus))
	for i := range l.cpus {
		t.u32(l.cpus[i].id)
		t.u64(data)
		t.u64(l.size(&l.cpus[i]))
		data += l.size(&l.cpus[i])
	}
	t.flush()
	o := newWriter(bufio.NewWriter(&option), order)
	o.option(ftrace.OptionBuffer, table.Bytes())
	o.flush()
	return option.Bytes()
}
