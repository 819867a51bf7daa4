package perftest

import (
	"encoding/binary"

	"github.com/tracec/tracec/runtime/record"
)

// Writer writes a perf.data with samples of tracepoints, on a little-endian machine.
type Writer struct {
	attrs   []uint32 // ids of tracepoints; the id of their samples is the index here, from 1
	records []byte
}

var order = binary.LittleEndian

// Types of records, and the contents of samples: IP, TID, TIME, CPU, PERIOD, RAW and IDENTIFIER
// (docs/spec/perf.md 2 to 4).
const (
	typeLost, typeSample = 2, 9
	sampleType           = 1 | 1<<1 | 1<<2 | 1<<7 | 1<<8 | 1<<10 | 1<<16
	sampleIDAll          = 1 << 18
	attrSize             = 128
	headerSize           = 104
)

// Add adds an event of a trace.dat as a sample. If events were lost before it, a record LOST
// precedes the sample.
func (w *Writer) Add(r *record.Record) {
	id, task := w.id(r.ID), uint32(r.Task)
	if r.Lost != 0 {
		body := order.AppendUint64(order.AppendUint64(nil, id), uint64(max(r.Lost, 1)))
		body = w.thread(body, task)
		body = order.AppendUint64(order.AppendUint64(body, r.Time), uint64(uint32(r.CPU)))
		w.record(typeLost, order.AppendUint64(body, id))
	}
	body := order.AppendUint64(order.AppendUint64(nil, id), 0)
	body = w.thread(body, task)
	body = order.AppendUint64(order.AppendUint64(body, r.Time), uint64(uint32(r.CPU)))
	body = order.AppendUint32(order.AppendUint64(body, 1), uint32((len(r.Data)+4+7)&^7-4))
	w.record(typeSample, append(body, r.Data...))
}

func (w *Writer) thread(b []byte, id uint32) []byte {
	return order.AppendUint32(order.AppendUint32(b, id), id)
}

func (w *Writer) id(tracepoint uint32) uint64 {
	for i, known := range w.attrs {
		if known == tracepoint {
			return uint64(i + 1)
		}
	}
	w.attrs = append(w.attrs, tracepoint)
	return uint64(len(w.attrs))
}

// record adds a record. Its body is padded to a multiple of 8 bytes.
func (w *Writer) record(kind uint32, body []byte) {
	body = append(body, make([]byte, -len(body)&7)...)
	b := order.AppendUint32(w.records, kind)
	b = order.AppendUint16(order.AppendUint16(b, 0), uint16(8+len(body)))
	w.records = append(b, body...)
}

// Bytes returns the file. tracing holds the descriptions of its tracepoints, as written by
// File.Tracing of package tracefile.
func (w *Writer) Bytes(tracing []byte) []byte {
	var ids, attrs []byte
	for i, id := range w.attrs {
		a := order.AppendUint32(order.AppendUint32(nil, 2), attrSize) // PERF_TYPE_TRACEPOINT
		for _, v := range []uint64{uint64(id), 1, sampleType, 0, sampleIDAll} {
			a = order.AppendUint64(a, v)
		}
		attrs = append(append(attrs, a...), make([]byte, attrSize-len(a))...)
		attrs = order.AppendUint64(order.AppendUint64(attrs, uint64(headerSize+len(ids))), 8)
		ids = order.AppendUint64(ids, uint64(i+1))
	}
	data := headerSize + len(ids) + len(attrs)
	const tracingData = 1 << 1 // the only feature
	b := []byte("PERFILE2")
	for _, v := range []int{
		headerSize, attrSize + 16, headerSize + len(ids), len(attrs), data, len(w.records), 0, 0, tracingData, 0, 0, 0,
	} {
		b = order.AppendUint64(b, uint64(v))
	}
	b = append(append(append(b, ids...), attrs...), w.records...)
	b = order.AppendUint64(order.AppendUint64(b, uint64(len(b)+16)), uint64(len(tracing)))
	return append(b, tracing...)
}
