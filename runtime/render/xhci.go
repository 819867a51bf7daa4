package render

// Text of the contexts and registers of an xHCI host, as the xhci_decode_ functions of
// drivers/usb/host/xhci.h print them in 6.1. The bits are defined in the xHCI specification. In
// 7.2, a port and an isochronous TRB print the same bits in other words. The version is not
// recorded.

func bit(v uint64, n uint) bool { return v>>n&1 != 0 }

// flag appends on if bit n of v is set, else off.
func flag(dst []byte, v uint64, n uint, on, off string) []byte {
	if bit(v, n) {
		return append(dst, on...)
	}
	return append(dst, off...)
}

// pick appends names[v], or other if there is no such name.
func pick(dst []byte, v uint64, names []string, other string) []byte {
	if v < uint64(len(names)) && names[v] != "" {
		other = names[v]
	}
	return append(dst, other...)
}

// endpoint appends the number and direction of endpoint context n: 1in, 2out.
func endpoint(dst []byte, n uint64) []byte {
	return flag(Udec(dst, n/2), n, 0, "in", "out")
}

var (
	xhciSpeeds = []string{
		1: "full-speed", 2: "low-speed", 3: "high-speed", 4: "super-speed", 5: "super-speed plus",
	}
	xhciSlotStates     = []string{"enabled/disabled", "default", "addressed", "configured"}
	xhciEndpointStates = []string{"disabled", "running", "halted", "stopped", "error"}
	xhciEndpointTypes  = []string{
		"", "Isoc OUT", "Bulk OUT", "Int OUT", "Ctrl", "Isoc IN", "Bulk IN", "Int IN",
	}
	xhciLinkStates = []string{
		"U0", "U1", "U2", "U3", "Disabled", "RxDetect", "Inactive", "Polling", "Recovery", "Hot Reset",
		"Compliance mode", "Test mode", 15: "Resume",
	}
)

// XHCISlot appends the four dwords of a slot context: xhci_decode_slot_context.
func XHCISlot(dst []byte, _ *Env, info, info2, tt, state uint64) []byte {
	dst = HexPad(append(dst, "RS "...), info&0xfffff, 5)
	dst = pick(append(dst, ' '), info>>20&15, xhciSpeeds, "UNKNOWN speed")
	dst = flag(dst, info, 25, " multi-TT", "")
	dst = flag(dst, info, 26, " Hub", "")
	dst = labelDec(dst, " Ctx Entries ", info>>27&31)
	dst = labelDec(dst, " MEL ", info2&0xffff)
	dst = labelDec(dst, " us Port# ", info2>>16&0xff)
	dst = labelDec(dst, "/", info2>>24&0xff)
	dst = labelDec(dst, " [TT Slot ", tt&0xff)
	dst = labelDec(dst, " Port# ", tt>>8&0xff)
	dst = labelDec(dst, " TTT ", tt>>16&3)
	dst = labelDec(dst, " Intr ", tt>>22&0x3ff)
	dst = labelDec(dst, "] Addr ", state&0xff)
	return pick(append(dst, " State "...), state>>27&31, xhciSlotStates, "reserved")
}

// XHCIEndpoint appends the fields of an endpoint context. deq is its dequeue pointer, a u64:
// xhci_decode_ep_context.
func XHCIEndpoint(dst []byte, _ *Env, info, info2, deq, tx uint64) []byte {
	dst = pick(append(dst, "State "...), info&7, xhciEndpointStates, "INVALID")
	dst = labelDec(dst, " mult ", info>>8&3+1)
	dst = labelDec(dst, " max P. Streams ", info>>10&31)
	dst = flag(append(dst, ' '), info, 15, "LSA ", "")
	// The interval is an int in the kernel. A shift beyond its width is taken modulo the width, as
	// on x86.
	interval := int32(1) << (info >> 16 & 31) * 125
	dst = Dec(append(dst, "interval "...), int64(interval))
	dst = labelDec(dst, " us max ESIT payload ", info>>24&0xff<<16|tx>>16&0xffff)
	dst = labelDec(dst, " CErr ", info2>>1&3)
	dst = pick(append(dst, " Type "...), info2>>3&7, xhciEndpointTypes, "INVALID")
	dst = flag(append(dst, ' '), info2, 7, "HID", "")
	dst = labelDec(dst, "burst ", info2>>8&0xff)
	dst = labelDec(dst, " maxp ", info2>>16&0xffff)
	dst = HexPad(append(dst, " deq "...), deq, 16)
	return labelDec(dst, " avg trb len ", tx&0xffff)
}

