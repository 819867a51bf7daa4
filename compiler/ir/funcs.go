package ir

// A TextFunc describes a function of runtime/render that a Call names. Every such function has the
// signature
//
//	func Name(dst []byte, env *render.Env, args…) []byte
//
// and appends to dst.
type TextFunc struct {
	// Params has one letter per argument:
	//
	//	v  uint64, a Value (extended by its type)
	//	r  []byte, a Region, or a Text rendered beforehand
	//	o  bool, true if the elements of the r before it are big-endian; the back end supplies it,
	//	   and it has no Arg
	//	s  string, a StrArg
	//	t  render.Table, a *Table
	Params string
	Doc    string
}

// TextFuncs lists the functions a Call may name.
var TextFuncs = map[string]TextFunc{
	"Symbolic":         {"vt", "first row equal to v, else 0x%x of v: __print_symbolic"},
	"Flags":            {"vst", "rows whose bits are in v, joined by s, then the rest in hex: __print_flags"},
	"Hex":              {"rv", "the first v bytes of r as `0a 1b`: __print_hex"},
	"HexStr":           {"rv", "as `0a1b`: __print_hex_str"},
	"Array":            {"rovv", "v elements of v bytes as `{0x1,0x2}`: __print_array"},
	"HexDump":          {"svvvrvv", "prefix string, prefix type, row size, group size, buffer, length, ascii: __print_hex_dump"},
	"Bitmask":          {"ro", "`ff,ffffffff`: __get_bitmask, __get_cpumask"},
	"BitList":          {"rov", "the first v bits as `0-3,7`: %*pbl"},
	"Bitmap":           {"rov", "the first v bits as `ff,ffffffff`: %*pb"},
	"StackTrace":       {"ro", "words of env.WordSize as `=> symbol` lines: __get_stacktrace"},
	"Pointer":          {"v", "0x%x, (nil) for 0: %p, which a recording holds unhashed"},
	"PointerHex":       {"v", "%px: zero-padded digits of a word"},
	"Symbol":           {"v", "name or 0x%x: %ps"},
	"SymbolName":       {"v", "name or 0x%x, without the module: the tracers' own events"},
	"SymbolOffset":     {"v", "name+0xoff or 0x%x: %pS"},
	"SymbolFrom":       {"sv", "Symbol of what is v bytes after the name s of the kernel, `(s + v)` without its address"},
	"SymbolOffsetFrom": {"sv", "the same of SymbolOffset"},
	"PtrString":        {"v", "the string at a kernel address, from printk_formats, else 0x%x: %s of a char pointer"},
	"MAC":              {"rs", "six bytes; s holds the letters after %pM: R reversed, F dashes, m none"},
	"IP4":              {"rs", "four bytes; s holds the letters after %p: I4, i4 and h n b l for the order"},
	"IP6":              {"rs", "sixteen bytes; I6, i6, I6c"},
	"Sockaddr":         {"rs", "a struct sockaddr; s holds the letters after %pIS or %piS: p f s c"},
	"UUID":             {"rs", "sixteen bytes; s is U and b l B L"},
	"HexBytes":         {"rvs", "v bytes (at most 64); s is the separator letter of %*ph: C D N or empty"},
	"Escaped":          {"rvs", "v bytes as escaped text; s holds the letters after %*pE"},
	"Errno":            {"v", "-ENOENT, or the number: %pe"},
	"FourCC":           {"v", "%p4cc"},
	"Characters":       {"v", "%p4ch: the four characters of v, the highest byte first, and the number"},
	"Time64":           {"vs", "%ptT: a date and time of UTC; s holds the letters after it: d or t alone, r raw, s a blank between"},
	"GFPFlags":         {"v", "%pGg"},
	"BinPrintf":        {"vr", "the format at kernel address v over packed arguments r: bprint"},

	// Functions of kernel drivers; KernelFuncs has their C names.
	"KernelName":      {"vs", "what the C function s, one of NameFuncs, returns for v"},
	"SCSICommand":     {"rv", "the fields of a command block of v bytes"},
	"ATAStatus":       {"v", "bits of a status register"},
	"ATAHostStat":     {"v", "bits of the bus-master status"},
	"ATAEHAction":     {"v", "bits of error handling"},
	"ATAErrMask":      {"v", "bits of errors"},
	"ATAQCFlags":      {"v", "flags of a queued command"},
	"ATATFFlags":      {"v", "flags of a task file"},
	"ATASubcommand":   {"vvv", "command, feature, hob_nsect: the subcommand with a leading space, or nothing"},
	"NVMeAdmin":       {"vr", "admin opcode v, dwords 10 to 15 as recorded"},
	"NVMeIO":          {"vr", "I/O opcode"},
	"NVMeFabrics":     {"vr", "fabrics command type"},
	"NVMetAdmin":      {"vr", "admin opcode, at the target"},
	"NVMetController": {"v", "number of a controller, _ for 0"},
	"DiskName":        {"r", "`disk=NAME, `, nothing without a name"},
	"XHCITRB":         {"vvvv", "four dwords of a transfer request block"},
	"XHCISlot":        {"vvvv", "info, info2, tt_info, state of a slot context"},
	"XHCIEndpoint":    {"vvvv", "info, info2, deq, tx_info of an endpoint context"},
	"XHCIControl":     {"vv", "drop and add flags of an input control context"},
	"XHCIPort":        {"v", "a port status and control register"},
	"XHCIDoorbell":    {"vv", "slot and value of a doorbell"},
	"USBControl":      {"vvvvv", "bRequestType, bRequest, wValue, wIndex, wLength of a setup packet"},
	"DWC3Event":       {"vv", "event and state of endpoint 0"},
	"PRQDescriptor":   {"vvvv", "four qwords of a page request"},
	"RDMAAddress":     {"rvv", "u32 words of an address, port, whether it is IPv4"},
	"U32Array":        {"rv", "v u32 words as `0x1 0x2`"},
	"CPERMemory":      {"r", "a struct cper_mem_err_compact"},

	"Verbatim": {"r", "the bytes as they are, NULs included and however many: what was measured by ToNUL"},

	// AIX templates (aix.md 3.3 to 3.5). EffectFuncs lists the functions with effects.
	"HexUpper":    {"rv", "the first v bytes of r as `0A1B`: Xn of any size"},
	"Binary":      {"rvv", "of r, from the first bit v on (0 is the top bit of the first byte), v binary digits: Bm.n. Bits after r are 0"},
	"BinaryValue": {"vv", "the low second v bits of the first v as binary digits, at most 64: $macro%Bm.n"},
	"MacroHex":    {"v", "at least four upper-case digits: a macro without a cast"},
	"Float":       {"vv", "bits and size (4, else 8) of an IEEE number as C's %0.4E: Fm"},
	"CTime":       {"v", "the low 32 bits as ctime in GMT, without its newline: Tm"},
	"AIXErrno":    {"v", "name in AIX's sys/errno.h, else decimal: Em"},
	"ProcessPath": {"v", "path of the executable of process v (render.Hooks), else v in decimal: Pm"},
	"StartTimer":  {"vv", "nothing; starttimer(v, v)"},
	"EndTimer":    {"vv", "`[7 usec]` since StartTimer of the same pair, nothing without one"},
	"HookCall0":   {"s", "what the built-in function s appends (render.Hooks.Call)"},
	"HookCall1":   {"sv", "the same with one argument"},
	"HookCall2":   {"svv", "with two"},
	"HookCall3":   {"svvv", "with three"},

	// Values of the Common Trace Format, as babeltrace2 prints them (docs/spec/ctf.md 7.3).
	"BtBinary":   {"vv", "an integer and its bits, 0b0101"},
	"BtIntegers": {"rvv", "a list of integers, their bytes, and their form: the base and BtSigned, BtBig, BtIndexes"},
	"BtFloat":    {"vv", "bits and size (4, else 8) of an IEEE number as C's %g"},
	"BtString":   {"r", "a text up to its first NUL in quotes"},
	"BtLabels":   {"vst", "the labels whose ranges have a value; s has b for no braces, f for labels of bits; a row without text begins a range"},
	"BtFlags":    {"vt", "` { \"a\", \"b\" }`: the labels whose ranges have a bit of a value, or nothing; a row without text begins a range"},
	"BtBlob":     {"r", "the bytes as `{ aa bb }`"},
	"BtNumber":   {"vv", "an integer with its digits in groups, and its form: the base and BtSigned"},
	"BtFixed":    {"vv", "bits and size (4, else 8) of an IEEE number as C's %f"},

	// Values of uftrace (uftrace.md 2.4).
	"UftraceAuto":        {"vv", "an integer zero-extended, and its size in bytes: d"},
	"UftraceUnsigned":    {"v", "decimal up to 100000, else hexadecimal: u"},
	"UftraceHex":         {"v", "C's %#x: x"},
	"UftraceOctal":       {"v", "C's %#o: o"},
	"UftraceChar":        {"v", "the low byte in quotes: c"},
	"UftraceCharJSON":    {"v", "the same for the inside of a JSON string"},
	"UftraceString":      {"r", "a string in quotes, up to its first NUL: s"},
	"UftraceStringJSON":  {"r", "the same for the inside of a JSON string"},
	"UftraceRaw":         {"r", "a string without quotes, in a dump"},
	"UftracePointer":     {"v", "&name or 0x%x: p"},
	"UftracePointerIn":   {"vss", "the same with the name between two texts, such as a colour and its end"},
	"UftracePointerDump": {"vs", "`%x (&name)` or 0x%x, s for 0: p in a dump"},
	"UftraceVariable":    {"v", "name or [0x%x]: what watch:var shows"},
	"ErrnoName":          {"v", "ENOENT for -2; nothing for other numbers than those of errors"},
	"EnumName":           {"vt", "the name of a value, or names of its flags, rows in descending order; else decimal"},
	"ValueName":          {"vt", "the text of the row with a value; else decimal"},
	"SignedName":         {"vt", "the text of the row with a value; else decimal, with a sign"},
	"RangeName":          {"vt", "the text of the range with a value; else unsigned decimal; a row without text begins a range"},
	"SignedRangeName":    {"vt", "the text of the range with a value; else decimal, with a sign; a row without text begins a range"},
	"FlagNames":          {"vt", "texts of the rows whose bits are in a value, and the rest in hexadecimal; a row without text is a mask"},
	"UftraceEnum":        {"vt", "names of an enumeration, its rows in descending order: e"},
	"UftraceEnumJoined":  {"vst", "the same with text s between names"},
	"UftraceStruct":      {"r", "lines of 16 bytes: t in a dump"},
	"UftraceFloat":       {"vv", "bits and size (4, else 8) of an IEEE number as C's %#f"},
	"UftraceFloat80":     {"ro", "ten bytes of the x87 as C's %#Lf"},
	"UftraceFloat80Dump": {"ro", "their mantissa as 20 digits"},
	"UftraceRatio":       {"vv", "second divided by first as %.2f"},
	"UftracePercent":     {"vv", "how many percent of the first are not in the second, as %.2f"},
}

