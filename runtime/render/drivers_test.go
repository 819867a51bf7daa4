package render

import (
	"strings"
	"testing"
)

// No available recording has these events. The texts come from the modules of Debian's 6.1 and 7.2
// kernels.

func TestSCSICommand(t *testing.T) {
	for _, c := range []struct{ cdb, want string }{
		{"08 1f ff ff 00 00", "lba=2097151 txlen=256"},
		{"0a 00 01 00 08 00", "lba=256 txlen=8"},
		{"28 00 00 00 10 00 00 00 08 00", "lba=4096 txlen=8 protect=0"},
		{"2a 20 ff ff ff ff 00 00 01 00", "lba=4294967295 txlen=1 protect=1"},
		{"41 08 00 00 00 01 00 00 02 00", "lba=1 txlen=2 protect=0 unmap=1"},
		{"a8 00 00 00 00 01 00 01 00 00 00 00", "lba=1 txlen=65536 protect=0"},
		{"88 00 00 00 00 01 00 00 00 00 00 00 00 08 00 00", "lba=4294967296 txlen=8 protect=0"},
		{"93 08 00 00 00 00 00 00 00 01 00 00 00 08 00 00", "lba=1 txlen=8 protect=0 unmap=1"},
		{"42 00 00 00 00 00 00 00 28 00", "regions=2"},
		{"9e 10 00 00 00 00 00 00 00 00 00 00 00 20 00 00", "READ_CAPACITY_16 lba=0 alloc_len=32"},
		{"9e 11 00 00 00 00 00 00 00 00 00 00 00 20 00 00", "UNKNOWN"},
		{"a3 0c 00 00 00 00 00 00 02 00 00 00", "REPORT_SUPPORTED_OPERATION_CODES alloc_len=512"},
		{"a4 0a 00 00 00 00 00 00 00 10 00 00", "SET_TARGET_PORT_GROUPS alloc_len=16"},
		{"95 00 00 00 00 00 00 00 10 00 00 00 02 00 82 00", "REPORT_ZONES zone=4096 alloc_len=512 options=2 partial=1"},
		{"94 04 00 00 00 00 00 00 10 00 00 00 00 00 01 00", "RESET_WRITE_POINTER zone=4096 all=1"},
		{"9c 00 00 00 00 00 00 00 10 00 00 00 00 08 00 00", "lba=4096 txlen=8 boundary_size=0"},
		{"7f 00 00 00 00 00 00 18 00 09 20 00 00 00 00 00 00 00 00 05 00 00 00 07 00 00 00 00 00 00 00 09",
			"READ_32 lba=5 txlen=9 protect=1 ei_lbrt=7"},
		{"7f 00 00 00 00 00 00 18 00 7f", "-"},
		{"12 00 00 00 24 00", "-"}, // INQUIRY
		{"00 00 00 00 00 00", "-"},
	} {
		raw := unhex(t, c.cdb)
		if got := string(SCSICommand(nil, nil, raw, uint64(len(raw)))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.cdb, got, c.want)
		}
	}
}

