package tracecmd

import (
	"encoding/binary"

	"github.com/tracec/tracec/runtime/render"
)

// The categories of an action, from bit 16 on.
const (
	blkRead = 1 << (16 + iota)
	blkWrite
	blkFlush
	blkSync
	blkQueue
	blkRequeue
	blkIssue
	blkComplete
	blkFS
	blkPC
	blkNotify
	blkAhead
	blkMeta
	blkDiscard
	blkDriver
	blkFUA
)

// blkMessage is the action of a BLK_TN_MESSAGE, blkCgroup the bit that says that the id of a cgroup stands
// before the pdu.
const (
	blkMessage = 2
	blkCgroup  = 1 << 8
)

// blkActions are the letters of the actions (kernel/trace/blktrace.c: what2act) and what follows them.
var blkActions = [...]struct {
	letter string
	put    func(dst []byte, t *blkTrace, comm string) []byte
}{
	1: {"Q", putBlkGeneric}, 2: {"M", putBlkGeneric}, 3: {"F", putBlkGeneric}, 4: {"G", putBlkGeneric},
	5: {"S", putBlkGeneric}, 6: {"R", putBlkError}, 7: {"D", putBlkGeneric}, 8: {"C", putBlkError},
	9: {"P", putBlkComm}, 10: {"U", putBlkUnplug}, 11: {"UT", putBlkUnplug}, 12: {"I", putBlkGeneric},
	13: {"X", putBlkSplit}, 14: {"B", putBlkGeneric}, 15: {"A", putBlkRemap},
}

// appendText is `254,48   Q  WS 17922 + 480 [dd]`: device, action, kind of request and what belongs to the action.
func (t *blkTrace) appendText(dst []byte, comm string) []byte {
	start := len(dst)
	dst = render.Udec(dst, uint64(t.device>>20))
	dst = append(padLeft(dst, start, 3), ',')
	start = len(dst)
	dst = render.Udec(dst, uint64(t.device&(1<<20-1)))
	dst = append(padRight(dst, start, 3), ' ')
	action := int(t.action & 0xff)
	message := t.action&blkNotify != 0 && action == blkMessage
	letter := "?"
	switch {
	case message:
		letter = "m"
	case action < len(blkActions) && action > 0:
		letter = blkActions[action].letter
	}
	start = len(dst)
	dst = append(padLeft(append(dst, letter...), start, 2), ' ')
	start = len(dst)
	dst = append(padLeft(t.appendKind(dst, message), start, 3), ' ')
	if t.action&blkCgroup != 0 && len(t.pdu) >= 8 {
		t.pdu = t.pdu[8:]
	}
	switch {
	case message:
		return append(dst, render.CString(t.pdu)...)
	case letter == "?":
		return render.Udec(append(dst, "unknown action "...), uint64(action))
	}
	return blkActions[action].put(dst, t, comm)
}

// appendKind is the letters of a request (fill_rwbs).
func (t *blkTrace) appendKind(dst []byte, message bool) []byte {
	if message {
		return append(dst, 'N')
	}
	if t.action&blkFlush != 0 {
		dst = append(dst, 'F')
	}
	switch {
	case t.action&blkDiscard != 0:
		dst = append(dst, 'D')
	case t.action&blkWrite != 0:
		dst = append(dst, 'W')
	case t.bytes != 0:
		dst = append(dst, 'R')
	default:
		dst = append(dst, 'N')
	}
	for _, x := range [...]struct {
		bit    uint64
		letter byte
	}{{blkFUA, 'F'}, {blkAhead, 'A'}, {blkSync, 'S'}, {blkMeta, 'M'}} {
		if t.action&x.bit != 0 {
			dst = append(dst, x.letter)
		}
	}
	return dst
}

// putBlkRange is `sector + sectors `.
func putBlkRange(dst []byte, t *blkTrace) []byte {
	dst = render.Udec(dst, t.sector)
	dst = append(dst, " + "...)
	return append(render.Udec(dst, uint64(t.bytes>>9)), ' ')
}

func putBlkComm(dst []byte, _ *blkTrace, comm string) []byte {
	return append(append(append(dst, '['), comm...), ']')
}

func putBlkGeneric(dst []byte, t *blkTrace, comm string) []byte {
	switch {
	case t.action&blkPC != 0:
		dst = putBlkPDU(dst, t.pdu)
	case t.bytes>>9 != 0:
		dst = putBlkRange(dst, t)
	}
	return putBlkComm(dst, t, comm)
}

// putBlkPDU is the command of a driver, `(12 00 ..) `, without the zeros at its end.
func putBlkPDU(dst, pdu []byte) []byte {
	end := len(pdu)
	for end > 0 && pdu[end-1] == 0 {
		end--
	}
	if end == 0 {
		return dst
	}
	const digits = "0123456789abcdef"
	dst = append(dst, '(')
	for i, c := range pdu[:end] {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	if end < len(pdu) {
		dst = append(dst, " .."...)
	}
	return append(dst, ") "...)
}

func putBlkError(dst []byte, t *blkTrace, _ string) []byte {
	switch {
	case t.action&blkPC != 0:
		dst = putBlkPDU(dst, t.pdu)
	case t.bytes>>9 != 0:
		dst = putBlkRange(dst, t)
	default:
		dst = append(render.Udec(dst, t.sector), ' ')
	}
	dst = append(dst, '[')
	return append(render.Dec(dst, int64(int16(t.err))), ']')
}

// The numbers in a pdu are big-endian on all machines.
func (t *blkTrace) pduNumber(at, size int) uint64 {
	switch {
	case at+size > len(t.pdu):
		return 0
	case size == 4:
		return uint64(binary.BigEndian.Uint32(t.pdu[at:]))
	}
	return binary.BigEndian.Uint64(t.pdu[at:])
}

func putBlkUnplug(dst []byte, t *blkTrace, comm string) []byte {
	dst = append(putBlkComm(dst, t, comm), ' ')
	return render.Udec(dst, t.pduNumber(0, 8))
}

func putBlkSplit(dst []byte, t *blkTrace, comm string) []byte {
	dst = append(render.Udec(dst, t.sector), " / "...)
	dst = append(render.Udec(dst, t.pduNumber(0, 8)), ' ')
	return putBlkComm(dst, t, comm)
}

func putBlkRemap(dst []byte, t *blkTrace, _ string) []byte {
	dst = append(putBlkRange(dst, t), "<- ("...)
	from := t.pduNumber(0, 4)
	dst = append(render.Udec(dst, from>>20), ',')
	dst = append(render.Udec(dst, from&(1<<20-1)), ") "...)
	return render.Udec(dst, t.pduNumber(8, 8))
}
