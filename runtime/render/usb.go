package render

// Bits and codes of a USB setup packet: USB 2.0, table 9-2 and following.
const (
	usbTypeStandard = 0
	usbDirIn        = 0x80
)

var (
	usbTypes      = []string{"Standard", "Class", "Vendor"}
	usbRecipients = []string{"Device", "Interface", "Endpoint"}
	usbFeatures   = []string{
		"Self Powered", "Remote Wakeup", "Test Mode", 48: "U1 Enable", 49: "U2 Enable", 50: "LTM Enable",
	}
	usbTestModes = []string{1: ": TEST_J", 2: ": TEST_K", 3: ": TEST_SE0_NAK", 4: ": TEST_PACKET",
		5: ": TEST_FORCE_EN"}
	usbDescriptors = []string{
		1: "Device", 2: "Configuration", 3: "String", 4: "Interface", 5: "Endpoint", 6: "Device Qualifier",
		7: "Other Speed Config", 8: "Interface Power", 9: "OTG", 10: "Debug", 11: "Interface Association",
		15: "BOS", 16: "Device Capability", 36: "Pipe Usage", 48: "SS Endpoint Companion",
		49: "SSP Isochronous Endpoint Companion",
	}
)

// USBControl appends a setup packet: usb_decode_ctrl (drivers/usb/common/debug.c).
func USBControl(dst []byte, _ *Env, requestType, request, value, index, length uint64) []byte {
	requestType, request = requestType&0xff, request&0xff
	value, index, length = value&0xffff, index&0xffff, length&0xffff
	recipient := requestType & 0x1f
	if requestType>>5&3 == usbTypeStandard {
		switch request {
		case 0: // GET_STATUS
			return usbStatus(dst, recipient, index, length)
		case 1, 3: // CLEAR_FEATURE, SET_FEATURE
			return usbFeature(dst, recipient, request == 3, value, index)
		case 5:
			return append(HexPad(append(dst, "Set Address(Addr = "...), value, 2), ')')
		case 6, 7: // GET_DESCRIPTOR, SET_DESCRIPTOR
			dst = flag(dst, request, 0, "Set ", "Get ")
			dst = pick(dst, value>>8, usbDescriptors, unknown)
			dst = labelDec(dst, " Descriptor(Index = ", value&0xff)
			return append(labelDec(dst, ", Length = ", length), ')')
		case 8:
			return append(labelDec(dst, "Get Configuration(Length = ", length), ')')
		case 9:
			return append(labelDec(dst, "Set Configuration(Config = ", value), ')')
		case 10:
			dst = labelDec(dst, "Get Interface(Intf = ", index)
			return append(labelDec(dst, ", Length = ", length), ')')
		case 11:
			dst = labelDec(dst, "Set Interface(Intf = ", index)
			return append(labelDec(dst, ", Alt.Setting = ", value), ')')
		case 12:
			dst = labelDec(dst, "Synch Frame(Endpoint = ", index)
			return append(labelDec(dst, ", Length = ", length), ')')
		case 0x30:
			return append(labelDec(dst, "Set SEL(Length = ", length), ')')
		case 0x31:
			return append(labelDec(dst, "Set Isochronous Delay(Delay = ", value), " ns)"...)
		}
	}
	dst = pick(append(dst, "Type="...), requestType>>5&3, usbTypes, "Unknown")
	dst = pick(append(dst, " Recipient="...), recipient, usbRecipients, "Unknown")
	dst = flag(append(dst, " Dir="...), requestType, 7, "IN", "OUT")
	dst = labelDec(dst, " bRequest=", request)
	dst = labelDec(dst, " wValue=", value)
	dst = labelDec(dst, " wIndex=", index)
	return labelDec(dst, " wLength=", length)
}

func usbStatus(dst []byte, recipient, index, length uint64) []byte {
	switch recipient {
	case 0:
		dst = append(dst, "Get Device Status("...)
	case 1:
		dst = append(labelDec(dst, "Get Interface Status(Intf = ", index), ", "...)
	case 2:
		return append(usbEndpoint(append(dst, "Get Endpoint Status("...), index), ')')
	default:
		return dst
	}
	return append(labelDec(dst, "Length = ", length), ')')
}

