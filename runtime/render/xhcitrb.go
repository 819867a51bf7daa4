package render

// Types of transfer request blocks (TRBs), section 6.4.6 of the xHCI specification, with the names
// of xhci_trb_type_string.
const (
	trbNormal, trbSetup, trbData, trbStatus, trbIsoc, trbLink, trbEventData, trbNoOp = 1, 2, 3, 4, 5, 6, 7, 8

	trbEnableSlot, trbDisableSlot, trbAddressDevice, trbConfigureEndpoint = 9, 10, 11, 12
	trbEvaluateContext, trbResetEndpoint, trbStopRing, trbSetDequeue      = 13, 14, 15, 16
	trbResetDevice, trbForceEvent, trbBandwidth, trbLatency               = 17, 18, 19, 20
	trbPortBandwidth, trbForceHeader, trbNoOpCommand                      = 21, 22, 23

	trbFirstEvent, trbLastEvent = 32, 39
)

var trbTypes = []string{
	1: "Normal", 2: "Setup Stage", 3: "Data Stage", 4: "Status Stage", 5: "Isoch", 6: "Link", 7: "Event Data",
	8: "No-Op", 9: "Enable Slot Command", 10: "Disable Slot Command", 11: "Address Device Command",
	12: "Configure Endpoint Command", 13: "Evaluate Context Command", 14: "Reset Endpoint Command",
	15: "Stop Ring Command", 16: "Set TR Dequeue Pointer Command", 17: "Reset Device Command",
	18: "Force Event Command", 19: "Negotiate Bandwidth Command",
	20: "Set Latency Tolerance Value Command", 21: "Get Port Bandwidth Command",
	22: "Force Header Command", 23: "No-Op Command", 32: "Transfer Event",
	33: "Command Completion Event", 34: "Port Status Change Event", 35: "Bandwidth Request Event",
	36: "Doorbell Event", 37: "Host Controller Event", 38: "Device Notification Event",
	39: "MFINDEX Wrap Event", 48: "NEC Command Completion Event", 49: "NET Get Firmware Revision Command",
}

// trbCompletions are the completion codes, section 6.4.5.
var trbCompletions = []string{
	"Invalid", "Success", "Data Buffer Error", "Babble Detected", "USB Transaction Error", "TRB Error",
	"Stall Error", "Resource Error", "Bandwidth Error", "No Slots Available Error",
	"Invalid Stream Type Error", "Slot Not Enabled Error", "Endpoint Not Enabled Error", "Short Packet",
	"Ring Underrun", "Ring Overrun", "VF Event Ring Full Error", "Parameter Error",
	"Bandwidth Overrun Error", "Context State Error", "No Ping Response Error", "Event Ring Full Error",
	"Incompatible Device Error", "Missed Service Error", "Command Ring Stopped", "Command Aborted",
	"Stopped", "Stopped - Length Invalid", "Stopped - Short Packet", "Max Exit Latency Too Large Error",
	31: "Isoch Buffer Overrun", 32: "Event Lost Error", 33: "Undefined Error", 34: "Invalid Stream ID Error",
	35: "Secondary Bandwidth Error", 36: "Split Transaction Error",
}

// trb is the four dwords of a TRB.
type trb [4]uint64

func (t *trb) kind() uint64 { return t[3] >> 10 & 63 }

func (t *trb) appendKind(dst []byte) []byte { return pick(dst, t.kind(), trbTypes, unknown) }

// XHCITRB appends a TRB: xhci_decode_trb.
func XHCITRB(dst []byte, _ *Env, f0, f1, f2, f3 uint64) []byte {
	t := trb{f0 & 0xffffffff, f1 & 0xffffffff, f2 & 0xffffffff, f3 & 0xffffffff}
	switch k := t.kind(); {
	case k == trbLink:
		dst = t.appendAddress(append(dst, "LINK "...))
		dst = labelDec(dst, " intr ", t[2]>>22)
		dst = append(t.appendKind(append(dst, " type '"...)), '\'')
		return t.appendFlags(append(dst, " flags "...), "I5 C4 T1 C0")
	case k >= trbFirstEvent && k <= trbLastEvent:
		dst = t.appendAddress(append(dst, "TRB "...))
		dst = pick(append(dst, " status '"...), t[2]>>24, trbCompletions, "Unknown!!")
		dst = labelDec(dst, "' len ", t[2]&0xffffff)
		dst = labelDec(dst, " slot ", t[3]>>24)
		dst = labelDec(dst, " ep ", t[3]>>16&31)
		dst = append(t.appendKind(append(dst, " type '"...)), '\'')
		return t.appendFlags(append(dst, " flags "...), "E2 C0")
	case k >= trbNormal && k <= trbNoOp:
		return t.appendTransfer(dst)
	case k >= trbEnableSlot && k <= trbNoOpCommand:
		return t.appendCommand(dst)
	}
	dst = append(t.appendKind(append(dst, "type '"...)), "' -> raw"...)
	for _, f := range t {
		dst = HexPad(append(dst, ' '), f, 8)
	}
	return dst
}

