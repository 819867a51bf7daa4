package tracecmd

import (
	"encoding/binary"

	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Records of the blk tracer (trace-cmd record -p blk) have an id but no format: the kernel keeps
// them for blkparse. Their id is between the ids of user_stack and bputs (kernel/trace/trace.h,
// enum trace_type). Their text is the line of the kernel's own `trace` file. trace-cmd 3.1.6 prints
// only a number, which is not even the process on newer kernels.

// blkTraceFormat makes the description of the event. It returns nil if the ids of the recording
// leave no room for it.
func blkTraceFormat(byID map[uint32]*ftrace.Format) *ftrace.Format {
	for id, f := range byID {
		if f.System != "ftrace" || f.Name != "user_stack" || byID[id+1] != nil {
			continue
		}
		if next := byID[id+2]; next == nil || next.Name != "bputs" {
			continue
		}
		return &ftrace.Format{System: "ftrace", Name: plugin.BlkTrace, ID: int(id) + 1,
			Fields: f.Fields[:commonFields(f)]}
	}
	return nil
}

func commonFields(f *ftrace.Format) int {
	n := 0
	for n < len(f.Fields) && f.Fields[n].Common {
		n++
	}
	return n
}

// blkTrace is struct blk_io_trace, or blk_io_trace2 of newer kernels
// (include/uapi/linux/blktrace_api.h). The common header of events replaces its magic and sequence.
type blkTrace struct {
	sector, action          uint64
	bytes, pid, device, cpu uint32
	err                     uint16
	pdu                     []byte
}

// decode determines the structure by the length of the record. It returns false if the length fits
// neither.
func (t *blkTrace) decode(data []byte, order binary.ByteOrder) bool {
	rest := func(head, lengthAt int) bool {
		if len(data) < head {
			return false
		}
		n := int(order.Uint16(data[lengthAt:]))
		if head+n > len(data) || len(data)-head-n > 3 {
			return false
		}
		t.pdu = data[head : head+n]
		return true
	}
	switch {
	case rest(48, 46):
		t.action, t.pid = uint64(order.Uint32(data[28:])), order.Uint32(data[32:])
		t.device, t.cpu, t.err = order.Uint32(data[36:]), order.Uint32(data[40:]), order.Uint16(data[44:])
	case rest(64, 50):
		t.pid, t.action = order.Uint32(data[28:]), order.Uint64(data[32:])
		t.device, t.cpu, t.err = order.Uint32(data[40:]), order.Uint32(data[44:]), order.Uint16(data[48:])
	default:
		return false
	}
	t.sector, t.bytes = order.Uint64(data[16:]), order.Uint32(data[24:])
	return true
}

// newRawBlkTrace prints the fields. Package plugin has the text. The reference prints 0 instead of
// the data after the fields.
func newRawBlkTrace(in *input, reference bool) plugin.Handler {
	var order binary.ByteOrder = binary.LittleEndian
	if in.formats.target.BigEndian {
		order = binary.BigEndian
	}
	var t blkTrace
	return func(dst []byte, r *record.Record) []byte {
		if !t.decode(r.Data, order) {
			return render.Udec(append(dst, "size="...), uint64(len(r.Data)))
		}
		return t.appendRaw(dst, !reference)
	}
}

func (t *blkTrace) appendRaw(dst []byte, data bool) []byte {
	for _, f := range [...]struct {
		label string
		v     uint64
	}{
		{" sector=", t.sector}, {" bytes=", uint64(t.bytes)}, {" action=", t.action}, {" pid=", uint64(t.pid)},
		{" device=", uint64(t.device)}, {" cpu=", uint64(t.cpu)}, {" error=", uint64(t.err)},
		{" pdu_len=", uint64(len(t.pdu))},
	} {
		dst = render.Udec(append(dst, f.label...), f.v)
	}
	dst = append(dst, " data="...)
	if len(t.pdu) == 0 || !data {
		return append(dst, '0')
	}
	return appendByteList(dst, t.pdu)
}
