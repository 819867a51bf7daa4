package render

// Functions of single drivers that print formats call.

// PRQDescriptor appends a page request of an Intel IOMMU: decode_prq_descriptor
// (drivers/iommu/intel/trace.h). The bits are defined in VT-d, section 7.5.1.1.
func PRQDescriptor(dst []byte, _ *Env, d0, d1, d2, d3 uint64) []byte {
	dst = labelHex(dst, "rid=0x", d0>>16&0xffff)
	dst = labelHex(dst, " addr=0x", d1>>12)
	dst = flag(append(dst, ' '), d1, 0, "r", "-")
	dst = flag(dst, d1, 1, "w", "-")
	dst = flag(dst, d0, 52, "x", "-")
	dst = flag(dst, d0, 53, "p", "-")
	dst = flag(dst, d1, 2, "l", "-")
	dst = labelHex(dst, " pasid=0x", d0>>32&0xfffff)
	dst = labelHex(dst, " index=0x", d1>>3&0x1ff)
	if bit(d0, 9) { // private data
		dst = labelHex(dst, " private=0x", d2)
		dst = append(labelHex(dst, "/0x", d3), '\n')
	}
	return dst
}

// RDMAAddress appends an address of irdma and its port: print_ip_addr
// (drivers/infiniband/hw/irdma/trace.c). r is one u32, or four for IPv6, in the byte order of env.
// The kernel applies htons to a port in host order, so a little-endian machine prints it with
// swapped bytes. RDMAAddress does the same.
func RDMAAddress(dst []byte, env *Env, r []byte, port, ipv4 uint64) []byte {
	var a [16]byte
	copy(a[:], r)
	if ipv4&0xff != 0 {
		dst = ip4(dst, env, a[:4], false, 'h')
	} else {
		// The words are used as bytes in memory, in either order: %pI6 of an array of u32.
		dst = ip6Full(dst, &a)
	}
	if !env.bigEndian() {
		port = Swab16(port, 0)
	}
	return labelDec(dst, ":", port&0xffff)
}

// U32Array appends the first n u32 of r as `0x1 0x2`: print_u32_array
// (drivers/infiniband/hw/hfi1/trace_tx.h). They are in the byte order of env.
func U32Array(dst []byte, env *Env, r []byte, n uint64) []byte {
	r = first(r, uint64(len(r)))
	for i := 0; int64(n) > 0 && uint64(i) < n && len(r) >= 4; i++ {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = hex0x(dst, uintOf(r[:4], env.bigEndian()))
		r = r[4:]
	}
	return dst
}

// CPERMemory appends the place of a memory error: cper_mem_err_unpack of a struct
// cper_mem_err_compact (include/linux/cper.h), which is packed: u64 validation_bits; u16 node,
// card, module, bank, device, row, column, bit_pos; u64 requestor_id, responder_id, target_id; u16
// rank, mem_array_handle, mem_dev_handle; u8 extended. The kernel names the module from its DMI
// tables, which are not recorded. So the handle is printed, as in a kernel whose tables do not have
// the name.
func CPERMemory(dst []byte, env *Env, r []byte) []byte {
	var b [56]byte
	copy(b[:], r)
	u16 := func(at int) uint64 { return uintOf(b[at:at+2], env.bigEndian()) }
	u64 := func(at int) uint64 { return uintOf(b[at:at+8], env.bigEndian()) }
	valid, extended := u64(0), uint64(b[54])
	put := func(at uint, label string, v uint64) {
		if bit(valid, at) {
			dst = append(labelDec(dst, label, v), ' ')
		}
	}
	put(3, "node:", u16(8))
	put(4, "card:", u16(10))
	put(5, "module:", u16(12))
	put(15, "rank:", u16(48))
	put(6, "bank:", u16(14))
	put(19, "bank_group:", u16(14)>>8)
	put(20, "bank_address:", u16(14)&0xff)
	put(7, "device:", u16(16))
	if row := u16(18); bit(valid, 18) { // the row has 18 bits
		dst = append(labelDec(dst, "row:", row|extended&3<<16), ' ')
	} else {
		put(8, "row:", row)
	}
	put(9, "column:", u16(20))
	put(10, "bit_position:", u16(22))
	for i, label := range [3]string{"requestor_id:0x", "responder_id:0x", "target_id:0x"} {
		if bit(valid, uint(11+i)) {
			dst = append(HexPad(append(dst, label...), u64(24+8*i), 16), ' ')
		}
	}
	put(21, "chip_id:", extended>>5)
	if bit(valid, 17) {
		dst = append(dst, "DIMM location: not present. DMI handle: 0x"...)
		dst = append(HexPad(dst, u16(52), 4), ' ')
	}
	return dst
}
