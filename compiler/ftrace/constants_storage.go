package ftrace

import "strings"

// enum numbers names from first on. A "-" skips a number.
func enum(first int64, names string) map[string]int64 {
	t := map[string]int64{}
	for name := range strings.FieldsSeq(names) {
		if name != "-" {
			t[name] = first
		}
		first++
	}
	return t
}

// flagBits gives each name one bit, from bit 0 on. A "-" skips a bit.
func flagBits(names string) map[string]int64 {
	t := enum(0, names)
	for name, bit := range t {
		t[name] = 1 << bit
	}
	return t
}

func hrtimerModes() map[string]int64 {
	t := map[string]int64{}
	for base, v := range map[string]int64{"ABS": 0, "REL": 1} {
		for pin, p := range map[string]int64{"": 0, "_PINNED": 2} {
			for kind, k := range map[string]int64{"": 0, "_SOFT": 4, "_HARD": 8} {
				t["HRTIMER_MODE_"+base+pin+kind] = v + p + k
			}
		}
	}
	return t
}

// ataConstants are the ATA8-ACS command codes by their names in include/linux/ata.h, and libata's
// own numbers.
func ataConstants() map[string]int64 {
	return merge(
		enum(0, "ATA_DEV_UNKNOWN ATA_DEV_ATA ATA_DEV_ATA_UNSUP ATA_DEV_ATAPI ATA_DEV_ATAPI_UNSUP ATA_DEV_PMP "+
			"ATA_DEV_PMP_UNSUP ATA_DEV_SEMB ATA_DEV_SEMB_UNSUP ATA_DEV_ZAC ATA_DEV_ZAC_UNSUP ATA_DEV_NONE"),
		enum(0, "HSM_ST_IDLE HSM_ST_FIRST HSM_ST HSM_ST_LAST HSM_ST_ERR"),
		map[string]int64{
			"ATA_PROT_UNKNOWN": 0xff, "ATA_PROT_NODATA": 0, "ATA_PROT_PIO": 1, "ATA_PROT_DMA": 2,
			"ATA_PROT_NCQ_NODATA": 4,
			"ATA_PROT_NCQ":        6, "ATAPI_PROT_NODATA": 8, "ATAPI_PROT_PIO": 9, "ATAPI_PROT_DMA": 10,
		},
		map[string]int64{
			"ATA_CMD_DEV_RESET": 0x08, "ATA_CMD_CHK_POWER": 0xe5, "ATA_CMD_STANDBY": 0xe2, "ATA_CMD_IDLE": 0xe3,
			"ATA_CMD_EDD": 0x90, "ATA_CMD_DOWNLOAD_MICRO": 0x92, "ATA_CMD_DOWNLOAD_MICRO_DMA": 0x93,
			"ATA_CMD_NOP":   0x00,
			"ATA_CMD_FLUSH": 0xe7, "ATA_CMD_FLUSH_EXT": 0xea, "ATA_CMD_ID_ATA": 0xec, "ATA_CMD_ID_ATAPI": 0xa1,
			"ATA_CMD_SERVICE": 0xa2, "ATA_CMD_READ": 0xc8, "ATA_CMD_READ_EXT": 0x25, "ATA_CMD_READ_QUEUED": 0x26,
			"ATA_CMD_READ_STREAM_EXT": 0x2b, "ATA_CMD_READ_STREAM_DMA_EXT": 0x2a, "ATA_CMD_WRITE": 0xca,
			"ATA_CMD_WRITE_EXT": 0x35, "ATA_CMD_WRITE_QUEUED": 0x36, "ATA_CMD_WRITE_STREAM_EXT": 0x3b,
			"ATA_CMD_WRITE_STREAM_DMA_EXT": 0x3a, "ATA_CMD_WRITE_FUA_EXT": 0x3d, "ATA_CMD_WRITE_QUEUED_FUA_EXT": 0x3e,
			"ATA_CMD_FPDMA_READ": 0x60, "ATA_CMD_FPDMA_WRITE": 0x61, "ATA_CMD_NCQ_NON_DATA": 0x63,
			"ATA_CMD_FPDMA_SEND": 0x64, "ATA_CMD_FPDMA_RECV": 0x65, "ATA_CMD_PIO_READ": 0x20,
			"ATA_CMD_PIO_READ_EXT": 0x24,
			"ATA_CMD_PIO_WRITE":    0x30, "ATA_CMD_PIO_WRITE_EXT": 0x34, "ATA_CMD_READ_MULTI": 0xc4,
			"ATA_CMD_READ_MULTI_EXT": 0x29, "ATA_CMD_WRITE_MULTI": 0xc5, "ATA_CMD_WRITE_MULTI_EXT": 0x39,
			"ATA_CMD_WRITE_MULTI_FUA_EXT": 0xce, "ATA_CMD_SET_FEATURES": 0xef, "ATA_CMD_SET_MULTI": 0xc6,
			"ATA_CMD_PACKET": 0xa0, "ATA_CMD_VERIFY": 0x40, "ATA_CMD_VERIFY_EXT": 0x42,
			"ATA_CMD_WRITE_UNCORR_EXT": 0x45,
			"ATA_CMD_STANDBYNOW1":      0xe0, "ATA_CMD_IDLEIMMEDIATE": 0xe1, "ATA_CMD_SLEEP": 0xe6,
			"ATA_CMD_INIT_DEV_PARAMS": 0x91, "ATA_CMD_READ_NATIVE_MAX": 0xf8, "ATA_CMD_READ_NATIVE_MAX_EXT": 0x27,
			"ATA_CMD_SET_MAX": 0xf9, "ATA_CMD_SET_MAX_EXT": 0x37, "ATA_CMD_READ_LOG_EXT": 0x2f,
			"ATA_CMD_WRITE_LOG_EXT":    0x3f,
			"ATA_CMD_READ_LOG_DMA_EXT": 0x47, "ATA_CMD_WRITE_LOG_DMA_EXT": 0x57, "ATA_CMD_TRUSTED_NONDATA": 0x5b,
			"ATA_CMD_TRUSTED_RCV": 0x5c, "ATA_CMD_TRUSTED_RCV_DMA": 0x5d, "ATA_CMD_TRUSTED_SND": 0x5e,
			"ATA_CMD_TRUSTED_SND_DMA": 0x5f, "ATA_CMD_PMP_READ": 0xe4, "ATA_CMD_PMP_READ_DMA": 0xe9,
			"ATA_CMD_PMP_WRITE": 0xe8, "ATA_CMD_PMP_WRITE_DMA": 0xeb, "ATA_CMD_CONF_OVERLAY": 0xb1,
			"ATA_CMD_SEC_SET_PASS": 0xf1, "ATA_CMD_SEC_UNLOCK": 0xf2, "ATA_CMD_SEC_ERASE_PREP": 0xf3,
			"ATA_CMD_SEC_ERASE_UNIT": 0xf4, "ATA_CMD_SEC_FREEZE_LOCK": 0xf5, "ATA_CMD_SEC_DISABLE_PASS": 0xf6,
			"ATA_CMD_CONFIG_STREAM": 0x51, "ATA_CMD_SMART": 0xb0, "ATA_CMD_MEDIA_LOCK": 0xde,
			"ATA_CMD_MEDIA_UNLOCK": 0xdf,
			"ATA_CMD_DSM":          0x06, "ATA_CMD_CHK_MED_CRD_TYP": 0xd1, "ATA_CMD_CFA_REQ_EXT_ERR": 0x03,
			"ATA_CMD_CFA_WRITE_NE": 0x38, "ATA_CMD_CFA_TRANS_SECT": 0x87, "ATA_CMD_CFA_ERASE": 0xc0,
			"ATA_CMD_CFA_WRITE_MULT_NE": 0xcd, "ATA_CMD_REQ_SENSE_DATA": 0x0b, "ATA_CMD_SANITIZE_DEVICE": 0xb4,
			"ATA_CMD_ZAC_MGMT_IN": 0x4a, "ATA_CMD_ZAC_MGMT_OUT": 0x9f, "ATA_CMD_RESTORE": 0x10,
			"ATA_CMD_READ_LONG": 0x22, "ATA_CMD_READ_LONG_ONCE": 0x23, "ATA_CMD_WRITE_LONG": 0x32,
			"ATA_CMD_WRITE_LONG_ONCE": 0x33,
		},
	)
}