func usbFeature(dst []byte, recipient uint64, set bool, value, index uint64) []byte {
	verb := "Clear "
	if set {
		verb = "Set "
	}
	switch recipient {
	case 0:
		dst = append(append(dst, verb...), "Device Feature("...)
		dst = pick(dst, value, usbFeatures, unknown)
		if value == 2 {
			dst = pick(dst, index, usbTestModes, ": UNKNOWN")
		}
		return append(dst, ')')
	case 1:
		dst = append(append(dst, verb...), "Interface Feature("...)
		return append(pick(dst, value, []string{"Function Suspend"}, unknown), ')')
	case 2:
		dst = append(append(dst, verb...), "Endpoint Feature("...)
		dst = pick(dst, value, []string{"Halt"}, unknown)
		return append(usbEndpoint(append(dst, ' '), index), ')')
	}
	return dst
}

// usbEndpoint appends an endpoint address: ep1in.
func usbEndpoint(dst []byte, address uint64) []byte {
	return flag(labelDec(dst, "ep", address&^usbDirIn), address, 7, "in", "out")
}

var (
	dwc3DeviceEvents = []string{
		"Disconnect: [", "Reset [", "Connection Done [", "Link Change [", "WakeUp [", "", "Suspend [",
		"Start-Of-Frame [", 9: "Erratic Error [", 10: "Command Complete [", 11: "Overflow [",
	}
	dwc3LinkStates = []string{
		"U0", "U1", "U2", "U3", "SS.Disabled", "Rx.Detect", "SS.Inactive", "Polling", "Recovery", "Hot Reset",
		"Compliance", "Loopback", 14: "Reset", 15: "Resume",
	}
	dwc3Control = []string{"Unconnected", "Setup Phase", "Data Phase", "Status Phase"}
)

// DWC3Event appends an event of a DesignWare USB controller: dwc3_decode_event
// (drivers/usb/dwc3/debug.h).
func DWC3Event(dst []byte, _ *Env, event, control uint64) []byte {
	event &= 0xffffffff
	if bit(event, 0) {
		kind := event >> 8 & 15
		if kind >= uint64(len(dwc3DeviceEvents)) || dwc3DeviceEvents[kind] == "" {
			return append(dst, unknown...)
		}
		dst = append(dst, dwc3DeviceEvents[kind]...)
		return append(pick(dst, event>>16&15, dwc3LinkStates, "UNKNOWN link state"), ']')
	}
	ep, status, parameters := event>>1&31, event>>12&15, event>>16
	dst = append(endpoint(append(dst, "ep"...), ep), ": "...)
	switch event >> 6 & 15 {
	case 1:
		dst = dwc3Status(append(dst, "Transfer Complete ("...), status, 'L')
		if ep <= 1 {
			dst = append(pick(append(dst, " ["...), control&0xffffffff, dwc3Control, unknown), ']')
		}
		return dst
	case 2:
		dst = HexPad(append(dst, "Transfer In Progress ["...), parameters, 8)
		return dwc3Status(append(dst, "] ("...), status, 'M')
	case 3:
		dst = HexPad(append(dst, "Transfer Not Ready ["...), parameters, 8)
		dst = flag(append(dst, ']'), status, 3, " (Active)", " (Not Active)")
		switch phase := status & 3; {
		case ep <= 1 && phase == 1:
			dst = append(dst, " [Data Phase]"...)
		case ep <= 1 && phase == 2:
			dst = append(dst, " [Status Phase]"...)
		}
		return dst
	case 4:
		return append(dst, "FIFO"...)
	case 6:
		if status == 1 {
			return append(labelDec(dst, " Stream ", parameters), " Found"...)
		}
		return append(dst, " Stream Not Found"...)
	case 7:
		return append(dst, "Endpoint Command Complete"...)
	}
	return append(dst, unknown...)
}

// dwc3Status appends the flags of a transfer event: short packet, interrupt on completion, and last
// for bit 3. A capital letter means set.
func dwc3Status(dst []byte, status uint64, last byte) []byte {
	letters := [3]byte{'S', 'I', last}
	for i := range letters {
		if !bit(status, uint(i)+1) {
			letters[i] |= 0x20
		}
	}
	return append(append(dst, letters[:]...), ')')
}