// EffectFuncs are the TextFuncs that change the output of later calls. They must not occur in a
// TextIs, which back ends may evaluate needlessly.
var EffectFuncs = map[string]bool{
	"StartTimer": true, "EndTimer": true,
	"HookCall0": true, "HookCall1": true, "HookCall2": true, "HookCall3": true,
}

// KernelFuncs maps functions of kernel drivers that print formats call to the text function that
// prints their result. The parameters of the text function are the last arguments of the C
// function: a leading trace_seq, buffer or buffer size is left out. Regions are passed as recorded,
// in the byte order of the recorded machine.
var KernelFuncs = map[string]string{
	"scsi_trace_parse_cdb":           "SCSICommand",
	"libata_trace_parse_status":      "ATAStatus",
	"libata_trace_parse_host_stat":   "ATAHostStat",
	"libata_trace_parse_eh_action":   "ATAEHAction",
	"libata_trace_parse_eh_err_mask": "ATAErrMask",
	"libata_trace_parse_qc_flags":    "ATAQCFlags",
	"libata_trace_parse_tf_flags":    "ATATFFlags",
	"libata_trace_parse_subcmd":      "ATASubcommand",
	"nvme_trace_parse_admin_cmd":     "NVMeAdmin",
	"nvme_trace_parse_nvm_cmd":       "NVMeIO",
	"nvme_trace_parse_fabrics_cmd":   "NVMeFabrics",
	"nvme_trace_disk_name":           "DiskName",
	"nvmet_trace_parse_admin_cmd":    "NVMetAdmin",
	"nvmet_trace_parse_nvm_cmd":      "NVMeIO",
	"nvmet_trace_parse_fabrics_cmd":  "NVMeFabrics",
	"nvmet_trace_disk_name":          "DiskName",
	"nvmet_trace_ctrl_id":            "NVMetController",
	"nullb_trace_disk_name":          "DiskName",
	"xhci_decode_trb":                "XHCITRB",
	"xhci_decode_slot_context":       "XHCISlot",
	"xhci_decode_ep_context":         "XHCIEndpoint",
	"xhci_decode_ctrl_ctx":           "XHCIControl",
	"xhci_decode_portsc":             "XHCIPort",
	"xhci_decode_doorbell":           "XHCIDoorbell",
	"usb_decode_ctrl":                "USBControl",
	"dwc3_decode_event":              "DWC3Event",
	"decode_prq_descriptor":          "PRQDescriptor",
	"print_ip_addr":                  "RDMAAddress",
	"print_u32_array":                "U32Array",
	"cper_mem_err_unpack":            "CPERMemory",
}

