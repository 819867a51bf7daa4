package render

// Bits of the libata_trace_parse_ functions (drivers/ata/libata-trace.c), in the order in which
// they print. The numbers come from include/linux/ata.h and libata.h since 6.1.
var (
	ataStatus = Table{
		{0x80, "BUSY "}, {0x40, "DRDY "}, {0x20, "DF "}, {0x10, "DSC "}, {0x08, "DRQ "}, {0x04, "CORR "},
		{0x02, "SENSE "}, {0x01, "ERR "},
	}
	ataHostStat = Table{{0x04, "INTR "}, {0x02, "ERR "}, {0x01, "ACTIVE "}}
	ataEHAction = Table{{0x01, "REVALIDATE "}, {0x06, "RESET "}, {0x08, "ENABLE_LINK "}, {0x20, "PARK "}}
	ataErrMask  = Table{
		{0x001, "DEV "}, {0x002, "HSM "}, {0x004, "TIMEOUT "}, {0x008, "MEDIA "}, {0x010, "ATA_BUS "},
		{0x020, "HOST_BUS "}, {0x040, "SYSTEM "}, {0x080, "INVALID "}, {0x100, "OTHER "},
		{0x200, "NODEV_HINT "}, {0x400, "NCQ "},
	}
	ataQCFlags = Table{
		{0x00001, "ACTIVE "}, {0x00002, "DMAMAP "}, {0x00008, "IO "}, {0x00010, "RESULT_TF "},
		{0x00020, "CLEAR_EXCL "}, {0x00040, "QUIET "}, {0x00080, "RETRY "}, {0x10000, "FAILED "},
		{0x20000, "SENSE_VALID "}, {0x40000, "EH_SCHEDULED "},
	}
	ataTFFlags = Table{
		{0x01, "LBA48 "}, {0x02, "ISADDR "}, {0x04, "DEV "}, {0x08, "WRITE "}, {0x10, "LBA "}, {0x20, "FUA "},
		{0x40, "POLL "},
	}
)

// ataBits appends `{ A B }` with the text of each row that has any of its bits in v.
func ataBits(dst []byte, v uint64, t Table) []byte {
	dst = append(dst, "{ "...)
	for i := range t {
		if v&t[i].Value != 0 {
			dst = append(dst, t[i].Text...)
		}
	}
	return append(dst, '}')
}

// ataFlags appends the number in hexadecimal and, unless it is 0, the bits.
func ataFlags(dst []byte, v uint64, t Table) []byte {
	v &= 1<<32 - 1
	dst = HexLower(dst, v)
	if v == 0 {
		return dst
	}
	return ataBits(dst, v, t)
}

// ATAStatus appends a status register, `{ DRDY ERR }`: libata_trace_parse_status.
func ATAStatus(dst []byte, _ *Env, v uint64) []byte { return ataBits(dst, v, ataStatus) }

// ATAHostStat appends the status of bus-master DMA: libata_trace_parse_host_stat.
func ATAHostStat(dst []byte, _ *Env, v uint64) []byte { return ataBits(dst, v, ataHostStat) }

// ATAEHAction appends actions of error handling, `6{ RESET }`: libata_trace_parse_eh_action.
func ATAEHAction(dst []byte, _ *Env, v uint64) []byte { return ataFlags(dst, v, ataEHAction) }

// ATAErrMask appends a set of errors: libata_trace_parse_eh_err_mask.
func ATAErrMask(dst []byte, _ *Env, v uint64) []byte { return ataFlags(dst, v, ataErrMask) }

// ATAQCFlags appends flags of a queued command: libata_trace_parse_qc_flags.
func ATAQCFlags(dst []byte, _ *Env, v uint64) []byte { return ataFlags(dst, v, ataQCFlags) }

// ATATFFlags appends flags of a task file: libata_trace_parse_tf_flags.
func ATATFFlags(dst []byte, _ *Env, v uint64) []byte { return ataFlags(dst, v, ataTFFlags) }

// Commands with subcommands, and the subcommands.
var (
	ataNCQNonData = Table{{0, " ABORT_QUEUE"}, {5, " SET_FEATURES"}, {6, " ZERO_EXT"}, {7, " ZAC_MGMT_OUT"}}
	ataFPDMASend  = Table{{0, " DATASET_MANAGEMENT"}, {2, " WRITE_LOG_DMA_EXT"}}
	ataFPDMARecv  = Table{{1, " READ_LOG_DMA_EXT"}, {2, " ZAC_MGMT_IN"}}
	ataZACIn      = Table{{0, " REPORT_ZONES"}}
	ataZACOut     = Table{{1, " CLOSE_ZONE"}, {2, " FINISH_ZONE"}, {3, " OPEN_ZONE"}, {4, " RESET_WRITE_POINTER"}}
)

// ATASubcommand appends the subcommand of a command with a leading space, or nothing:
// libata_trace_parse_subcmd of cmd, feature and hob_nsect.
func ATASubcommand(dst []byte, _ *Env, cmd, feature, hobCount uint64) []byte {
	name := ""
	switch uint8(cmd) {
	case 0x63: // NCQ_NON_DATA
		name, _ = ataNCQNonData.name(feature & 0xff)
	case 0x64: // FPDMA_SEND
		name, _ = ataFPDMASend.name(hobCount & 0x5f)
	case 0x65: // FPDMA_RECV
		name, _ = ataFPDMARecv.name(hobCount & 0x5f)
	case 0x4a: // ZAC_MGMT_IN
		name, _ = ataZACIn.name(feature & 0xff)
	case 0x9f: // ZAC_MGMT_OUT
		name, _ = ataZACOut.name(feature & 0xff)
	}
	return append(dst, name...)
}
