package render

// Prefix types of a hex dump (enum in include/linux/printk.h).
const (
	dumpPrefixAddress = 1
	dumpPrefixOffset  = 2
)

// HexDump appends the first n bytes of buf as lines: __print_hex_dump. A newline comes first. Each
// line has row bytes (16 or 32, otherwise 16) in groups of group bytes (1, 2, 4 or 8, otherwise 1)
// and ends with a newline (trace_print_hex_dump_seq, seq_buf_hex_dump). Groups are read in the byte
// order of env. The kernel's address prefix is a hash of the ring buffer's address. HexDump prints
// the offset instead, with the width of a pointer.
func HexDump(dst []byte, env *Env, prefix string, prefixType, row, group uint64, buf []byte, n, ascii uint64) []byte {
	start := len(dst)
	dst = append(dst, '\n')
	prefix = clip(prefix)
	buf = first(buf, n)
	if row != 32 {
		row = 16
	}
	for off := 0; off < len(buf) && len(dst)-start <= MaxText*4; off += int(row) {
		dst = append(dst, prefix...)
		switch prefixType {
		case dumpPrefixAddress:
			dst = append(HexPad(dst, uint64(off), env.wordSize()*2), ": "...)
		case dumpPrefixOffset:
			dst = append(HexPad(dst, uint64(off), 8), ": "...)
		}
		dst = hexDumpLine(dst, buf[off:min(off+int(row), len(buf))], int(row), group, env.bigEndian(), ascii != 0)
		dst = append(dst, '\n')
	}
	return dst
}

// hexDumpLine is hex_dump_to_buffer of lib/hexdump.c for 1 to row bytes.
func hexDumpLine(dst, b []byte, row int, group uint64, big, ascii bool) []byte {
	switch group {
	case 1, 2, 4, 8:
		if len(b)%int(group) != 0 {
			group = 1 // the kernel prints a line with an odd tail byte by byte
		}
	default:
		group = 1
	}
	size := int(group)
	start := len(dst)
	for i := 0; i+size <= len(b); i += size {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = HexPad(dst, uintOf(b[i:i+size], big), 2*size)
	}
	if !ascii {
		return dst
	}
	column := row*2 + row/size + 1
	dst = fill(dst, ' ', column-(len(dst)-start))
	for _, c := range b {
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	return dst
}
