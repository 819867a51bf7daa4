package aix

import (
	"encoding/binary"
	"fmt"
)

// words writes a hook that is not generic, in one of the four forms for programs and kernels of two
// word sizes.
func (w *Writer) words(hook uint32, stamped bool, words ...uint64) {
	begin := len(w.buf)
	switch {
	case w.opts.Kernel64 && w.App64:
		w.head64(hook, stamped, 0, 8*len(words))
		w.append64(words)
	case w.opts.Kernel64:
		w.head64(hook, stamped, flag64App32, 4*len(words))
		w.append32(words)
		w.buf = pad(w.buf, begin+(len(w.buf)-begin+7)&^7)
	case w.App64:
		w.wrap(hook, stamped, 0, 8*len(words), 8*len(words))
		w.append64(words)
	default:
		kind := uint32(1 + len(words))
		if len(words) > 1 { // the kernel records zero, one or five (aix.md 2.1)
			kind = 6
		}
		w.buf = binary.BigEndian.AppendUint32(w.buf, hook&^0xF0000|typeBit(stamped)|kind<<16)
		w.append32(words)
		w.buf = pad(w.buf, begin+4*int(kind))
	}
	w.tail(stamped)
}

// generic writes a hook with a buffer.
func (w *Writer) generic(hook uint32, stamped bool, d1 uint64, buf []byte) {
	if len(buf) > MaxBuffer {
		w.fail(fmt.Errorf("aix: hook %08X: a buffer of %d bytes; %d is the most", hook, len(buf), MaxBuffer))
		return
	}
	begin, align := len(w.buf), 8
	switch {
	case w.opts.Kernel64:
		flags := uint16(flag64Generic)
		if !w.App64 {
			flags |= flag64App32
			if d1 = uint64(uint32(d1)); w.opts.ShortWord == ShortWordHigh {
				d1 <<= 32
			}
		}
		w.head64(hook, stamped, flags, len(buf))
		w.buf = binary.BigEndian.AppendUint64(w.buf, d1)
	case w.App64:
		w.wrap(hook, stamped, flag64Generic, len(buf), 8+len(buf))
		w.buf = binary.BigEndian.AppendUint64(w.buf, d1)
		align = 4
	default:
		w.buf = binary.BigEndian.AppendUint32(w.buf, hook&^0xFFFFF|typeBit(stamped)|uint32(len(buf)))
		w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(d1))
		align = 4
	}
	w.buf = append(w.buf, buf...)
	w.buf = pad(w.buf, begin+(len(w.buf)-begin+align-1)&^(align-1))
	w.tail(stamped)
}

// typeBit returns the bit of the type nibble that marks a stamped entry.
func typeBit(stamped bool) uint32 {
	if stamped {
		return 8 << 16
	}
	return 0
}

func (w *Writer) append32(words []uint64) {
	for _, v := range words {
		w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(v))
	}
}

func (w *Writer) append64(words []uint64) {
	for _, v := range words {
		w.buf = binary.BigEndian.AppendUint64(w.buf, v)
	}
}

// head64 writes a 64-bit hook word of a 64-bit kernel.
func (w *Writer) head64(hook uint32, stamped bool, flags uint16, n int) {
	if stamped {
		flags |= flag64Stamped
	}
	if w.CPU >= 0 && w.opts.CPUID != CPUIDNone {
		flags |= flag64CPU
	}
	if n := min(len(w.Registers), 8); n > 0 {
		flags |= flag64Registers | uint16(n-1)
	}
	w.buf = binary.BigEndian.AppendUint64(w.buf, uint64(flags)<<48|uint64(n)<<32|uint64(hook))
}

// wrap writes hook 00B. A 32-bit kernel records it for a 64-bit hook with n bytes. size includes
// the data word (aix.md 2.4).
func (w *Writer) wrap(hook uint32, stamped bool, flags uint16, n, size int) {
	if stamped {
		flags |= flag64Stamped
	}
	w.buf = binary.BigEndian.AppendUint32(w.buf, idHook64<<16|typeBit(stamped)|uint32(4+size))
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(flags)<<16|uint32(n))
	w.buf = binary.BigEndian.AppendUint32(w.buf, hook)
}

// tail writes the part after the data, and ends the entry.
func (w *Writer) tail(stamped bool) {
	defer w.done()
	if !w.opts.Kernel64 {
		w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(w.TID))
		if stamped {
			w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(w.Now))
		}
		return
	}
	place := CPUIDNone
	if w.CPU >= 0 {
		place = w.opts.CPUID
	}
	w.cpu(place == CPUIDBeforeTID)
	w.buf = binary.BigEndian.AppendUint64(w.buf, w.TID)
	w.cpu(place == CPUIDAfterTID)
	if stamped {
		w.buf = binary.BigEndian.AppendUint64(w.buf, w.Now)
	}
	w.cpu(place == CPUIDAfterStamp)
	w.append64(w.Registers[:min(len(w.Registers), 8)])
	w.cpu(place == CPUIDAfterRegisters)
}

func (w *Writer) cpu(here bool) {
	if here {
		w.buf = binary.BigEndian.AppendUint64(w.buf, uint64(w.CPU))
	}
}
