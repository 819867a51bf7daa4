package lttng

import (
	"fmt"
	"io"
)

// channelFile is one file that is being written.
type channelFile struct {
	w       *Writer
	out     io.WriteCloser
	compact bool
	block   []byte // the sub-buffer so far, including its header
	size    int    // size of a full sub-buffer
	begin   uint64
	// tsc is the last time stamp as a reader computes it. written is the intended one, because
	// compact ones are cut.
	tsc, written uint64
	blocks       int // number of complete sub-buffers
	lost         uint32
}

func newChannelFile(w *Writer, out io.WriteCloser, compact bool) *channelFile {
	f := &channelFile{w: w, out: out, compact: compact}
	f.start(w.layout.StartTSC)
	return f
}

// headerSize returns the size of the header of a sub-buffer.
func (l *Layout) headerSize() int {
	if _, n := oldHeader(l.Dialect); n > 0 {
		return n
	}
	return newHeader(l.Dialect)
}

func (f *channelFile) start(tsc uint64) {
	f.size, f.begin, f.tsc, f.written = f.w.layout.BlockSize, tsc, tsc, max(tsc, f.written)
	f.block = make([]byte, f.w.layout.headerSize(), f.size)
}

// pending reports whether the sub-buffer holds an event.
func (f *channelFile) pending() bool { return len(f.block) > f.w.layout.headerSize() }

// flush writes the sub-buffer and begins the next.
func (f *channelFile) flush(tsc uint64) error {
	tsc = max(tsc, f.written)
	used := len(f.block)
	f.header(f.block, tsc)
	f.block = append(f.block, make([]byte, f.size-used)...)
	if _, err := f.out.Write(f.block); err != nil {
		return err
	}
	f.blocks++
	f.start(tsc)
	return nil
}

// write writes an event. For a compact event, data go into its word.
func (f *channelFile) write(ev event, data uint32) error {
	if ev.tsc < f.written {
		return fmt.Errorf("lttng: an event of marker %s at %d, after one at %d", ev.marker.Name, ev.tsc, f.written)
	}
	if err := f.silence(ev.tsc); err != nil {
		return err
	}
	return f.add(&ev, data)
}

// add puts an event into the sub-buffer, or into the next one if there is no room.
func (f *channelFile) add(ev *event, data uint32) error {
	for fresh := false; ; fresh = true {
		used := len(f.block)
		f.event(ev, data)
		if len(f.block) <= f.size {
			break
		}
		if fresh || !f.pendingAt(used) {
			if !f.grow() {
				n := len(f.block)
				f.block = f.block[:used]
				return fmt.Errorf("lttng: an event of marker %s needs %d bytes, a sub-buffer has %d", ev.marker.Name, n,
					f.size)
			}
			break
		}
		f.block = f.block[:used]
		if err := f.flush(ev.tsc); err != nil {
			return err
		}
	}
	f.written, f.tsc = ev.tsc, f.seen(ev)
	return nil
}

// pendingAt is pending for the sub-buffer when it had n bytes.
func (f *channelFile) pendingAt(n int) bool { return n > f.w.layout.headerSize() }

// grow makes the sub-buffer as large as its only event needs, if the sizes of sub-buffers may
// differ.
func (f *channelFile) grow() bool {
	if f.w.layout.Dialect < V25 || f.w.layout.Dialect == Seed {
		return false
	}
	f.size = alignUp(len(f.block), pageSize)
	return f.size <= maxBlock
}

// seen returns the time stamp that a reader computes for an event. Compact ones keep the low bits
// of the previous one.
func (f *channelFile) seen(ev *event) uint64 {
	if !f.compact || ev.marker.payload.beats {
		return ev.tsc
	}
	low := uint64(1)<<f.w.layout.TSCLSB - 1
	return ev.tsc&^low | f.tsc&low
}

