package main

import (
	"bufio"
	"encoding/binary"

	"github.com/tracec/tracec/runtime/ftrace"
)

// writer writes numbers in the recording's byte order and counts the bytes.
type writer struct {
	w     *bufio.Writer
	order binary.ByteOrder
	off   int64
}

func newWriter(w *bufio.Writer, order binary.ByteOrder) *writer { return &writer{w: w, order: order} }

func (w *writer) flush() error { return w.w.Flush() } // bufio keeps the first error

func (w *writer) bytes(b []byte) {
	w.w.Write(b)
	w.off += int64(len(b))
}

func (w *writer) str(s string) { w.bytes([]byte(s)) }

func (w *writer) number(v uint64, size int) {
	var b [8]byte
	switch size {
	case 2:
		w.order.PutUint16(b[:], uint16(v))
	case 4:
		w.order.PutUint32(b[:], uint32(v))
	default:
		w.order.PutUint64(b[:], v)
	}
	w.bytes(b[:size])
}

func (w *writer) u16(v int)   { w.number(uint64(v), 2) }
func (w *writer) u32(v int)   { w.number(uint64(v), 4) }
func (w *writer) u64(v int64) { w.number(uint64(v), 8) }

func (w *writer) text(s string, size int) {
	w.number(uint64(len(s)), size)
	w.str(s)
}

// align writes zeros up to a page.
func (w *writer) align(page int) {
	w.bytes(make([]byte, aligned(w.off, page)-w.off))
}

func aligned(off int64, page int) int64 { return (off + int64(page) - 1) / int64(page) * int64(page) }

func (w *writer) prefix(version string, info *ftrace.Info, page int) {
	w.str("\x17\x08\x44tracing" + version + "\x00")
	order := byte(0)
	if w.order.String() == binary.BigEndian.String() {
		order = 1
	}
	w.bytes([]byte{order, byte(info.RecorderWord)})
	w.u32(page)
}

// headers writes the blocks that both versions have.
func (w *writer) headers(info *ftrace.Info) {
	w.str("header_page\x00")
	w.text(info.HeaderPage, 8)
	w.str("header_event\x00")
	w.text(info.HeaderEvent, 8)
}

func (w *writer) ftraceFormats(systems []system) {
	for _, s := range systems {
		if s.name == "ftrace" {
			w.formats(s.formats)
			return
		}
	}
	w.u32(0)
}

func (w *writer) eventFormats(systems []system) {
	n := 0
	for _, s := range systems {
		if s.name != "ftrace" {
			n++
		}
	}
	w.u32(n)
	for _, s := range systems {
		if s.name != "ftrace" {
			w.str(s.name + "\x00")
			w.formats(s.formats)
		}
	}
}

func (w *writer) formats(list []*ftrace.Format) {
	w.u32(len(list))
	for _, f := range list {
		w.text(f.Text, 8)
	}
}

type system struct {
	name    string
	formats []*ftrace.Format
}

// bySystem groups formats by system, in the order of the systems' first formats.
func bySystem(formats []*ftrace.Format) []system {
	index := map[string]int{}
	var list []system
	for _, f := range formats {
		i, ok := index[f.System]
		if !ok {
			i = len(list)
			index[f.System] = i
			list = append(list, system{name: f.System})
		}
		list[i].formats = append(list[i].formats, f)
	}
	return list
}

// kept returns the options about the machine or the time, which contain no offsets.
func kept(info *ftrace.Info) []ftrace.Option {
	var list []ftrace.Option
	for _, o := range info.Options {
		switch o.ID {
		case ftrace.OptionDate, ftrace.OptionUname, ftrace.OptionHook, ftrace.OptionOffset, ftrace.OptionVersion,
			ftrace.OptionProcMaps, ftrace.OptionTraceID, ftrace.OptionTSC2NSEC:
			list = append(list, o)
		}
	}
	return list
}

func (w *writer) option(id int, payload []byte) {
	w.u16(id)
	w.u32(len(payload))
	w.bytes(payload)
}

// cpuCount returns the largest CPU number plus one.
func (l *loop) cpuCount() int {
	n := 0
	for _, c := range l.cpus {
		n = max(n, c.id+1)
	}
	return n
}
