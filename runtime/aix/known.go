package aix

import (
	"encoding/binary"
	"math"
)

// known is the knowledge from the entries of a stream so far. The evidence for damaged entries
// depends on it.
type known struct {
	once, often [1 << 12]uint16 // by the three digits of a hook: shapes of its data seen once, and more than once
	threads     [512]seenThread
	entries     int
	bare        int // entries without a stamp
}

type seenThread struct {
	tid  uint64
	seen int
}

// shape returns a bit for the amount of data of a hook: one for each number of half words, and one
// for generic hooks.
func (h *head) shape() uint16 {
	if h.flags&Generic != 0 {
		return 1 << 15
	}
	return 1 << min(h.data/4, 14)
}

func (k *known) thread(tid uint64) *seenThread { return &k.threads[tid*0x9E3779B97F4A7C15>>55] }

// learn adds the entry at the beginning of b.
func (k *known) learn(b []byte, h *head) {
	shape, id := h.shape(), h.id>>4
	k.often[id] |= k.once[id] & shape
	k.once[id] |= shape
	tid := h.thread(b)
	switch t := k.thread(tid); {
	case t.tid == tid:
		t.seen++
	case t.seen > 1:
		t.seen-- // a thread that is seen often stays
	default:
		*t = seenThread{tid, 1}
	}
	k.entries++
	if h.flags&Stamped == 0 {
		k.bare++
	}
}

// thread reads the thread id.
func (h *head) thread(b []byte) uint64 {
	if h.flags&Trace64 != 0 {
		return binary.BigEndian.Uint64(b[h.tid:])
	}
	return uint64(binary.BigEndian.Uint32(b[h.tid:]))
}

// The evidence for and against an entry, in bits. It is the logarithm of the ratio between the
// frequencies of this appearance in entries and in other bytes. The evidence against an entry must
// not outweigh a gap: entries between others are read even if they look strange.
const (
	bitsShape        = 8   // a hook with an amount of data that it had more than once before
	bitsShapeOnce    = 4   // or once before
	bitsNoHook       = -5  // an unknown hook
	bitsDescribed    = -2  // a hook that had other amounts of data, but is described
	bitsNotDescribed = -9  // the same for a hook that is not described
	bitsOwnHook      = -3  // a hook of the trace facility itself; these are rare
	bitsZeroID       = -12 // the hook id 0; the report has a template for it (004)
	bitsThread       = 12  // a thread seen more than once
	bitsThreadOnce   = 5
	bitsThreadZero   = 2 // the thread id 0 or -1; data are full of these
	bitsNoThread     = -2
	bitsAnyThread    = 3   // a possible thread id, if no thread is known
	bitsBadThread    = -10 // a number that no system assigns to a thread
	bitsHighThread   = -3  // a number that a 32-bit system hardly ever assigns
	bitsHook64       = 6   // one in 400 words of 8 bytes can be a hook word, and one in 3 of 4 bytes
	bitsBare         = -6  // no stamp although all other entries have one
	bitsCPU          = 6   // a possible processor id, or no id
	bitsContradict   = -14 // a hook 00B whose hook words have contradictory lengths
)

// weigh returns the evidence for the entry at the beginning of b, without the evidence of its
// stamp.
func (y *history) weigh(b []byte, h *head) int32 {
	k, bits := y.known, int32(0)
	id, shape := h.id>>4, h.shape()
	switch {
	case h.id == 0:
		bits = bitsZeroID
	case k.often[id]&shape != 0:
		bits = bitsShape
	case k.once[id]&shape != 0:
		bits = bitsShapeOnce
	case k.once[id] == 0 && y.described != nil && y.described.has(h.id):
		bits = bitsDescribed
	case k.once[id] == 0 && y.described != nil:
		bits = bitsNotDescribed
	case k.once[id] == 0 && k.entries > 0:
		bits = bitsNoHook
	}
	if id > 0 && id < idUtility>>4 {
		bits += bitsOwnHook
	}
	if y.form.is64 && h.id != 0 && h.flags&Stamped != 0 {
		bits += bitsHook64
	}
	bits += y.weighThread(b, h)
	if !y.form.is64 && h.thread(b) >= 1<<24 {
		bits += bitsHighThread
	}
	if h.flags&Stamped == 0 && k.bare*16 < k.entries {
		bits += bitsBare
	}
	if h.flags&HasCPU != 0 {
		cpu, _, _ := y.form.places(h, binary.BigEndian.Uint16(b))
		if binary.BigEndian.Uint64(b[cpu:]) < 1<<12 {
			bits += bitsCPU
		} else {
			bits -= bitsCPU
		}
	}
	if h.reform && y.contradicts(b[:h.size], h) {
		bits += bitsContradict
	}
	return bits
}

func (y *history) weighThread(b []byte, h *head) int32 {
	tid := h.thread(b)
	switch t := y.known.thread(tid); {
	case tid == 0 || uint32(tid) == math.MaxUint32:
		return bitsThreadZero
	case !y.form.threadLike(b, h):
		return bitsBadThread
	case y.known.entries == 0:
		return bitsAnyThread
	case t.tid != tid:
		return bitsNoThread
	case t.seen > 1:
		return bitsThread
	}
	return bitsThreadOnce
}