// XHCIControl appends the endpoints that an input control context drops and adds:
// xhci_decode_ctrl_ctx.
func XHCIControl(dst []byte, _ *Env, drop, add uint64) []byte {
	if drop = uint64(uint32(drop)); drop != 0 {
		dst = append(dst, "Drop:"...)
		dst = append(xhciEndpointSet(dst, drop), ", "...)
	}
	if add = uint64(uint32(add)); add != 0 {
		dst = append(dst, "Add:"...)
		dst = flag(dst, add, 0, " slot", "")
		dst = flag(dst, add, 1, " ep0", "")
		dst = xhciEndpointSet(dst, add&^3)
	}
	return dst
}

func xhciEndpointSet(dst []byte, set uint64) []byte {
	for n := uint64(0); n < 32; n++ {
		if bit(set, uint(n)) {
			dst = endpoint(append(dst, ' '), n)
		}
	}
	return dst
}

var (
	xhciPortStatus = Table{{1 << 3, "OverCurrent "}, {1 << 4, "In-Reset "}}
	xhciPortChange = Table{
		{1 << 17, "CSC "}, {1 << 18, "PEC "}, {1 << 19, "WRC "}, {1 << 20, "OCC "}, {1 << 21, "PRC "},
		{1 << 22, "PLC "}, {1 << 23, "CEC "}, {1 << 24, "CAS "},
	}
	xhciPortWake = Table{{1 << 25, "WCE "}, {1 << 26, "WDE "}, {1 << 27, "WOE "}}
)

// each appends the rows of t that have a bit in v.
func (t Table) each(dst []byte, v uint64) []byte {
	for i := range t {
		if v&t[i].Value != 0 {
			dst = append(dst, t[i].Text...)
		}
	}
	return dst
}

// XHCIPort appends a port status and control register: xhci_decode_portsc.
func XHCIPort(dst []byte, _ *Env, v uint64) []byte {
	dst = flag(dst, v, 9, "Powered ", "Powered-off ")
	dst = flag(dst, v, 0, "Connected ", "Not-connected ")
	dst = flag(dst, v, 1, "Enabled ", "Disabled ")
	dst = pick(append(dst, "Link:"...), v>>5&15, xhciLinkStates, "Unknown")
	dst = append(labelDec(dst, " PortSpeed:", v>>10&15), ' ')
	dst = xhciPortStatus.each(dst, v)
	dst = xhciPortChange.each(append(dst, "Change: "...), v)
	return xhciPortWake.each(append(dst, "Wake: "...), v)
}

// XHCIDoorbell appends the target of a write to the doorbell of a slot: xhci_decode_doorbell. The
// kernel overwrites the endpoint with the stream, because it ignores the length of `Slot N`.
// XHCIDoorbell does not.
func XHCIDoorbell(dst []byte, _ *Env, slot, v uint64) []byte {
	if uint32(slot) == 0 {
		return Dec(append(dst, "Command Ring "...), int64(int32(v)))
	}
	dst = append(Dec(append(dst, "Slot "...), int64(int32(slot))), ' ')
	switch ep := v & 0xff; {
	case ep > 0 && ep < 32:
		dst = endpoint(append(dst, "ep"...), ep)
	case ep < 248:
		dst = labelDec(dst, "Reserved ", ep)
	default:
		dst = labelDec(dst, "Vendor Defined ", ep)
	}
	if stream := v >> 16 & 0xffff; stream != 0 {
		dst = labelDec(dst, " Stream ", stream)
	}
	return dst
}