// silence writes heartbeats during a silence, so that a reader knows how often short time stamps
// have wrapped.
func (f *channelFile) silence(tsc uint64) error {
	l := &f.w.layout
	if !l.Dialect.heartbeats() || !l.Heartbeat {
		return nil
	}
	lsb, bits := uint(0), uint(32)
	if f.compact {
		lsb, bits = l.TSCLSB, l.TSCBits
	}
	if tsc>>lsb-f.tsc>>lsb < 1<<bits {
		return nil
	}
	if short := f.written + 1<<32 - 1; !f.compact && tsc-short < 1<<32 {
		return f.add(&event{tsc: short, marker: f.w.core[coreHeartbeat32].Marker}, 0)
	}
	return f.beat(tsc)
}

// beat writes a heartbeat with the whole time.
func (f *channelFile) beat(tsc uint64) error {
	m := f.w.core[coreHeartbeat64].Marker
	return f.add(&event{tsc: tsc, marker: m, data: f.w.order.AppendUint64(nil, tsc)}, 0)
}

// header sets the header of a sub-buffer that ends now (lttng.md 3).
func (f *channelFile) header(b []byte, end uint64) {
	l, o := &f.w.layout, f.w.order
	major, minor := l.Dialect.version()
	used := len(b)
	if scale, _ := oldHeader(l.Dialect); scale != 0 {
		o.PutUint64(b, f.begin)
		o.PutUint64(b[8:], l.Freq)
		o.PutUint64(b[16:], end)
		o.PutUint64(b[24:], l.Freq)
		o.PutUint32(b[32:], uint32(f.size-used))
		o.PutUint32(b[36:], uint32(f.size))
		o.PutUint32(b[40:], magic)
		b[56], b[57], b[58], b[59] = byte(l.WordSize), major, minor, l.FlightRecorder
		f.headerBytes(b)
		o.PutUint32(b[scale:], l.Scale)
		rest := b[scale+4:]
		o.PutUint64(rest, l.Freq)
		o.PutUint64(rest[8:], l.StartTSC)
		o.PutUint64(rest[16:], l.StartMonotonic)
		if l.Dialect == Seed {
			o.PutUint32(rest[24:], uint32(l.StartSec))
			o.PutUint32(rest[28:], uint32(l.StartUsec)*1000)
			return
		}
		o.PutUint64(rest[24:], l.StartSec)
		o.PutUint64(rest[32:], l.StartUsec)
		return
	}
	o.PutUint64(b, f.begin)
	o.PutUint64(b[8:], end)
	o.PutUint32(b[16:], magic)
	b[20], b[21], b[22], b[23] = major, minor, byte(l.WordSize), byte(l.Alignment)
	o.PutUint64(b[24:], l.StartSec)
	o.PutUint64(b[32:], l.StartUsec)
	o.PutUint64(b[40:], l.Freq)
	o.PutUint32(b[48:], l.Scale)
	if l.Dialect < V25 {
		used = f.size - used
	}
	o.PutUint32(b[52:], uint32(used))
	o.PutUint32(b[56:], uint32(f.size))
	if l.headerSize() >= countedHeader {
		o.PutUint32(b[60:], f.lost)
	}
}

// headerBytes sets the bytes that differ between the versions up to 2.0 (lttng.md 3.2).
func (f *channelFile) headerBytes(b []byte) {
	l := &f.w.layout
	beat := byte(0)
	if l.Heartbeat {
		beat = 1
	}
	switch l.Dialect {
	case V07:
		b[60], b[61] = beat, byte(min(l.Alignment, 1))
	case V08:
		b[60], b[61], b[62], b[63] = beat, byte(l.Alignment), byte(l.TSCLSB), byte(l.TSCBits)
	case V10, Seed:
		b[60], b[61], b[62], b[63], b[64] = beat, byte(l.Alignment), byte(l.TSCLSB), byte(l.TSCBits),
			byte(l.CompactShift)
	case V20:
		b[60], b[61], b[62] = byte(l.Alignment), shortBits, 32-shortBits
	}
}

// version returns the version of a dialect in headers. Seed has version 1.0 there.
func (d Dialect) version() (major, minor uint8) {
	for _, v := range [][2]uint8{{0, 7}, {0, 8}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}} {
		if dialectOf(v[0], v[1]) == d {
			return v[0], v[1]
		}
	}
	return 1, 0
}
