package ftrace

// Layouts of kernel structs that print formats read. Because a format file does not hold the layout
// of a struct, this table has only structs that are the same in every kernel that has them.
var structs = map[string]*ctype{
	// include/drm/drm_rect.h
	"struct drm_rect": {kind: kStruct, size: 16, known: true, members: []member{
		{name: "x1", offset: 0, t: typeInt}, {name: "y1", offset: 4, t: typeInt},
		{name: "x2", offset: 8, t: typeInt}, {name: "y2", offset: 12, t: typeInt},
	}},
	// arch/x86/include/asm/kvm_host.h: the low bits have had the same places since 4.2; see
	// oldRole.
	kvmRole: {kind: kStruct, size: 4, known: true, members: []member{
		{name: "word", t: typeUint},
		{name: "level", t: typeUint, shift: 0, bits: 4},
		{name: "has_4_byte_gpte", t: typeUint, shift: 4, bits: 1},
		{name: "gpte_is_8_bytes", t: typeUint, shift: 4, bits: 1},
		{name: "cr4_pae", t: typeUint, shift: 4, bits: 1},
		{name: "quadrant", t: typeUint, shift: 5, bits: 2},
		{name: "direct", t: typeUint, shift: 7, bits: 1},
		{name: "access", t: typeUint, shift: 8, bits: 3},
		{name: "invalid", t: typeUint, shift: 11, bits: 1},
		{name: "efer_nx", t: typeUint, shift: 12, bits: 1},
		{name: "nxe", t: typeUint, shift: 12, bits: 1},
		{name: "cr0_wp", t: typeUint, shift: 13, bits: 1},
		{name: "smep_andnot_wp", t: typeUint, shift: 14, bits: 1},
		{name: "smap_andnot_wp", t: typeUint, shift: 15, bits: 1},
		{name: "ad_disabled", t: typeUint, shift: 16, bits: 1},
		{name: "guest_mode", t: typeUint, shift: 17, bits: 1},
		{name: "passthrough", t: typeUint, shift: 18, bits: 1},
	}},
	// net/rxrpc/protocol.h and ar-internal.h: the header of a packet, as sent and in host order.
	"struct rxrpc_wire_header": rxrpcHeader,
	"struct rxrpc_host_header": rxrpcHeader,
	// include/uapi/linux/rxrpc.h
	"struct sockaddr_rxrpc": {kind: kStruct, size: 36, known: true, members: []member{
		{name: "srx_family", offset: 0, t: typeShortU}, {name: "srx_service", offset: 2, t: typeShortU},
		{name: "transport_type", offset: 4, t: typeShortU}, {name: "transport_len", offset: 6, t: typeShortU},
		{name: "transport", offset: 8, t: &ctype{kind: kStruct, size: 28, known: true}},
	}},
	// include/uapi/linux/errqueue.h
	"struct sock_extended_err": {kind: kStruct, size: 16, known: true, members: []member{
		{name: "ee_errno", offset: 0, t: typeUint}, {name: "ee_origin", offset: 4, t: typeByte},
		{name: "ee_type", offset: 5, t: typeByte}, {name: "ee_code", offset: 6, t: typeByte},
		{name: "ee_pad", offset: 7, t: typeByte}, {name: "ee_info", offset: 8, t: typeUint},
		{name: "ee_data", offset: 12, t: typeUint},
	}},
	// fs/afs/afs.h since 4.20, in which vnode numbers grew. Older kernels have another size.
	"struct afs_fid": {kind: kStruct, size: 24, known: true, members: []member{
		{name: "vid", offset: 0, t: typeU64}, {name: "vnode", offset: 8, t: typeU64},
		{name: "vnode_hi", offset: 16, t: typeUint}, {name: "unique", offset: 20, t: typeUint},
	}},
	// drivers/infiniband/hw/hfi1/hfi.h: credits of every virtual lane, big-endian.
	"struct buffer_control": {kind: kStruct, size: 132, known: true, members: []member{
		{name: "reserved", offset: 0, t: typeShortU}, {name: "overall_shared_limit", offset: 2, t: typeShortU},
		{name: "vl", offset: 4, t: &ctype{kind: kArray, size: 128, known: true, elem: &ctype{
			kind: kStruct, size: 4, known: true, members: []member{
				{name: "dedicated", offset: 0, t: typeShortU}, {name: "shared", offset: 2, t: typeShortU},
			}}}},
	}},
	// include/linux/mm_types.h: 64 bytes on every 64-bit configuration in use.
	"struct page": {kind: kStruct, size: 64, known: true},
}

var rxrpcHeader = &ctype{kind: kStruct, size: 28, known: true, members: []member{
	{name: "epoch", offset: 0, t: typeUint}, {name: "cid", offset: 4, t: typeUint},
	{name: "callNumber", offset: 8, t: typeUint}, {name: "seq", offset: 12, t: typeUint},
	{name: "serial", offset: 16, t: typeUint}, {name: "type", offset: 20, t: typeByte},
	{name: "flags", offset: 21, t: typeByte}, {name: "userStatus", offset: 22, t: typeByte},
	{name: "securityIndex", offset: 23, t: typeByte}, {name: "cksum", offset: 24, t: typeShortU},
	{name: "_rsvd", offset: 24, t: typeShortU}, {name: "serviceId", offset: 26, t: typeShortU},
}}

const kvmRole = "union kvm_mmu_page_role"

// oldRole returns the place of a member of the role of a page before 4.2: in these kernels, six
// bits, pad_for_nice_hex_output, follow quadrant. Print fmts can only identify kernels before 3.18.
// Kernels 3.18 to 4.1 look like later ones.
func oldRole(m *member) *member {
	old := *m
	if m.shift >= 7 {
		old.shift += 6
	}
	return &old
}

// structType returns a struct known by name, or one of unknown size.
func structType(name string) *ctype {
	if t, ok := structs[name]; ok {
		return t
	}
	return &ctype{kind: kStruct, name: name}
}
