package render

import "encoding/binary"

// nvmeWords is command dwords 10 to 15 in the byte order of the device, little-endian. Bytes that
// are not in the record are 0.
type nvmeWords [24]byte

func nvmeWordsOf(r []byte) *nvmeWords {
	var w nvmeWords
	copy(w[:], r)
	return &w
}

func (w *nvmeWords) le16(at int) uint64 { return uint64(binary.LittleEndian.Uint16(w[at:])) }
func (w *nvmeWords) le32(at int) uint64 { return uint64(binary.LittleEndian.Uint32(w[at:])) }
func (w *nvmeWords) le64(at int) uint64 { return binary.LittleEndian.Uint64(w[at:]) }

// NVMeAdmin appends the fields of an admin command. r has its dwords 10 to 15:
// nvme_trace_parse_admin_cmd (drivers/nvme/host/trace.c).
func NVMeAdmin(dst []byte, env *Env, opcode uint64, r []byte) []byte {
	w := nvmeWordsOf(r)
	switch uint8(opcode) {
	case 0x00: // delete_sq
		return labelDec(dst, "sqid=", w.le16(0))
	case 0x01: // create_sq
		dst = labelDec(dst, "sqid=", w.le16(0))
		dst = labelDec(dst, ", qsize=", w.le16(2))
		dst = labelHex(dst, ", sq_flags=0x", w.le16(4))
		return labelDec(dst, ", cqid=", w.le16(6))
	case 0x04: // delete_cq
		return labelDec(dst, "cqid=", w.le16(0))
	case 0x05: // create_cq
		dst = labelDec(dst, "cqid=", w.le16(0))
		dst = labelDec(dst, ", qsize=", w.le16(2))
		dst = labelHex(dst, ", cq_flags=0x", w.le16(4))
		return labelDec(dst, ", irq_vector=", w.le16(6))
	case 0x80: // format_nvm
		dst = labelDec(dst, "lbaf=", uint64(w[0]&15))
		dst = labelDec(dst, ", mset=", uint64(w[0]>>4&1))
		dst = labelDec(dst, ", pi=", uint64(w[0]>>5))
		dst = labelDec(dst, ", pil=", uint64(w[1]&1))
		return labelDec(dst, ", ses=", uint64(w[1]>>1&7))
	}
	return NVMetAdmin(dst, env, opcode, r)
}

// NVMetAdmin is like [NVMeAdmin] for the target: nvmet_trace_parse_admin_cmd
// (drivers/nvme/target/trace.c), which knows fewer commands.
func NVMetAdmin(dst []byte, _ *Env, opcode uint64, r []byte) []byte {
	w := nvmeWordsOf(r)
	switch uint8(opcode) {
	case 0x06: // identify
		dst = labelDec(dst, "cns=", uint64(w[0]))
		return labelDec(dst, ", ctrlid=", w.le16(2))
	case 0x09: // set_features
		dst = labelHex(dst, "fid=0x", uint64(w[0]))
		dst = labelHex(dst, ", sv=0x", uint64(w[3]&8))
		return labelHex(dst, ", cdw11=0x", w.le32(4))
	case 0x0a: // get_features
		dst = labelHex(dst, "fid=0x", uint64(w[0]))
		dst = labelHex(dst, ", sel=0x", uint64(w[1]&7))
		return labelHex(dst, ", cdw11=0x", w.le32(4))
	case 0x86: // get_lba_status
		dst = labelHex(dst, "slba=0x", w.le64(0))
		dst = labelHex(dst, ", mndw=0x", w.le32(8))
		dst = labelHex(dst, ", rl=0x", w.le16(12))
		return labelDec(dst, ", atype=", uint64(w[15]))
	}
	return nvmeRaw(dst, "cdw10=", w)
}

// nvmeRaw appends all 24 bytes.
func nvmeRaw(dst []byte, label string, w *nvmeWords) []byte {
	return hexJoined(append(dst, label...), w[:], ' ')
}

// Zone actions of NVMe ZNS.
var (
	nvmeZoneSend = Table{
		{0x01, "close zone"}, {0x02, "finish zone"}, {0x03, "open zone"}, {0x04, "reset zone"},
		{0x05, "offline zone"}, {0x10, "set zone descriptor extension"},
	}
	nvmeZoneReceive = Table{
		{0x00, "list all zones"}, {0x01, "list the zones in the ZSE: Empty state"},
		{0x02, "list the zones in the ZSIO: Implicitly Opened state"},
		{0x03, "list the zones in the ZSEO: Explicitly Opened state"},
		{0x04, "list the zones in the ZSC: Closed state"}, {0x05, "list the zones in the ZSF: Full state"},
		{0x06, "list the zones in the ZSRO: Read Only state"},
		{0x07, "list the zones in the ZSO: Offline state"},
		{0x09, "list the zones that have the zone attribute"},
	}
)

