package render

// A nameList has the names of a kernel function that converts a number to a name.
type nameList struct {
	bits  uint   // width of the function's parameter
	first uint64 // number of names[0]
	names []string
	more  Table  // names at other numbers
	other string // for all other numbers; if empty, the number as 0x%x
}

// KernelName appends the result of the kernel function fn for the number v. If fn is unknown, it
// appends 0x%x of v. The functions come from 6.1 to 7.2. A name that moved to another number
// between them is left out, and its value is printed as a number. compiler/ir lists the functions
// (NameFuncs).
func KernelName(dst []byte, _ *Env, v uint64, fn string) []byte {
	list, ok := kernelNames[fn]
	if !ok {
		return hex0x(dst, v)
	}
	v &= ^uint64(0) >> (64 - list.bits)
	if i := v - list.first; i < uint64(len(list.names)) && list.names[i] != "" {
		if list.names[i] == none {
			return dst
		}
		return append(dst, list.names[i]...)
	}
	for i := range list.more {
		if list.more[i].Value == v {
			return append(dst, list.more[i].Text...)
		}
	}
	switch list.other {
	case "":
		return hex0x(dst, v)
	case none:
		return dst
	}
	return append(dst, list.other...)
}

const (
	unknown   = "UNKNOWN"
	etimedout = 1<<32 - 110 // -ETIMEDOUT as an int
)

// none represents, in a list, the empty string that the kernel returns.
const none = "\x00"