// scsiConstants are SAM-5 status codes, and the numbers of include/scsi/scsi_status.h and
// scsi_cmnd.h.
func scsiConstants() map[string]int64 {
	return merge(
		map[string]int64{
			"SAM_STAT_GOOD": 0x00, "SAM_STAT_CHECK_CONDITION": 0x02, "SAM_STAT_CONDITION_MET": 0x04,
			"SAM_STAT_BUSY":         0x08,
			"SAM_STAT_INTERMEDIATE": 0x10, "SAM_STAT_INTERMEDIATE_CONDITION_MET": 0x14,
			"SAM_STAT_RESERVATION_CONFLICT": 0x18, "SAM_STAT_COMMAND_TERMINATED": 0x22, "SAM_STAT_TASK_SET_FULL": 0x28,
			"SAM_STAT_ACA_ACTIVE": 0x30, "SAM_STAT_TASK_ABORTED": 0x40,
			"SCSI_MLQUEUE_HOST_BUSY": 0x1055, "SCSI_MLQUEUE_DEVICE_BUSY": 0x1056, "SCSI_MLQUEUE_EH_RETRY": 0x1057,
			"SCSI_MLQUEUE_TARGET_BUSY": 0x1058,
		},
		enum(0, "SCSI_PROT_NORMAL SCSI_PROT_READ_INSERT SCSI_PROT_WRITE_STRIP SCSI_PROT_READ_STRIP SCSI_PROT_WRITE_INSERT "+
			"SCSI_PROT_READ_PASS SCSI_PROT_WRITE_PASS"),
		enum(0, "DID_OK DID_NO_CONNECT DID_BUS_BUSY DID_TIME_OUT DID_BAD_TARGET DID_ABORT DID_PARITY DID_ERROR DID_RESET "+
			"DID_BAD_INTR DID_PASSTHROUGH DID_SOFT_ERROR DID_IMM_RETRY DID_REQUEUE DID_TRANSPORT_DISRUPTED DID_TRANSPORT_FAILFAST"),
	)
}

