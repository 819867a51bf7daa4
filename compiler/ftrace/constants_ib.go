package ftrace

// ibConstants are opcodes of the InfiniBand Architecture Specification 1.x, by their names in
// include/rdma/ib_pack.h. The top three bits are the transport, the other bits the operation.
func ibConstants() map[string]int64 {
	ops := enum(0, "SEND_FIRST SEND_MIDDLE SEND_LAST SEND_LAST_WITH_IMMEDIATE SEND_ONLY SEND_ONLY_WITH_IMMEDIATE "+
		"RDMA_WRITE_FIRST RDMA_WRITE_MIDDLE RDMA_WRITE_LAST RDMA_WRITE_LAST_WITH_IMMEDIATE RDMA_WRITE_ONLY "+
		"RDMA_WRITE_ONLY_WITH_IMMEDIATE RDMA_READ_REQUEST RDMA_READ_RESPONSE_FIRST RDMA_READ_RESPONSE_MIDDLE "+
		"RDMA_READ_RESPONSE_LAST RDMA_READ_RESPONSE_ONLY ACKNOWLEDGE ATOMIC_ACKNOWLEDGE COMPARE_SWAP FETCH_ADD "+
		"- SEND_LAST_WITH_INVALIDATE SEND_ONLY_WITH_INVALIDATE")
	t := map[string]int64{"IB_OPCODE_CNP": 0x80}
	for transport, base := range map[string]int64{"RC": 0x00, "UC": 0x20, "RD": 0x40, "UD": 0x60} {
		for op, v := range ops {
			t["IB_OPCODE_"+transport+"_"+op] = base + v
		}
	}
	return t
}
