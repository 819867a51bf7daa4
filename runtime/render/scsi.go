package render

import "encoding/binary"

// cdb is a SCSI command. Bytes that are not in the record are 0.
type cdb [32]byte

func (c *cdb) be16(at int) uint64 { return uint64(binary.BigEndian.Uint16(c[at:])) }
func (c *cdb) be24(at int) uint64 { return uint64(c[at])<<16 | c.be16(at+1) }
func (c *cdb) be32(at int) uint64 { return uint64(binary.BigEndian.Uint32(c[at:])) }
func (c *cdb) be64(at int) uint64 { return binary.BigEndian.Uint64(c[at:]) }

// Actions of the SCSI commands with several actions.
var (
	scsiServiceIn16 = Table{{0x10, "READ_CAPACITY_16"}, {0x12, "GET_LBA_STATUS"}}
	scsiMaintIn     = Table{
		{0x05, "REPORT_IDENTIFYING_INFORMATION"}, {0x0a, "REPORT_TARGET_PORT_GROUPS"}, {0x0b, "REPORT_ALIASES"},
		{0x0c, "REPORT_SUPPORTED_OPERATION_CODES"}, {0x0d, "REPORT_SUPPORTED_TASK_MANAGEMENT_FUNCTIONS"},
		{0x0e, "REPORT_PRIORITY"}, {0x0f, "REPORT_TIMESTAMP"}, {0x10, "MANAGEMENT_PROTOCOL_IN"},
	}
	scsiMaintOut = Table{
		{0x06, "SET_IDENTIFYING_INFORMATION"}, {0x0a, "SET_TARGET_PORT_GROUPS"}, {0x0b, "CHANGE_ALIASES"},
		{0x0e, "SET_PRIORITY"}, {0x0f, "SET_TIMESTAMP"}, {0x10, "MANAGEMENT_PROTOCOL_OUT"},
	}
	scsiZoneIn  = Table{{0x00, "REPORT_ZONES"}}
	scsiZoneOut = Table{
		{0x01, "CLOSE_ZONE"}, {0x02, "FINISH_ZONE"}, {0x03, "OPEN_ZONE"}, {0x04, "RESET_WRITE_POINTER"},
	}
	scsiLong = Table{{0x09, "READ_32"}, {0x0a, "VERIFY_32"}, {0x0b, "WRITE_32"}, {0x0d, "WRITE_SAME_32"}}
)

// SCSICommand appends the fields of a command block of n bytes: scsi_trace_parse_cdb
// (drivers/scsi/scsi_trace.c). Offsets and widths are defined in SBC, SPC and ZBC.
func SCSICommand(dst []byte, _ *Env, r []byte, n uint64) []byte {
	var c cdb
	copy(c[:], first(r, n))
	protect := uint64(c[1] >> 5)
	unmap := uint64(c[1] >> 3 & 1)
	switch c[0] {
	case 0x08, 0x0a: // READ_6, WRITE_6
		blocks := uint64(c[4])
		if blocks == 0 {
			blocks = 256
		}
		dst = labelDec(dst, "lba=", c.be24(1)&0x1fffff)
		return labelDec(dst, " txlen=", blocks)
	case 0x28, 0x2a, 0x2f, 0x41: // READ_10, WRITE_10, VERIFY, WRITE_SAME
		dst = scsiTransfer(dst, c.be32(2), c.be16(7), protect)
		if c[0] == 0x41 {
			dst = labelDec(dst, " unmap=", unmap)
		}
		return dst
	case 0xa8, 0xaa, 0xaf: // READ_12, WRITE_12, VERIFY_12
		return scsiTransfer(dst, c.be32(2), c.be32(6), protect)
	case 0x88, 0x8a, 0x8f, 0x93: // READ_16, WRITE_16, VERIFY_16, WRITE_SAME_16
		dst = scsiTransfer(dst, c.be64(2), c.be32(10), protect)
		if c[0] == 0x93 {
			dst = labelDec(dst, " unmap=", unmap)
		}
		return dst
	case 0x42: // UNMAP: a list of 16-byte descriptors after 8 bytes
		return labelDec(dst, "regions=", uint64(uint32(c.be16(7)-8)/16))
	case 0x7f: // VARIABLE_LENGTH_CMD
		return scsiVariable(dst, &c)
	}
	return scsiService(dst, &c)
}

func scsiTransfer(dst []byte, lba, blocks, protect uint64) []byte {
	dst = labelDec(dst, "lba=", lba)
	dst = labelDec(dst, " txlen=", blocks)
	return labelDec(dst, " protect=", protect)
}

// scsiService prints the commands with an action in the low bits of byte 1.
func scsiService(dst []byte, c *cdb) []byte {
	var actions Table
	switch c[0] {
	case 0x9e: // SERVICE_ACTION_IN_16
		actions = scsiServiceIn16
	case 0xa3: // MAINTENANCE_IN
		actions = scsiMaintIn
	case 0xa4: // MAINTENANCE_OUT
		actions = scsiMaintOut
	case 0x95: // ZBC_IN
		actions = scsiZoneIn
	case 0x94: // ZBC_OUT
		actions = scsiZoneOut
	case 0x9c: // WRITE_ATOMIC_16, known since 6.11
		dst = labelDec(dst, "lba=", c.be64(2))
		dst = labelDec(dst, " txlen=", c.be16(12))
		return labelDec(dst, " boundary_size=", c.be16(10))
	default:
		return append(dst, '-')
	}
	name, ok := actions.name(uint64(c[1] & 0x1f))
	if !ok {
		return append(dst, unknown...)
	}
	dst = append(dst, name...)
	switch c[0] {
	case 0x9e:
		dst = labelDec(dst, " lba=", c.be64(2))
		return labelDec(dst, " alloc_len=", c.be32(10))
	case 0x95:
		dst = labelDec(dst, " zone=", c.be64(2))
		dst = labelDec(dst, " alloc_len=", c.be32(10))
		dst = labelDec(dst, " options=", uint64(c[14]&0x3f))
		return labelDec(dst, " partial=", uint64(c[14]>>7))
	case 0x94:
		dst = labelDec(dst, " zone=", c.be64(2))
		return labelDec(dst, " all=", uint64(c[14]&1))
	}
	return labelDec(dst, " alloc_len=", c.be32(6))
}

// scsiVariable prints the 32-byte commands, with an action in bytes 8 and 9.
func scsiVariable(dst []byte, c *cdb) []byte {
	action := c.be16(8)
	name, ok := scsiLong.name(action)
	if !ok {
		return append(dst, '-')
	}
	dst = append(append(dst, name...), ' ')
	dst = scsiTransfer(dst, c.be64(12), c.be32(28), uint64(c[10]>>5))
	dst = labelDec(dst, " ei_lbrt=", c.be32(20))
	if action == 0x0d {
		dst = labelDec(dst, " unmap=", uint64(c[10]>>3&1))
	}
	return dst
}

// name returns the text of the first row with value v.
func (t Table) name(v uint64) (string, bool) {
	for i := range t {
		if t[i].Value == v {
			return t[i].Text, true
		}
	}
	return "", false
}

// labelDec appends label and v in decimal.
func labelDec(dst []byte, label string, v uint64) []byte {
	return Udec(append(dst, label...), v)
}

// labelHex appends label and v in hexadecimal without a prefix.
func labelHex(dst []byte, label string, v uint64) []byte {
	return HexLower(append(dst, label...), v)
}
