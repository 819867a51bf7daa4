package plugin

import (
	"bytes"
	"encoding/binary"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// cdbCall is how the event's plain text shows the function that the plugin adds.
var cdbCall = []byte("scsi_trace_parse_cdb(")

// newSCSI decodes the command descriptor block inside the event's plain text.
func newSCSI(c *Context, l *layout) Handler {
	f := l.find("cmnd")
	if f == nil || c.Plain == nil {
		return nil
	}
	cdb, size := interp.NewReader(f, c.Target), l.num("cmd_len")
	plain := c.Plain(l.ev)
	if plain == nil {
		return nil
	}
	var scratch []byte
	return func(dst []byte, r *record.Record) []byte {
		start := len(dst)
		dst = plain(dst, r)
		at := bytes.Index(dst[start:], cdbCall)
		if at < 0 {
			return dst
		}
		at += start
		end := bytes.IndexByte(dst[at:], ')')
		if end < 0 {
			return dst
		}
		scratch = append(scratch[:0], dst[at+end+1:]...)
		b := cdb.Bytes(r.Data)
		if n := size.Uint(r.Data); n < uint64(len(b)) {
			b = b[:n]
		}
		dst = putCDB(dst[:at], b)
		return append(dst, scratch...)
	}
}

// Operation codes of SCSI commands (SPC, SBC).
const (
	scsiRead6, scsiWrite6               = 0x08, 0x0a
	scsiRead10, scsiWrite10             = 0x28, 0x2a
	scsiVerify, scsiWriteSame           = 0x2f, 0x41
	scsiUnmap                           = 0x42
	scsiRead12, scsiWrite12             = 0xa8, 0xaa
	scsiVerify12                        = 0xaf
	scsiRead16, scsiWrite16             = 0x88, 0x8a
	scsiVerify16, scsiWriteSame16       = 0x8f, 0x93
	scsiServiceActionIn16               = 0x9e
	scsiVariableLength                  = 0x7f
	saiReadCapacity16                   = 0x10
	saiGetLBAStatus                     = 0x12
	scsiRead32, scsiVerify32            = 0x09, 0x0a
	scsiWrite32, scsiWriteSame32        = 0x0b, 0x0d
	scsiDefaultTransferLength6    int64 = 256 // SBC-2: what 0 stands for in READ(6) and WRITE(6)
)

// putCDB appends what a command reads or writes, `-` for commands that are not decoded or cut short. Numbers
// are unsigned; the reference extends those of 32 bits by their sign.
func putCDB(dst, cdb []byte) []byte {
	if len(cdb) == 0 {
		return append(dst, '-')
	}
	switch op := cdb[0]; op {
	case scsiRead6, scsiWrite6:
		if len(cdb) >= 6 {
			n := int64(cdb[4])
			if n == 0 {
				n = scsiDefaultTransferLength6
			}
			return putBlocks(dst, uint64(binary.BigEndian.Uint32(cdb)&0x1fffff), uint64(n))
		}
	case scsiRead10, scsiWrite10, scsiVerify, scsiWriteSame:
		if len(cdb) >= 10 {
			dst = putBlocks(dst, be32(cdb[2:]), uint64(binary.BigEndian.Uint16(cdb[7:])))
			return putProtect(dst, cdb[1], op == scsiWriteSame)
		}
	case scsiRead12, scsiWrite12, scsiVerify12:
		if len(cdb) >= 12 {
			dst = putBlocks(dst, be32(cdb[2:]), be32(cdb[6:]))
			return putProtect(dst, cdb[1], false)
		}
	case scsiRead16, scsiWrite16, scsiVerify16, scsiWriteSame16:
		if len(cdb) >= 16 {
			dst = putBlocks(dst, binary.BigEndian.Uint64(cdb[2:]), be32(cdb[10:]))
			return putProtect(dst, cdb[1], op == scsiWriteSame16)
		}
	case scsiUnmap:
		if len(cdb) >= 10 {
			// An 8-byte header, then 16 bytes a region.
			dst = append(dst, "regions="...)
			return render.Udec(dst, uint64((uint32(binary.BigEndian.Uint16(cdb[7:]))-8)/16))
		}
	case scsiServiceActionIn16:
		if len(cdb) >= 16 {
			return putServiceAction(dst, cdb)
		}
	case scsiVariableLength:
		if len(cdb) >= 32 {
			return putVariableLength(dst, cdb)
		}
	}
	return append(dst, '-')
}

func be32(b []byte) uint64 { return uint64(binary.BigEndian.Uint32(b)) }

func putBlocks(dst []byte, lba, n uint64) []byte {
	dst = append(dst, "lba="...)
	dst = render.Udec(dst, lba)
	dst = append(dst, " txlen="...)
	return render.Udec(dst, n)
}

// putProtect appends the flags in the byte behind the operation code.
func putProtect(dst []byte, flags byte, same bool) []byte {
	dst = append(dst, " protect="...)
	dst = append(dst, '0'+flags>>5)
	if same {
		dst = append(dst, " unmap="...)
		dst = append(dst, '0'+flags>>3&1)
	}
	return dst
}

func putServiceAction(dst, cdb []byte) []byte {
	switch cdb[1] & 0x1f {
	case saiReadCapacity16:
		dst = append(dst, "READ_CAPACITY_16"...)
	case saiGetLBAStatus:
		dst = append(dst, "GET_LBA_STATUS"...)
	default:
		return append(dst, "UNKNOWN"...)
	}
	dst = append(dst, " lba="...)
	dst = render.Udec(dst, binary.BigEndian.Uint64(cdb[2:]))
	dst = append(dst, " alloc_len="...)
	return render.Udec(dst, be32(cdb[10:]))
}

func putVariableLength(dst, cdb []byte) []byte {
	action := binary.BigEndian.Uint16(cdb[8:])
	switch action {
	case scsiRead32:
		dst = append(dst, "READ_32 "...)
	case scsiVerify32:
		dst = append(dst, "VERIFY_32 "...)
	case scsiWrite32:
		dst = append(dst, "WRITE_32 "...)
	case scsiWriteSame32:
		dst = append(dst, "WRITE_SAME_32 "...)
	default:
		return append(dst, '-')
	}
	dst = putBlocks(dst, binary.BigEndian.Uint64(cdb[12:]), be32(cdb[28:]))
	dst = append(dst, " protect="...)
	dst = append(dst, '0'+cdb[10]>>5)
	dst = append(dst, " ei_lbrt="...)
	dst = render.Udec(dst, be32(cdb[20:]))
	if action == scsiWriteSame32 {
		dst = append(dst, " unmap="...)
		dst = append(dst, '0'+cdb[10]>>3&1)
	}
	return dst
}
