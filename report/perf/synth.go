package perf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/tracec/tracec/runtime/perf"
)

// The events that perf inject makes from traces of Intel PT, by their configuration.
const (
	intelWrite = iota // PTWRITE
	intelWait         // MWAIT
	intelPowerEntry
	intelExecStop
	intelPowerExit
	intelRatio // of the clocks of the core and the bus
	intelSync
	intelEvent
	intelInterruptFlag
)

// synthWidth is the width of the texts of these events.
const synthWidth = 34

// synthesized appends the text of an event that perf has made. It appends nothing if the event is
// too short or of another kind. Numbers are little-endian on all machines.
func synthesized(dst []byte, kind uint64, raw []byte, old bool) []byte {
	at := len(dst)
	if n, ok := synthSizes[kind]; !ok || len(raw) < n {
		return dst
	}
	flags, payload := uint64(binary.LittleEndian.Uint32(raw)), uint64(0)
	if len(raw) >= 12 {
		payload = binary.LittleEndian.Uint64(raw[4:])
	}
	put := func(format string, args ...any) { dst = fmt.Appendf(dst, format, args...) }
	switch kind {
	case intelWrite:
		put(" IP: %d payload: %s %s ", flags&1, offset(payload), written(raw[4:12]))
	case intelWait:
		put(" hints: %s extensions: %s ", offset(payload&0xff), offset(payload>>32&3))
	case intelPowerEntry:
		put(" hw: %d cstate: %d sub-cstate: %d ", payload>>7&1, payload>>12&15, payload>>8&15)
	case intelExecStop:
		put(" IP: %d ", flags&1)
	case intelPowerExit:
		put(" deepest cstate: %d last cstate: %d wake reason: %s ", payload&15, payload>>4&15, offset(payload>>8&15))
	case intelRatio:
		put(" cbr: %2d freq: %4d MHz ", flags&0xff, (uint64(binary.LittleEndian.Uint32(raw[4:]))+500)/1000)
		if most := flags >> 16 & 0xff; most != 0 {
			put("(%3d%%) ", (5+1000*(flags&0xff)/most)/10)
		}
	case intelSync:
		put(" psb offs: %s ", offset(payload))
	case intelEvent:
		put(" cfe: %s IP: %d vector: %d", flowEvent(flags&31, old), flags>>7&1, flags>>8&0xff)
		dst = eventData(dst, int(flags>>16), raw[4:])
	case intelInterruptFlag:
		by := "non"
		if flags&2 != 0 {
			by = "via"
		}
		put(" IFLAG: %d->%d %s branch ", 1-flags&1, flags&1, by)
	}
	return pad(dst, synthWidth-(len(dst)-at))
}

// synthSizes are the minimum sizes of the kinds, in bytes.
var synthSizes = map[uint64]int{
	intelWrite: 12, intelWait: 12, intelPowerEntry: 12, intelExecStop: 4, intelPowerExit: 12, intelRatio: 8,
	intelSync: 12, intelEvent: 4, intelInterruptFlag: 12,
}

// written returns a payload as text if it is ASCII.
func written(b []byte) []byte {
	text, zeros, _ := bytes.Cut(b, []byte{0})
	if len(bytes.Trim(zeros, "\x00")) > 0 {
		return nil
	}
	for _, c := range text {
		if c < ' ' || c > '~' {
			return nil
		}
	}
	return text
}

var flowEvents = []string{
	1: "INTR", 2: "IRET", 3: "SMI", 4: "RSM", 5: "SIPI", 6: "INIT", 7: "VMENTRY", 8: "VMEXIT", 9: "VMEXIT_INTR",
	10: "SHUTDOWN", 12: "UINTR", 13: "UIRET",
}

// flowEvent returns the name of a control flow event. Perf before 6.2 does not know the last two.
func flowEvent(n uint64, old bool) string {
	if n < uint64(len(flowEvents)) && flowEvents[n] != "" && (n < 12 || !old) {
		return flowEvents[n]
	}
	return strconv.FormatUint(n, 10)
}

// eventData appends n data of a control flow event, or as many as b holds.
func eventData(dst []byte, n int, b []byte) []byte {
	const size = 16
	for ; n > 0 && len(b) >= size; n, b = n-1, b[size:] {
		kind := binary.LittleEndian.Uint64(b) & 63
		name := "EVD_" + strconv.FormatUint(kind, 10)
		if names := [...]string{"PFA", "VMXQ", "VMXR"}; kind < uint64(len(names)) {
			name = names[kind]
		}
		dst = fmt.Appendf(dst, " %s: %s", name, offset(binary.LittleEndian.Uint64(b[8:])))
	}
	return dst
}

// isSynthesized reports whether perf has made the samples of an event.
func isSynthesized(a *perf.Attr) bool { return a.Type == 1<<31 }