// NameFuncs are the C functions of one integer that KernelName supports.
var NameFuncs = map[string]bool{
	"blk_op_str":                            true,
	"blk_zone_cond_str":                     true,
	"ceph_cap_op_name":                      true,
	"ceph_mds_op_name":                      true,
	"cper_mem_err_type_str":                 true,
	"cper_severity_str":                     true,
	"dwc3_ep_cmd_status_string":             true,
	"dwc3_gadget_ep_cmd_string":             true,
	"dwc3_gadget_generic_cmd_status_string": true,
	"dwc3_gadget_generic_cmd_string":        true,
	"dwc3_mode_string":                      true,
	"dwc3_trb_type_string":                  true,
	"hfi1_trace_get_packet_l2_str":          true,
	"hfi1_trace_get_packet_l4_str":          true,
	"mc_event_error_type":                   true,
	"parse_cm_event_type":                   true,
	"parse_cm_state":                        true,
	"parse_iw_event_type":                   true,
	"ucsi_cmd_str":                          true,
	"ucsi_recipient_str":                    true,
	"usb_speed_string":                      true,
	"usb_state_string":                      true,
	"xen_hypercall_name":                    true,
	"xhci_ring_type_string":                 true,
}

// ValueFuncs lists the functions that a Func may name, with their number of arguments. Each has the
// signature func Name(a, b uint64) uint64.
var ValueFuncs = map[string]int{
	"Swab16": 1, "Swab32": 1, "Swab64": 1,
	"Ffs": 1, "Fls": 1, // 1-based, 0 for 0
	"Ctz": 1, "Clz64": 1, "Clz32": 1, "Popcount": 1,
	"OrderBase2": 1, // ceil(log2), 0 for 0 and 1
	"Ilog2":      1, // floor(log2), all ones for 0

	"HookLength":  1, // bytes after a hook word of 32 bits that begins with these 16
	"RegisterInt": 1, // a register of 8 bytes: -65535 to -1 if it holds such an int, with an upper half of 0
	"Float80":     2, // of mantissa, and sign with exponent, of an x87 number: the bits of the nearest double
}