// NVMeIO appends the fields of an I/O command: nvme_trace_parse_nvm_cmd and, for the target,
// nvmet_trace_parse_nvm_cmd. The text follows 7.2. In 6.1, zone actions do not have names, and
// reservations are printed as bytes.
func NVMeIO(dst []byte, _ *Env, opcode uint64, r []byte) []byte {
	w := nvmeWordsOf(r)
	switch uint8(opcode) {
	case 0x01, 0x02, 0x08, 0x7d: // write, read, write_zeroes, zone_append
		dst = labelDec(dst, "slba=", w.le64(0))
		dst = labelDec(dst, ", len=", w.le16(8))
		dst = labelHex(dst, ", ctrl=0x", w.le16(10))
		dst = labelDec(dst, ", dsmgmt=", w.le32(12))
		return labelDec(dst, ", reftag=", w.le32(16))
	case 0x09: // dataset management
		dst = labelDec(dst, "nr=", w.le32(0))
		return labelDec(dst, ", attributes=", w.le32(4))
	case 0x79: // zone management send
		dst = labelDec(dst, "slba=", w.le64(0))
		dst = labelDec(dst, ", zsa=", uint64(w[12]))
		dst = nvmeName(dst, nvmeZoneSend, w[12])
		return labelDec(dst, ", all=", uint64(w[13]))
	case 0x7a: // zone management receive
		dst = labelDec(dst, "slba=", w.le64(0))
		dst = labelDec(dst, ", numd=", w.le32(8))
		dst = labelDec(dst, ", zra=", uint64(w[12]))
		dst = labelDec(dst, ", zrasf=", uint64(w[13]))
		dst = nvmeName(dst, nvmeZoneReceive, w[13])
		return labelDec(dst, ", pr=", uint64(w[14]))
	}
	return nvmeReservation(dst, opcode, w)
}

// Actions and types of NVMe reservations.
var (
	nvmeRegister     = Table{{0, "register"}, {1, "unregister"}, {2, "replace"}}
	nvmeAcquire      = Table{{0, "acquire"}, {1, "preempt"}, {2, "preempt and abort"}}
	nvmeRelease      = Table{{0, "release"}, {1, "clear"}}
	nvmeReserveTypes = Table{
		{1, "write exclusive"}, {2, "exclusive access"}, {3, "write exclusive registrants only"},
		{4, "exclusive access registrants only"}, {5, "write exclusive all registrants"},
		{6, "exclusive access all registrants"},
	}
)

// nvmeReservation prints the commands for reservations, and other commands as bytes.
func nvmeReservation(dst []byte, opcode uint64, w *nvmeWords) []byte {
	action, iekey := w[0]&7, uint64(w[0]>>3&1)
	switch uint8(opcode) {
	case 0x0d: // register
		dst = labelDec(dst, "rrega=", uint64(action))
		dst = nvmeName(dst, nvmeRegister, action)
		dst = labelDec(dst, ", iekey=", iekey)
		return labelDec(dst, ", ptpl=", uint64(w[3]>>6))
	case 0x0e: // report
		dst = labelDec(dst, "numd=", w.le32(0))
		return labelDec(dst, ", eds=", uint64(w[4]&1))
	case 0x11: // acquire
		dst = labelDec(dst, "racqa=", uint64(action))
		dst = nvmeName(dst, nvmeAcquire, action)
	case 0x15: // release
		dst = labelDec(dst, "rrela=", uint64(action))
		dst = nvmeName(dst, nvmeRelease, action)
	default:
		return nvmeRaw(dst, "cdw10=", w)
	}
	dst = labelDec(dst, ", iekey=", iekey)
	dst = labelDec(dst, ", rtype=", uint64(w[1]))
	return nvmeName(dst, nvmeReserveTypes, w[1])
}

func nvmeName(dst []byte, t Table, v byte) []byte {
	name, ok := t.name(uint64(v))
	if !ok {
		name = "reserved"
	}
	return append(append(dst, ':'), name...)
}

// NVMeFabrics appends the fields of a fabrics command: nvme_trace_parse_fabrics_cmd and
// nvmet_trace_parse_fabrics_cmd.
func NVMeFabrics(dst []byte, _ *Env, kind uint64, r []byte) []byte {
	w := nvmeWordsOf(r)
	switch uint8(kind) {
	case 0x00: // property_set
		dst = labelDec(dst, "attrib=", uint64(w[0]))
		dst = labelHex(dst, ", ofst=0x", w.le32(4))
		return labelHex(dst, ", value=0x", w.le64(8))
	case 0x01: // connect
		dst = labelDec(dst, "recfmt=", w.le16(0))
		dst = labelDec(dst, ", qid=", w.le16(2))
		dst = labelDec(dst, ", sqsize=", w.le16(4))
		dst = labelDec(dst, ", cattr=", uint64(w[6]))
		return labelDec(dst, ", kato=", w.le32(8))
	case 0x04: // property_get
		dst = labelDec(dst, "attrib=", uint64(w[0]))
		return labelHex(dst, ", ofst=0x", w.le32(4))
	case 0x05, 0x06: // auth_send, auth_receive
		dst = hexByte(append(dst, "spsp0="...), w[1])
		dst = hexByte(append(dst, ", spsp1="...), w[2])
		dst = hexByte(append(dst, ", secp="...), w[3])
		if uint8(kind) == 0x05 {
			return labelDec(dst, ", tl=", w.le32(4))
		}
		return labelDec(dst, ", al=", w.le32(4))
	}
	return nvmeRaw(dst, "specific=", w)
}

// DiskName appends `disk=NAME, ` if r contains a name: nvme_trace_disk_name, nvmet_trace_disk_name
// and nullb_trace_disk_name.
func DiskName(dst []byte, _ *Env, r []byte) []byte {
	name := CString(r)
	if len(name) == 0 {
		return dst
	}
	dst = append(append(dst, "disk="...), name...)
	return append(dst, ", "...)
}

// NVMetController appends the number of a controller. 0 means that there is no controller yet, and
// is printed as _: nvmet_trace_ctrl_id.
func NVMetController(dst []byte, _ *Env, v uint64) []byte {
	if v &= 0xffff; v == 0 {
		return append(dst, '_')
	}
	return Udec(dst, v)
}
