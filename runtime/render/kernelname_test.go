package render

import "testing"

func TestKernelName(t *testing.T) {
	const minus110 = ^uint64(109)
	for _, c := range []struct {
		fn   string
		v    uint64
		want string
	}{
		{"blk_op_str", 0, "READ"},
		{"blk_op_str", 3, "DISCARD"},
		{"blk_op_str", 9, "WRITE_ZEROES"},
		{"blk_op_str", 7, "ZONE_APPEND"},
		{"blk_op_str", 13, "0xd"}, // ZONE_CLOSE in 7.2, another operation before
		{"blk_op_str", 19, "ZONE_RESET_ALL"},
		{"blk_op_str", 34, "DRV_IN"},
		{"blk_zone_cond_str", 14, "FULL"},
		{"blk_zone_cond_str", 9, "UNKNOWN"},
		{"ucsi_cmd_str", 0x10006, "GET_CAPABILITY"}, // the low byte is the command
		{"ucsi_cmd_str", 0x13, "GET_ERROR_STATUS"},
		{"ucsi_cmd_str", 0, "Unknown command"},
		{"ucsi_recipient_str", 1, "partner"},
		{"mc_event_error_type", 1, "Uncorrected"},
		{"mc_event_error_type", 9, "Info"},
		{"cper_severity_str", 2, "corrected"},
		{"cper_mem_err_type_str", 15, "physical memory map-out event"},
		{"cper_mem_err_type_str", 16, "unknown error"},
		{"ceph_mds_op_name", 0x101, "getattr"},
		{"ceph_mds_op_name", 0x1220, "mkdir"},
		{"ceph_mds_op_name", 5, "???"},
		{"ceph_cap_op_name", 12, "renew"},
		{"usb_state_string", 7, "configured"},
		{"usb_speed_string", 5, "super-speed"},
		{"xhci_ring_type_string", 5, "CMD"},
		{"dwc3_trb_type_string", 0x80, "link"},
		{"dwc3_trb_type_string", 0, "UNKNOWN"},
		{"dwc3_gadget_ep_cmd_string", 6, "Start Transfer"},
		{"dwc3_gadget_ep_cmd_string", 0x10006, "Start Transfer"},
		{"dwc3_gadget_generic_cmd_string", 0x10, "Run SoC Bus Loopback Test"},
		{"dwc3_gadget_generic_cmd_string", 0x06, "UNKNOWN"},
		{"dwc3_ep_cmd_status_string", minus110, "Timed Out"},
		{"dwc3_ep_cmd_status_string", 0, "Successful"},
		{"dwc3_gadget_generic_cmd_status_string", minus110 & 0xffffffff, "Timed Out"},
		{"dwc3_mode_string", 3, "otg"},
		{"parse_cm_state", 19, "CLOSED"},
		{"parse_cm_state", 10, "MPAREJ_RECVD"},
		{"parse_cm_state", 20, "UNKNOWN"},
		{"parse_cm_event_type", 1, "CmEstablished"},
		{"parse_iw_event_type", 5, "IwClose"},
		{"hfi1_trace_get_packet_l4_str", 8, "16B"},
		{"hfi1_trace_get_packet_l2_str", 3, "9B"},
		{"hfi1_trace_get_packet_l2_str", 4, ""},
		{"xen_hypercall_name", 12, "(memory_op)"},
		{"xen_hypercall_name", 11, ""},
		{"xen_hypercall_name", 48, "(mca)"},
		{"xen_hypercall_name", 55, "(arch_7)"},
		{"no_such_function", 12, "0xc"},
	} {
		if got := string(KernelName(nil, nil, c.v, c.fn)); got != c.want {
			t.Errorf("%s of %#x: got %q, want %q", c.fn, c.v, got, c.want)
		}
	}
}
