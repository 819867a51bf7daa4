package plugin

import (
	"encoding/binary"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// BlkTrace is the name of the blk tracer's event. The kernel has no format file for it. trace-cmd
// has its own, with a bare number as the text (the pid; or, on kernel 7.2, half of the action). Our
// text is from the kernel's trace file (kernel/trace/blktrace.c), with and without -N.
const BlkTrace = "blktrace"

// blkLayout holds the offsets of the fields of struct blk_io_trace
// (include/uapi/linux/blktrace_api.h). The record starts with it. The common fields replace its
// first 8 bytes, magic and sequence. The time is not set.
type blkLayout struct {
	pid, action, device, cpu, err, pduLen int
	actionSize                            int
	size                                  int
}

var (
	blk1 = blkLayout{action: 28, actionSize: 4, pid: 32, device: 36, cpu: 40, err: 44, pduLen: 46, size: 48}
	// blk2 is struct blk_io_trace2 of kernel 7.2. Kernel 6.1 records blk1.
	blk2 = blkLayout{pid: 28, action: 32, actionSize: 8, device: 40, cpu: 44, err: 48, pduLen: 50, size: 64}
)

const blkSector, blkBytes = 16, 24

// blkLayout distinguishes the layouts by the length of the record, which is the length of the
// structure and the data after it.
func (c *Context) blkLayout(data []byte) *blkLayout {
	for _, l := range []*blkLayout{&blk1, &blk2} {
		if len(data) < l.size {
			continue
		}
		pdu := int(word(data[l.pduLen:l.pduLen+2], c.Target.BigEndian))
		if rest := len(data) - l.size - pdu; rest >= 0 && rest < 8 {
			return l
		}
	}
	return nil
}

// blkIO is a record of the blk tracer.
type blkIO struct {
	sector, action, err uint64
	bytes, device       uint32
	pid                 int32
	cgroup              uint64
	pdu                 []byte
}

// Bits of the action. The low half is the action itself, the high half the kind of request
// (BLK_TC_*, from bit 16).
const (
	blkCgroup  = 1 << 8
	blkMessage = 2 | 1<<(16+10)

	blkWrite   = 1 << (16 + 1)
	blkFlush   = 1 << (16 + 2)
	blkSync    = 1 << (16 + 3)
	blkPC      = 1 << (16 + 9)
	blkAhead   = 1 << (16 + 11)
	blkMeta    = 1 << (16 + 12)
	blkDiscard = 1 << (16 + 13)
	blkFUA     = 1 << (16 + 15)
)

func (c *Context) blkRead(b *blkIO, data []byte) bool {
	l := c.blkLayout(data)
	if l == nil {
		return false
	}
	get := func(at, size int) uint64 { return word(data[at:at+size], c.Target.BigEndian) }
	*b = blkIO{
		sector: get(blkSector, 8), bytes: uint32(get(blkBytes, 4)), action: get(l.action, l.actionSize),
		err: get(l.err, 2), device: uint32(get(l.device, 4)), pid: int32(get(l.pid, 4)),
		pdu: data[l.size : l.size+int(get(l.pduLen, 2))],
	}
	if b.action&blkCgroup != 0 && len(b.pdu) >= 8 {
		b.cgroup = word(b.pdu[:8], c.Target.BigEndian)
		b.pdu = b.pdu[8:]
	}
	return true
}

// newBlkTrace prints `254,48 Q WSM 279100 + 2 [jbd2/vdd-8]`.
func newBlkTrace(c *Context, _ *layout) Handler {
	var b blkIO // declared here, since calls through blkActions would move it to the heap
	return func(dst []byte, r *record.Record) []byte {
		if !c.blkRead(&b, r.Data) {
			return short(dst, len(r.Data), blk1.size)
		}
		if b.action&^blkCgroup == blkMessage {
			dst = b.putHead(dst, "m")
			return append(dst, b.pdu...)
		}
		what := b.action & 0xffff &^ blkCgroup
		if what == 0 || what >= uint64(len(blkActions)) {
			return putHex(dst, "Unknown action ", what)
		}
		a := &blkActions[what]
		dst = b.putHead(dst, a.letter)
		return a.put(&b, dst, c.comm(r.Task))
	}
}

func (c *Context) comm(pid int32) string {
	if c.Comm == nil {
		return "<...>"
	}
	return c.Comm(pid)
}

// putHead appends device, action and kind of request, in columns.
func (b *blkIO) putHead(dst []byte, act string) []byte {
	num := render.Spec{Verb: 'd', Width: 3, Prec: -1}
	dst = render.Uint(dst, uint64(b.device>>20), num)
	dst = append(dst, ',')
	num.Minus = true
	dst = render.Uint(dst, uint64(b.device&(1<<20-1)), num)
	if b.action&blkCgroup != 0 {
		dst = putHex(dst, " ", b.cgroup&0xffffffff)
		dst = putHex(dst, ",", b.cgroup>>32)
	}
	dst = append(dst, ' ')
	dst = putRight(dst, act, 2)
	dst = append(dst, ' ')
	var kind [8]byte
	dst = putRight(dst, string(b.kind(kind[:0])), 3)
	return append(dst, ' ')
}

// putRight appends s, right-aligned to width.
func putRight(dst []byte, s string, width int) []byte {
	for n := len(s); n < width; n++ {
		dst = append(dst, ' ')
	}
	return append(dst, s...)
}

// kind returns the letters of a request: RWBS.
func (b *blkIO) kind(dst []byte) []byte {
	if b.action&^blkCgroup == blkMessage {
		return append(dst, 'N')
	}
	if b.action&blkFlush != 0 {
		dst = append(dst, 'F')
	}
	switch {
	case b.action&blkDiscard != 0:
		dst = append(dst, 'D')
	case b.action&blkWrite != 0:
		dst = append(dst, 'W')
	case b.bytes != 0:
		dst = append(dst, 'R')
	default:
		dst = append(dst, 'N')
	}
	for _, f := range [...]struct {
		bit    uint64
		letter byte
	}{{blkFUA, 'F'}, {blkAhead, 'A'}, {blkSync, 'S'}, {blkMeta, 'M'}} {
		if b.action&f.bit != 0 {
			dst = append(dst, f.letter)
		}
	}
	return dst
}

// blkActions are the actions by number (__BLK_TA_*).
var blkActions = [...]struct {
	letter string
	put    func(b *blkIO, dst []byte, comm string) []byte
}{
	1: {"Q", (*blkIO).generic}, 2: {"M", (*blkIO).generic}, 3: {"F", (*blkIO).generic},
	4: {"G", (*blkIO).generic}, 5: {"S", (*blkIO).generic}, 6: {"R", (*blkIO).withError},
	7: {"D", (*blkIO).generic}, 8: {"C", (*blkIO).withError}, 9: {"P", (*blkIO).plug},
	10: {"U", (*blkIO).unplug}, 11: {"UT", (*blkIO).unplug}, 12: {"I", (*blkIO).generic},
	13: {"X", (*blkIO).split}, 14: {"B", (*blkIO).generic}, 15: {"A", (*blkIO).remap},
}

func (b *blkIO) blocks(dst []byte) []byte {
	dst = render.Udec(dst, b.sector)
	dst = append(dst, " + "...)
	return render.Udec(dst, uint64(b.bytes>>9))
}

func putBracketed(dst []byte, s string) []byte {
	dst = append(dst, '[')
	dst = append(dst, s...)
	return append(dst, ']')
}

func (b *blkIO) generic(dst []byte, comm string) []byte {
	switch {
	case b.action&blkPC != 0:
		dst = render.Udec(dst, uint64(b.bytes))
		dst = append(dst, ' ')
		dst = b.dump(dst)
	case b.bytes>>9 != 0:
		dst = b.blocks(dst)
		dst = append(dst, ' ')
	}
	return putBracketed(dst, comm)
}

func (b *blkIO) withError(dst []byte, _ string) []byte {
	switch {
	case b.action&blkPC != 0:
		dst = b.dump(dst)
	case b.bytes>>9 != 0:
		dst = append(b.blocks(dst), ' ')
	default:
		dst = append(render.Udec(dst, b.sector), ' ')
	}
	dst = append(dst, '[')
	dst = render.Udec(dst, b.err)
	return append(dst, ']')
}

func (b *blkIO) plug(dst []byte, comm string) []byte { return putBracketed(dst, comm) }

func (b *blkIO) unplug(dst []byte, comm string) []byte {
	dst = append(putBracketed(dst, comm), ' ')
	return render.Udec(dst, b.number(0))
}

func (b *blkIO) split(dst []byte, comm string) []byte {
	dst = append(render.Udec(dst, b.sector), " / "...)
	dst = append(render.Udec(dst, b.number(0)), ' ')
	return putBracketed(dst, comm)
}

// remap prints the origin of a request for a partition or a volume. Its data are two device numbers
// and a sector, big-endian (struct blk_io_trace_remap).
func (b *blkIO) remap(dst []byte, _ string) []byte {
	from := uint32(b.number(0) >> 32)
	dst = append(b.blocks(dst), " <- ("...)
	dst = append(render.Udec(dst, uint64(from>>20)), ',')
	dst = append(render.Udec(dst, uint64(from&(1<<20-1))), ") "...)
	return render.Udec(dst, b.number(8))
}

// number reads a 64-bit number from the data after the structure. They are big-endian on every
// machine.
func (b *blkIO) number(at int) uint64 {
	if len(b.pdu) < at+8 {
		return 0
	}
	return binary.BigEndian.Uint64(b.pdu[at:])
}

// dump prints a command in the device's own language, without the zeros at its end.
func (b *blkIO) dump(dst []byte) []byte {
	if len(b.pdu) == 0 {
		return dst
	}
	end := len(b.pdu)
	for end > 0 && b.pdu[end-1] == 0 {
		end--
	}
	dst = append(dst, '(')
	for i, x := range b.pdu {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, hexDigits[x>>4], hexDigits[x&15])
		if i == end && end != len(b.pdu)-1 {
			return append(dst, " ..) "...)
		}
	}
	return append(dst, ") "...)
}
