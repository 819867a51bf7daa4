package ftrace

import "sync"

// constants are the enumerators and macros that print formats use by name and that kernels do not
// resolve in the text. Their values are fixed by a standard or by the user-space API, or are the
// same in every kernel that traces them. Values that change between kernel versions are in
// enumerators.go. An unknown name is reported, and a table row that needs it is dropped.
var constants = sync.OnceValue(func() map[string]int64 {
	return merge(map[string]int64{
		"NFS4_VERIFIER_SIZE": 8, "DUMP_PREFIX_NONE": 0, "DUMP_PREFIX_ADDRESS": 1, "DUMP_PREFIX_OFFSET": 2,
		"IPPROTO_TCP": 6, "IPPROTO_UDP": 17, "WB_SYNC_NONE": 0, "WB_SYNC_ALL": 1,
		"EAGAIN": 11, "EBUSY": 16, "ENOENT": 2, "EINTR": 4, "EINVAL": 22, "ENOMEM": 12,
	},
		// include/linux/dma-direction.h
		enum(0, "DMA_BIDIRECTIONAL DMA_TO_DEVICE DMA_FROM_DEVICE DMA_NONE"),
		// include/net/tcp_states.h
		enum(1, "TCP_ESTABLISHED TCP_SYN_SENT TCP_SYN_RECV TCP_FIN_WAIT1 TCP_FIN_WAIT2 TCP_TIME_WAIT TCP_CLOSE "+
			"TCP_CLOSE_WAIT TCP_LAST_ACK TCP_LISTEN TCP_CLOSING TCP_NEW_SYN_RECV"),
		// include/uapi/linux/ioprio.h; include/linux/pm_qos.h
		enum(0, "IOPRIO_CLASS_NONE IOPRIO_CLASS_RT IOPRIO_CLASS_BE IOPRIO_CLASS_IDLE"),
		map[string]int64{"IOPRIO_CLASS_INVALID": 7},
		enum(0, "PM_QOS_ADD_REQ PM_QOS_UPDATE_REQ PM_QOS_REMOVE_REQ"),
		enum(1, "DEV_PM_QOS_RESUME_LATENCY DEV_PM_QOS_LATENCY_TOLERANCE DEV_PM_QOS_MIN_FREQUENCY DEV_PM_QOS_MAX_FREQUENCY DEV_PM_QOS_FLAGS"),
		// include/linux/hrtimer.h: ABS 0, REL 1, and bits PINNED 2, SOFT 4, HARD 8 since 5.4; the
		// earlier values are the same.
		hrtimerModes(),
		// include/linux/interrupt.h
		enum(0, "HI_SOFTIRQ TIMER_SOFTIRQ NET_TX_SOFTIRQ NET_RX_SOFTIRQ BLOCK_SOFTIRQ IRQ_POLL_SOFTIRQ "+
			"TASKLET_SOFTIRQ SCHED_SOFTIRQ HRTIMER_SOFTIRQ RCU_SOFTIRQ"),
		map[string]int64{"BLOCK_IOPOLL_SOFTIRQ": 5}, // its name until 4.4
		// include/linux/mm_types.h, enum tlb_flush_reason: kernels before 4.1 do not resolve it
		enum(0, "TLB_FLUSH_ON_TASK_SWITCH TLB_REMOTE_SHOOTDOWN TLB_LOCAL_SHOOTDOWN TLB_LOCAL_MM_SHOOTDOWN"),
		// include/linux/blk_types.h; the other operations had other values in 4.8 and 4.9
		enum(0, "REQ_OP_READ REQ_OP_WRITE"),
		// include/uapi/linux/nl80211.h
		enum(0, "NL80211_BAND_2GHZ NL80211_BAND_5GHZ NL80211_BAND_60GHZ NL80211_BAND_6GHZ NL80211_BAND_S1GHZ NL80211_BAND_LC"),
		// include/linux/mm_types.h: fault flags and results of faults.
		flagBits("FAULT_FLAG_WRITE FAULT_FLAG_MKWRITE FAULT_FLAG_ALLOW_RETRY FAULT_FLAG_RETRY_NOWAIT FAULT_FLAG_KILLABLE "+
			"FAULT_FLAG_TRIED FAULT_FLAG_USER FAULT_FLAG_REMOTE FAULT_FLAG_INSTRUCTION FAULT_FLAG_INTERRUPTIBLE "+
			"FAULT_FLAG_UNSHARE FAULT_FLAG_ORIG_PTE_VALID FAULT_FLAG_VMA_LOCK"),
		flagBits("VM_FAULT_OOM VM_FAULT_SIGBUS VM_FAULT_MAJOR VM_FAULT_WRITE VM_FAULT_HWPOISON VM_FAULT_HWPOISON_LARGE "+
			"VM_FAULT_SIGSEGV - VM_FAULT_NOPAGE VM_FAULT_LOCKED VM_FAULT_RETRY VM_FAULT_FALLBACK VM_FAULT_DONE_COW "+
			"VM_FAULT_NEEDDSYNC VM_FAULT_COMPLETED"),
		// include/linux/fs.h: an enumeration only since 6.12. Older kernels have macros, which
		// format files resolve.
		flagBits("I_NEW I_SYNC I_LRU_ISOLATING - I_DIRTY_SYNC I_DIRTY_DATASYNC I_DIRTY_PAGES I_WILL_FREE I_FREEING I_CLEAR "+
			"I_REFERENCED I_LINKABLE I_DIRTY_TIME I_WB_SWITCH I_OVL_INUSE I_CREATING I_DONTCACHE I_SYNC_QUEUED I_PINNING_NETFS_WB"),
		enum(0, "VMSCAN_THROTTLE_WRITEBACK VMSCAN_THROTTLE_ISOLATED VMSCAN_THROTTLE_NOPROGRESS VMSCAN_THROTTLE_CONGESTED"),
		// include/trace/events/xen.h
		enum(0, "XEN_MC_XE_OK XEN_MC_XE_BAD_OP XEN_MC_XE_NO_SPACE"),
		enum(0, "XEN_MC_FL_NONE XEN_MC_FL_BATCH XEN_MC_FL_ARGS XEN_MC_FL_CALLBACK"),
		enum(0, "PARAVIRT_LAZY_NONE PARAVIRT_LAZY_MMU PARAVIRT_LAZY_CPU"),
		// include/uapi/linux/net.h
		enum(0, "SS_FREE SS_UNCONNECTED SS_CONNECTING SS_CONNECTED SS_DISCONNECTING"),
		// include/uapi/linux/l2tp.h
		enum(0, "L2TP_ENCAPTYPE_UDP L2TP_ENCAPTYPE_IP"),
		map[string]int64{"L2TP_PWTYPE_NONE": 0, "L2TP_PWTYPE_ETH_VLAN": 4, "L2TP_PWTYPE_ETH": 5,
			"L2TP_PWTYPE_PPP": 7, "L2TP_PWTYPE_PPP_AC": 8, "L2TP_PWTYPE_IP": 11},
		// include/linux/nfs4.h: RFC 8881, 20.3.
		map[string]int64{"RCA4_TYPE_MASK_RDATA_DLG": 0, "RCA4_TYPE_MASK_WDATA_DLG": 1, "RCA4_TYPE_MASK_DIR_DLG": 2,
			"RCA4_TYPE_MASK_FILE_LAYOUT": 3, "RCA4_TYPE_MASK_BLK_LAYOUT": 4, "RCA4_TYPE_MASK_OBJ_LAYOUT_MIN": 8,
			"RCA4_TYPE_MASK_OBJ_LAYOUT_MAX": 9, "RCA4_TYPE_MASK_OTHER_LAYOUT_MIN": 12,
			"RCA4_TYPE_MASK_OTHER_LAYOUT_MAX": 15},
		protocolConstants(), ataConstants(), scsiConstants(), nvmeConstants(), ibConstants(),
	)
})

func merge(tables ...map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for _, t := range tables {
		for name, v := range t {
			all[name] = v
		}
	}
	return all
}