// nvmeConstants are opcodes and asynchronous event types of the NVM Express Base Specification, by
// their names in include/linux/nvme.h.
func nvmeConstants() map[string]int64 {
	return map[string]int64{
		"nvme_fabrics_command": 0x7f,

		"nvme_fabrics_type_property_set": 0x00, "nvme_fabrics_type_connect": 0x01,
		"nvme_fabrics_type_property_get": 0x04,
		"nvme_fabrics_type_auth_send":    0x05, "nvme_fabrics_type_auth_receive": 0x06,

		"nvme_cmd_flush": 0x00, "nvme_cmd_write": 0x01, "nvme_cmd_read": 0x02, "nvme_cmd_write_uncor": 0x04,
		"nvme_cmd_compare": 0x05, "nvme_cmd_write_zeroes": 0x08, "nvme_cmd_dsm": 0x09, "nvme_cmd_verify": 0x0c,
		"nvme_cmd_resv_register": 0x0d, "nvme_cmd_resv_report": 0x0e, "nvme_cmd_resv_acquire": 0x11,
		"nvme_cmd_io_mgmt_recv": 0x12, "nvme_cmd_resv_release": 0x15, "nvme_cmd_zone_mgmt_send": 0x79,
		"nvme_cmd_zone_mgmt_recv": 0x7a, "nvme_cmd_zone_append": 0x7d,

		"nvme_admin_delete_sq": 0x00, "nvme_admin_create_sq": 0x01, "nvme_admin_get_log_page": 0x02,
		"nvme_admin_delete_cq": 0x04, "nvme_admin_create_cq": 0x05, "nvme_admin_identify": 0x06,
		"nvme_admin_abort_cmd": 0x08, "nvme_admin_set_features": 0x09, "nvme_admin_get_features": 0x0a,
		"nvme_admin_async_event": 0x0c, "nvme_admin_ns_mgmt": 0x0d, "nvme_admin_activate_fw": 0x10,
		"nvme_admin_download_fw": 0x11, "nvme_admin_dev_self_test": 0x14, "nvme_admin_ns_attach": 0x15,
		"nvme_admin_keep_alive": 0x18, "nvme_admin_directive_send": 0x19, "nvme_admin_directive_recv": 0x1a,
		"nvme_admin_virtual_mgmt": 0x1c, "nvme_admin_nvme_mi_send": 0x1d, "nvme_admin_nvme_mi_recv": 0x1e,
		"nvme_admin_dbbuf": 0x7c, "nvme_admin_format_nvm": 0x80, "nvme_admin_security_send": 0x81,
		"nvme_admin_security_recv": 0x82, "nvme_admin_sanitize_nvm": 0x84, "nvme_admin_get_lba_status": 0x86,

		"NVME_AER_ERROR": 0, "NVME_AER_SMART": 1, "NVME_AER_NOTICE": 2, "NVME_AER_CSS": 6, "NVME_AER_VS": 7,
		"NVME_AER_NOTICE_NS_CHANGED": 0x00, "NVME_AER_NOTICE_FW_ACT_STARTING": 0x01, "NVME_AER_NOTICE_ANA": 0x03,
		"NVME_AER_NOTICE_DISC_CHANGED": 0xf0,
	}
}