func (t *trb) appendAddress(dst []byte) []byte { return HexPad(HexPad(dst, t[1], 8), t[0], 8) }

// appendFlags appends letters joined by colons. A letter is a capital if its bit of the last dword
// is set. set lists letters and the decimal numbers of their bits, separated by spaces.
func (t *trb) appendFlags(dst []byte, set string) []byte {
	for i := 0; i+1 < len(set); i += 3 {
		if i > 0 {
			dst = append(dst, ':')
		}
		c := set[i]
		if !bit(t[3], uint(set[i+1]-'0')) {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// appendTransfer prints a TRB of an endpoint's ring.
func (t *trb) appendTransfer(dst []byte) []byte {
	flags := "B9 I6 I5 C4 S3 I2 E1 C0"
	switch t.kind() {
	case trbSetup:
		dst = t.appendSetup(dst)
		flags = "I6 I5 C0"
	case trbData:
		flags = "I6 I5 C4 S3 I2 E1 C0"
	case trbStatus:
		flags = "I5 C4 E1 C0"
	}
	if t.kind() != trbSetup {
		dst = t.appendAddress(append(dst, "Buffer "...))
	}
	dst = labelDec(dst, " length ", t[2]&0x1ffff)
	dst = labelDec(dst, " TD size ", t[2]>>17&31)
	dst = labelDec(dst, " intr ", t[2]>>22)
	dst = append(t.appendKind(append(dst, " type '"...)), '\'')
	return t.appendFlags(append(dst, " flags "...), flags)
}

// appendSetup prints the setup packet in the first two dwords.
func (t *trb) appendSetup(dst []byte) []byte {
	dst = HexPad(append(dst, "bRequestType "...), t[0]&0xff, 2)
	dst = HexPad(append(dst, " bRequest "...), t[0]>>8&0xff, 2)
	dst = HexPad(append(dst, " wValue "...), t[0]>>16, 4)
	dst = HexPad(append(dst, " wIndex "...), t[1]&0xffff, 4)
	return labelDec(dst, " wLength ", t[1]>>16)
}

// appendCommand prints a TRB of the command ring.
func (t *trb) appendCommand(dst []byte) []byte {
	dst = append(t.appendKind(dst), ": "...)
	slot, ep, flags := t[3]>>24, t[3]>>16&31, "C0"
	switch t.kind() {
	case trbEnableSlot, trbNoOpCommand:
		return t.appendFlags(append(dst, "flags "...), flags)
	case trbDisableSlot, trbBandwidth, trbResetDevice:
		dst = labelDec(dst, "slot ", slot)
	case trbAddressDevice, trbConfigureEndpoint, trbEvaluateContext, trbResetEndpoint, trbPortBandwidth:
		dst = labelDec(t.appendAddress(append(dst, "ctx "...)), " slot ", slot)
		switch t.kind() {
		case trbAddressDevice:
			flags = "B9 C0"
		case trbConfigureEndpoint:
			flags = "D9 C0"
		case trbResetEndpoint:
			dst = labelDec(dst, " ep ", ep)
			flags = "T9 C0"
		case trbPortBandwidth:
			dst = labelDec(dst, " speed ", t[3]>>16&15)
		}
	case trbStopRing:
		dst = labelDec(dst, "slot ", slot)
		dst = labelDec(dst, " sp ", t[3]>>23&1)
		dst = labelDec(dst, " ep ", ep)
	case trbSetDequeue:
		dst = t.appendAddress(append(dst, "deq "...))
		dst = labelDec(dst, " stream ", t[2]>>16)
		dst = labelDec(dst, " slot ", slot)
		dst = labelDec(dst, " ep ", ep)
	case trbForceEvent:
		dst = t.appendAddress(append(dst, "event "...))
		dst = labelDec(dst, " vf intr ", t[2]>>22)
		dst = labelDec(dst, " vf id ", t[3]>>16&0xff)
	case trbLatency:
		dst = labelDec(dst, "belt ", t[3]>>16&0xfff)
	case trbForceHeader:
		dst = HexPad(HexPad(HexPad(append(dst, "info "...), t[2], 8), t[1], 8), t[0]&^31, 8)
		dst = labelDec(dst, " pkt type ", t[0]&31)
		dst = labelDec(dst, " roothub port ", slot)
	}
	return t.appendFlags(append(dst, " flags "...), flags)
}