func TestATA(t *testing.T) {
	for _, c := range []struct{ got, want []byte }{
		{ATAStatus(nil, nil, 0x50), []byte("{ DRDY DSC }")},
		{ATAStatus(nil, nil, 0), []byte("{ }")},
		{ATAHostStat(nil, nil, 5), []byte("{ INTR ACTIVE }")},
		{ATAEHAction(nil, nil, 0), []byte("0")},
		{ATAEHAction(nil, nil, 6), []byte("6{ RESET }")},
		{ATAEHAction(nil, nil, 4), []byte("4{ RESET }")},
		{ATAErrMask(nil, nil, 0x401), []byte("401{ DEV NCQ }")},
		{ATAQCFlags(nil, nil, 0x10011), []byte("10011{ ACTIVE RESULT_TF FAILED }")},
		{ATATFFlags(nil, nil, 0x17), []byte("17{ LBA48 ISADDR DEV LBA }")},
		{ATASubcommand(nil, nil, 0x63, 5, 0), []byte(" SET_FEATURES")},
		{ATASubcommand(nil, nil, 0x64, 0, 0), []byte(" DATASET_MANAGEMENT")},
		{ATASubcommand(nil, nil, 0x65, 0, 1), []byte(" READ_LOG_DMA_EXT")},
		{ATASubcommand(nil, nil, 0x9f, 4, 0), []byte(" RESET_WRITE_POINTER")},
		{ATASubcommand(nil, nil, 0xc8, 1, 1), nil},
	} {
		if string(c.got) != string(c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestNVMe(t *testing.T) {
	words := unhex(t, "0100 0200 0300 0400 05000000 06070809 0a000000 0b000000")
	const raw = "01 00 02 00 03 00 04 00 05 00 00 00 06 07 08 09 0a 00 00 00 0b 00 00 00"
	type decode func([]byte, *Env, uint64, []byte) []byte
	for _, c := range []struct {
		name string
		f    decode
		code uint64
		want string
	}{
		{"admin", NVMeAdmin, 0x00, "sqid=1"},
		{"admin", NVMeAdmin, 0x01, "sqid=1, qsize=2, sq_flags=0x3, cqid=4"},
		{"admin", NVMeAdmin, 0x05, "cqid=1, qsize=2, cq_flags=0x3, irq_vector=4"},
		{"admin", NVMeAdmin, 0x06, "cns=1, ctrlid=2"},
		{"admin", NVMeAdmin, 0x09, "fid=0x1, sv=0x0, cdw11=0x40003"},
		{"admin", NVMeAdmin, 0x0a, "fid=0x1, sel=0x0, cdw11=0x40003"},
		{"admin", NVMeAdmin, 0x80, "lbaf=1, mset=0, pi=0, pil=0, ses=0"},
		{"admin", NVMeAdmin, 0x86, "slba=0x4000300020001, mndw=0x5, rl=0x706, atype=9"},
		{"admin", NVMeAdmin, 0x02, "cdw10=" + raw},
		{"target", NVMetAdmin, 0x01, "cdw10=" + raw},
		{"target", NVMetAdmin, 0x06, "cns=1, ctrlid=2"},
		{"I/O", NVMeIO, 0x02, "slba=1125912791875585, len=5, ctrl=0x0, dsmgmt=151521030, reftag=10"},
		{"I/O", NVMeIO, 0x09, "nr=131073, attributes=262147"},
		{"I/O", NVMeIO, 0x79, "slba=1125912791875585, zsa=6:reserved, all=7"},
		{"I/O", NVMeIO, 0x7a, "slba=1125912791875585, numd=5, zra=6, zrasf=7:list the zones in the ZSO: Offline state, pr=8"},
		{"I/O", NVMeIO, 0x00, "cdw10=" + raw},
		{"I/O", NVMeIO, 0x0d, "rrega=1:unregister, iekey=0, ptpl=0"},
		{"I/O", NVMeIO, 0x0e, "numd=131073, eds=1"},
		{"I/O", NVMeIO, 0x11, "racqa=1:preempt, iekey=0, rtype=0:reserved"},
		{"I/O", NVMeIO, 0x15, "rrela=1:clear, iekey=0, rtype=0:reserved"},
		{"fabrics", NVMeFabrics, 0x00, "attrib=1, ofst=0x40003, value=0x908070600000005"},
		{"fabrics", NVMeFabrics, 0x01, "recfmt=1, qid=2, sqsize=3, cattr=4, kato=5"},
		{"fabrics", NVMeFabrics, 0x04, "attrib=1, ofst=0x40003"},
		{"fabrics", NVMeFabrics, 0x05, "spsp0=00, spsp1=02, secp=00, tl=262147"},
		{"fabrics", NVMeFabrics, 0x77, "specific=" + raw},
	} {
		if got := string(c.f(nil, nil, c.code, words)); got != c.want {
			t.Errorf("%s %#x: got %q, want %q", c.name, c.code, got, c.want)
		}
	}
	if got := string(DiskName(nil, nil, []byte("nvme0n1\x00\x00"))); got != "disk=nvme0n1, " {
		t.Errorf("disk: got %q", got)
	}
	if got := string(DiskName(nil, nil, make([]byte, 32))); got != "" {
		t.Errorf("no disk: got %q", got)
	}
	if got := string(NVMetController(NVMetController(nil, nil, 0), nil, 7)); got != "_7" {
		t.Errorf("controllers: got %q", got)
	}
}

func TestXHCI(t *testing.T) {
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{XHCISlot(nil, nil, 4<<20|3<<27|1<<26|0x12, 2<<16|0x100, 0, 2<<27|5),
			"RS 00012 super-speed Hub Ctx Entries 3 MEL 256 us Port# 2/0" +
				" [TT Slot 0 Port# 0 TTT 0 Intr 0] Addr 5 State addressed"},
		{XHCIEndpoint(nil, nil, 1|3<<16, 7<<3|3<<1|1024<<16|15<<8, 0xffffc001, 1024<<16|3072),
			"State running mult 1 max P. Streams 0 interval 1000 us max ESIT payload 1024 CErr 3" +
				" Type Int IN burst 15 maxp 1024 deq 00000000ffffc001 avg trb len 3072"},
		{XHCIControl(nil, nil, 1<<2|1<<3, 3|1<<5), "Drop: 1out 1in, Add: slot ep0 2in"},
		{XHCIControl(nil, nil, 0, 0), ""},
		{XHCIPort(nil, nil, 0x2a0|1<<10), "Powered Not-connected Disabled Link:RxDetect PortSpeed:1 Change: Wake: "},
		{XHCIPort(nil, nil, 0x203|4<<10|1<<17|1<<25),
			"Powered Connected Enabled Link:U0 PortSpeed:4 Change: CSC Wake: WCE "},
		{XHCIDoorbell(nil, nil, 0, 0), "Command Ring 0"},
		{XHCIDoorbell(nil, nil, 1, 3), "Slot 1 ep1in"},
		{XHCIDoorbell(nil, nil, 1, 2<<16|4), "Slot 1 ep2out Stream 2"},
		{XHCIDoorbell(nil, nil, 1, 0), "Slot 1 Reserved 0"},
		{XHCIDoorbell(nil, nil, 1, 250), "Slot 1 Vendor Defined 250"},
		{XHCITRB(nil, nil, 0x1000, 1, 0, 6<<10|3), "LINK 0000000100001000 intr 0 type 'Link' flags i:c:T:C"},
		{XHCITRB(nil, nil, 0x1000, 1, 13<<24|8, 32<<10|2<<24|3<<16|1),
			"TRB 0000000100001000 status 'Short Packet' len 8 slot 2 ep 3 type 'Transfer Event' flags e:C"},
		{XHCITRB(nil, nil, 0x01000680, 0x00120000, 8, 2<<10|1<<6|1),
			"bRequestType 80 bRequest 06 wValue 0100 wIndex 0000 wLength 18 length 8 TD size 0 intr 0" +
				" type 'Setup Stage' flags I:i:C"},
		{XHCITRB(nil, nil, 0x2000, 0, 512, 1<<10|1<<5|1<<2),
			"Buffer 0000000000002000 length 512 TD size 0 intr 0 type 'Normal' flags b:i:I:c:s:I:e:c"},
		{XHCITRB(nil, nil, 0, 0, 0, 4<<10|1<<5|1),
			"Buffer 0000000000000000 length 0 TD size 0 intr 0 type 'Status Stage' flags I:c:e:C"},
		{XHCITRB(nil, nil, 0, 0, 0, 9<<10|1), "Enable Slot Command: flags C"},
		{XHCITRB(nil, nil, 0x3000, 0, 0, 11<<10|2<<24|1<<9),
			"Address Device Command: ctx 0000000000003000 slot 2 flags B:c"},
		{XHCITRB(nil, nil, 0, 0, 0, 15<<10|2<<24|3<<16|1), "Stop Ring Command: slot 2 sp 0 ep 3 flags C"},
		{XHCITRB(nil, nil, 0x3001, 0, 4<<16, 16<<10|2<<24|3<<16),
			"Set TR Dequeue Pointer Command: deq 0000000000003001 stream 4 slot 2 ep 3 flags c"},
		{XHCITRB(nil, nil, 1, 2, 3, 60<<10), "type 'UNKNOWN' -> raw 00000001 00000002 00000003 0000f000"},
	} {
		if string(c.got) != c.want {
			t.Errorf("got  %q\nwant %q", c.got, c.want)
		}
	}
}

func TestUSB(t *testing.T) {
	for _, c := range []struct {
		v    [5]uint64
		want string
	}{
		{[5]uint64{0x80, 0, 0, 0, 2}, "Get Device Status(Length = 2)"},
		{[5]uint64{0x82, 0, 0, 0x81, 2}, "Get Endpoint Status(ep1in)"},
		{[5]uint64{0x00, 3, 2, 4, 0}, "Set Device Feature(Test Mode: TEST_PACKET)"},
		{[5]uint64{0x02, 1, 0, 0x02, 0}, "Clear Endpoint Feature(Halt ep2out)"},
		{[5]uint64{0x00, 5, 10, 0, 0}, "Set Address(Addr = 0a)"},
		{[5]uint64{0x80, 6, 0x0100, 0, 18}, "Get Device Descriptor(Index = 0, Length = 18)"},
		{[5]uint64{0x00, 9, 1, 0, 0}, "Set Configuration(Config = 1)"},
		{[5]uint64{0x01, 11, 1, 2, 0}, "Set Interface(Intf = 2, Alt.Setting = 1)"},
		{[5]uint64{0x00, 0x31, 40, 0, 0}, "Set Isochronous Delay(Delay = 40 ns)"},
		{[5]uint64{0xa1, 0xfe, 0, 0, 1}, "Type=Class Recipient=Interface Dir=IN bRequest=254 wValue=0 wIndex=0 wLength=1"},
	} {
		if got := string(USBControl(nil, nil, c.v[0], c.v[1], c.v[2], c.v[3], c.v[4])); got != c.want {
			t.Errorf("%x: got %q, want %q", c.v, got, c.want)
		}
	}
	for _, c := range []struct {
		event, control uint64
		want           string
	}{
		{0x00000101, 0, "Reset [U0]"},
		{0x000f0301, 0, "Link Change [Resume]"},
		{0x00000801, 0, "UNKNOWN"},
		{0x0000c040, 1, "ep0out: Transfer Complete (sIL) [Setup Phase]"},
		{0x00006086, 0, "ep1in: Transfer In Progress [00000000] (SIm)"},
		{0x000080c4, 0, "ep1out: Transfer Not Ready [00000000] (Active)"},
		{0x000010c2, 0, "ep0in: Transfer Not Ready [00000000] (Not Active) [Data Phase]"},
		{0x00051186, 0, "ep1in:  Stream 5 Found"},
	} {
		if got := string(DWC3Event(nil, nil, c.event, c.control)); got != c.want {
			t.Errorf("%#x: got %q, want %q", c.event, got, c.want)
		}
	}
}

func TestSingleDrivers(t *testing.T) {
	addr := unhex(t, "0100007f")
	if got := string(RDMAAddress(nil, nil, addr, 0x1234, 1)); got != "127.0.0.1:13330" {
		t.Errorf("IPv4: got %s", got)
	}
	if got := string(RDMAAddress(nil, bigEnd, unhex(t, "7f000001"), 0x1234, 1)); got != "127.0.0.1:4660" {
		t.Errorf("IPv4, big-endian: got %s", got)
	}
	addr = unhex(t, "20010db8000000000000000000000001")
	if got := string(RDMAAddress(nil, bigEnd, addr, 80, 0)); got != "2001:0db8:0000:0000:0000:0000:0000:0001:80" {
		t.Errorf("IPv6: got %s", got)
	}
	if got := string(U32Array(nil, nil, unhex(t, "01000000 02000000 03"), 9)); got != "0x1 0x2" {
		t.Errorf("array: got %s", got)
	}
	got := string(PRQDescriptor(nil, nil, 0x1234<<16|1<<52|5<<32|1<<9, 0xabc<<12|3|2<<3, 7, 8))
	if want := "rid=0x1234 addr=0xabc rwx-- pasid=0x5 index=0x2 private=0x7/0x8\n"; got != want {
		t.Errorf("page request: got %q, want %q", got, want)
	}
	mem := make([]byte, 55)
	mem[0], mem[1], mem[2] = 0x08, 0x83, 0x06 // node, row, column, rank, module handle, long row
	mem[8], mem[18], mem[20], mem[48], mem[52], mem[54] = 1, 2, 3, 4, 5, 1
	if got, want := string(CPERMemory(nil, nil, mem)),
		"node:1 rank:4 row:65538 column:3 DIMM location: not present. DMI handle: 0x0005 "; got != want {
		t.Errorf("memory error: got %q, want %q", got, want)
	}
}

func FuzzDrivers(f *testing.F) {
	f.Add([]byte{0x28, 1, 2, 3}, uint64(4), uint64(0xffffffffffffffff), uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, b []byte, u, v, w, x uint64) {
		var dst []byte
		dst = SCSICommand(dst[:0], nil, b, u)
		for _, f := range []func([]byte, *Env, uint64, []byte) []byte{NVMeAdmin, NVMetAdmin, NVMeIO, NVMeFabrics} {
			dst = f(dst[:0], nil, u, b)
		}
		dst = XHCITRB(dst[:0], nil, u, v, w, x)
		dst = XHCISlot(dst[:0], nil, u, v, w, x)
		dst = XHCIEndpoint(dst[:0], nil, u, v, w, x)
		dst = XHCIPort(XHCIControl(XHCIDoorbell(dst[:0], nil, u, v), nil, w, x), nil, u)
		dst = USBControl(dst[:0], nil, u, v, w, x, u)
		dst = DWC3Event(dst[:0], nil, u, v)
		dst = PRQDescriptor(dst[:0], nil, u, v, w, x)
		dst = RDMAAddress(dst[:0], bigEnd, b, u, v)
		_ = CPERMemory(U32Array(dst[:0], nil, b, u), nil, b)
		for fn := range kernelNames {
			if name := string(KernelName(nil, nil, u, fn)); strings.Contains(name, "\x00") {
				t.Fatalf("%s of %d gives %q", fn, u, name)
			}
		}
	})
}