var kernelNames = map[string]nameList{
	// block/blk-core.c. Operations on zones got new numbers in 7.0 (and 6.1.y). So 11, 13, 15 and
	// 17 have two meanings each.
	"blk_op_str": {bits: 32, names: []string{
		"READ", "WRITE", "FLUSH", "DISCARD", "", "SECURE_ERASE", 7: "ZONE_APPEND", 9: "WRITE_ZEROES",
		10: "ZONE_OPEN", 12: "ZONE_FINISH", 19: "ZONE_RESET_ALL", 34: "DRV_IN", 35: "DRV_OUT",
	}},
	// block/blk-zoned.c
	"blk_zone_cond_str": {bits: 32, names: []string{
		"NOT_WP", "EMPTY", "IMP_OPEN", "EXP_OPEN", "CLOSED", 13: "READONLY", 14: "FULL", 15: "OFFLINE",
	}, more: Table{{255, "ACTIVE"}}, other: unknown},
	// drivers/usb/typec/ucsi/trace.c; SET_CCOM was SET_UOM until UCSI 2.0
	"ucsi_cmd_str": {bits: 8, first: 1, names: []string{
		"PPM_RESET", "CANCEL", "CONNECTOR_RESET", "ACK_CC_CI", "SET_NOTIFICATION_ENABLE", "GET_CAPABILITY",
		"GET_CONNECTOR_CAPABILITY", "SET_CCOM", "SET_UOR", "SET_PDM", "SET_PDR", "GET_ALTERNATE_MODES",
		"GET_CAM_SUPPORTED", "GET_CURRENT_CAM", "SET_NEW_CAM", "GET_PDOS", "GET_CABLE_PROPERTY",
		"GET_CONNECTOR_STATUS", "GET_ERROR_STATUS",
	}, other: "Unknown command"},
	"ucsi_recipient_str": {bits: 8, names: []string{
		"port", "partner", "plug (prime)", "plug (double prime)",
	}},
	// include/linux/edac.h
	"mc_event_error_type": {bits: 32, names: []string{
		"Corrected", "Uncorrected", "Deferred", "Fatal",
	}, other: "Info"},
	// drivers/firmware/efi/cper.c
	"cper_severity_str": {bits: 32, names: []string{
		"recoverable", "fatal", "corrected", "info",
	}, other: "unknown"},
	"cper_mem_err_type_str": {bits: 32, names: []string{
		"unknown", "no error", "single-bit ECC", "multi-bit ECC", "single-symbol chipkill ECC",
		"multi-symbol chipkill ECC", "master abort", "target abort", "parity error", "watchdog timeout",
		"invalid address", "mirror Broken", "memory sparing", "scrub corrected error",
		"scrub uncorrected error", "physical memory map-out event",
	}, other: "unknown error"},
	// fs/ceph/strings.c, with its mistake in setlayout
	"ceph_mds_op_name": {bits: 32, first: 0x100, names: []string{
		"lookup", "getattr", "lookuphash", "lookupparent", "lookupino", "lookupname", "getvxattr",
	}, more: Table{
		{0x110, "getfilelock"}, {0x302, "open"}, {0x305, "readdir"}, {0x400, "lookupsnap"}, {0x402, "lssnap"},
		{0x1105, "setxattr"}, {0x1106, "rmxattr"}, {0x1107, "setlayou"}, {0x1108, "setattr"},
		{0x1109, "setfilelock"}, {0x110a, "setdirlayout"}, {0x1201, "mknod"}, {0x1202, "link"},
		{0x1203, "unlink"}, {0x1204, "rename"}, {0x1220, "mkdir"}, {0x1221, "rmdir"}, {0x1222, "symlink"},
		{0x1301, "create"}, {0x1400, "mksnap"}, {0x1401, "rmsnap"}, {0x1403, "renamesnap"},
	}, other: "???"},
	"ceph_cap_op_name": {bits: 32, names: []string{
		"grant", "revoke", "trunc", "export", "import", "update", "drop", "flush", "flush_ack", "flushsnap",
		"flushsnap_ack", "release", "renew",
	}, other: "???"},
	// drivers/usb/common/common.c
	"usb_state_string": {bits: 32, names: []string{
		"not attached", "attached", "powered", "reconnecting", "unauthenticated", "default", "addressed",
		"configured", "suspended",
	}, other: unknown},
	"usb_speed_string": {bits: 32, names: []string{
		unknown, "low-speed", "full-speed", "high-speed", "wireless", "super-speed", "super-speed-plus",
	}, other: unknown},
	// drivers/usb/host/xhci.h
	"xhci_ring_type_string": {bits: 32, names: []string{
		"CTRL", "ISOC", "BULK", "INTR", "STREAM", "CMD", "EVENT",
	}, other: unknown},
	// drivers/usb/dwc3/debug.h
	"dwc3_trb_type_string": {bits: 32, more: Table{
		{1 << 4, "normal"}, {2 << 4, "setup"}, {3 << 4, "status2"}, {4 << 4, "status3"}, {5 << 4, "data"},
		{6 << 4, "isoc-first"}, {7 << 4, "isoc"}, {8 << 4, "link"},
	}, other: unknown},
	"dwc3_mode_string": {bits: 32, first: 1, names: []string{"host", "device", "otg"}, other: unknown},
	"dwc3_gadget_ep_cmd_string": {bits: 8, first: 1, names: []string{
		"Set Endpoint Configuration", "Set Endpoint Transfer Resource", "Get Endpoint State", "Set Stall",
		"Clear Stall", "Start Transfer", "Update Transfer", "End Transfer", "Start New Configuration",
	}, other: "UNKNOWN command"},
	"dwc3_gadget_generic_cmd_string": {bits: 8, first: 1, names: []string{
		"Set LMP", "Set Periodic Parameters", "Transmit Function Wake Device Notification",
		"Set Scratchpad Buffer Array Address Lo", "Set Scratchpad Buffer Array Address Hi", "",
		"Device Notification", "", "Selected FIFO Flush", "All FIFO Flush", "", "Set Endpoint NRDY",
		"Set Endpoint Prime", 15: "Run SoC Bus Loopback Test",
	}, other: unknown},
	"dwc3_ep_cmd_status_string": {bits: 32, names: []string{
		"Successful", "No Resource", "Bus Expiry",
	}, more: Table{{etimedout, "Timed Out"}}, other: unknown},
	"dwc3_gadget_generic_cmd_status_string": {bits: 32, names: []string{
		"Successful", "Error",
	}, more: Table{{etimedout, "Timed Out"}}, other: unknown},
	// drivers/infiniband/hw/irdma/trace.c
	"parse_iw_event_type": {bits: 32, first: 1, names: []string{
		"IwRequest", "IwReply", "IwEstablished", "IwDisconnect", "IwClose",
	}, other: "Unknown"},
	"parse_cm_event_type": {bits: 32, names: []string{
		"none", "CmEstablished", "CmMPA_REQ", "CmMPA_CONNECT", "CmMPA_ACCEPT", "CmMPA_REJECT",
		"CmMPA_ESTABLISHED", "CmConnected", "CmReset", "CmAborted",
	}, other: "none"},
	"parse_cm_state": {bits: 32, names: []string{
		unknown, "INITED", "LISTENING", "SYN_RCVD", "SYN_SENT", "ONE_SIDE_ESTABLISHED", "ESTABLISHED",
		"ACCEPTING", "MPAREQ_SENT", "MPAREQ_RCVD", "MPAREJ_RECVD", "OFFLOADED", "FIN_WAIT1", "FIN_WAIT2",
		"CLOSE_WAIT", "TIME_WAIT", "LAST_ACK", "CLOSING", "LISTENER_DESTROYED", "CLOSED",
	}, other: unknown},
	// drivers/infiniband/hw/hfi1/trace.c
	"hfi1_trace_get_packet_l4_str": {bits: 8, names: []string{"9B"}, other: "16B"},
	"hfi1_trace_get_packet_l2_str": {bits: 8, names: []string{"0", "1", "16B", "9B"}, other: none},
	// arch/x86/xen/trace.c, with its parentheses; numbers from include/xen/interface/xen.h
	"xen_hypercall_name": {bits: 32, names: []string{
		"(set_trap_table)", "(mmu_update)", "(set_gdt)", "(stack_switch)", "(set_callbacks)",
		"(fpu_taskswitch)", "(sched_op_compat)", "(platform_op)", "(set_debugreg)", "(get_debugreg)",
		"(update_descriptor)", "", "(memory_op)", "(multicall)", "(update_va_mapping)", "(set_timer_op)",
		"(event_channel_op_compat)", "(xen_version)", "(console_io)", "(physdev_op_compat)",
		"(grant_table_op)", "(vm_assist)", "(update_va_mapping_otherdomain)", "(iret)", "(vcpu_op)",
		"(set_segment_base)", "(mmuext_op)", "(xsm_op)", "(nmi_op)", "(sched_op)", "(callback_op)",
		"(xenoprof_op)", "(event_channel_op)", "(physdev_op)", "(hvm_op)", "(sysctl)", "(domctl)",
		"(kexec_op)", "(tmem_op)", "(xc_reserved_op)", "(xenpmu_op)", "(dm_op)", 48: "(mca)", 49: "(arch_1)",
		50: "(arch_2)", 51: "(arch_3)", 52: "(arch_4)", 53: "(arch_5)", 54: "(arch_6)", 55: "(arch_7)",
	}, other: none},
}
