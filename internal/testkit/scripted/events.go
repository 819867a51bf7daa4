package scripted

// Sched are the events of the scheduler, as in Linux 6.18.
var Sched = []Event{
	{"sched", "sched_switch", "char prev_comm[16], pid_t prev_pid, int prev_prio, long prev_state, char next_comm[16], pid_t next_pid, int next_prio",
		`"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, ` +
			`REC->prev_prio, (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, "|", { 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }, ` +
			`{ 0x8, "t" }, { 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }) : "R", REC->prev_state & 0x100 ? "+" : "", ` +
			`REC->next_comm, REC->next_pid, REC->next_prio`},
	{"sched", "sched_waking", "char comm[16], pid_t pid, int prio, int target_cpu", ""},
	{"sched", "sched_wakeup", "char comm[16], pid_t pid, int prio, int target_cpu", ""},
	{"sched", "sched_wakeup_new", "char comm[16], pid_t pid, int prio, int target_cpu", ""},
	{"sched", "sched_process_fork", "char parent_comm[16], pid_t parent_pid, char child_comm[16], pid_t child_pid", ""},
	{"sched", "sched_process_exec", "pid_t pid, pid_t old_pid", ""},
	{"sched", "sched_process_exit", "char comm[16], pid_t pid, int prio", ""},
	{"sched", "sched_process_free", "char comm[16], pid_t pid, int prio", ""},
}

// Interrupts are events of interrupts, timers and work. The kernel records the names of handlers as
// dynamic texts.
var Interrupts = []Event{
	{"irq", "irq_handler_entry", "int irq, char name[16]", ""},
	{"irq", "irq_handler_exit", "int irq, int ret", ""},
	{"irq", "softirq_raise", "unsigned int vec", ""},
	{"irq", "softirq_entry", "unsigned int vec", softirqs},
	{"irq", "softirq_exit", "unsigned int vec", softirqs},
	{"irq", "tasklet_entry", "void * tasklet, void * func", ""},
	{"irq", "tasklet_exit", "void * tasklet, void * func", ""},
	{"irq_vectors", "local_timer_entry", "int vector", ""},
	{"irq_vectors", "local_timer_exit", "int vector", ""},
	{"irq_vectors", "call_function_entry", "int vector", ""},
	{"irq_vectors", "call_function_exit", "int vector", ""},
	{"irq_vectors", "vector_setup", "unsigned int irq", ""},
	{"ipi", "ipi_raise", "unsigned int target_cpus, const char * reason", ""},
	{"ipi", "ipi_entry", "const char * reason", `"(%s)", REC->reason`},
	{"ipi", "ipi_exit", "const char * reason", `"(%s)", REC->reason`},
	{"timer", "hrtimer_start", "void * hrtimer, void * function, s64 expires", ""},
	{"timer", "hrtimer_cancel", "void * hrtimer", ""},
	{"timer", "hrtimer_expire_entry", "void * hrtimer, s64 now, void * function", ""},
	{"timer", "hrtimer_expire_exit", "void * hrtimer", ""},
	{"workqueue", "workqueue_queue_work", "void * work, void * function", ""},
	{"workqueue", "workqueue_activate_work", "void * work, void * function", ""},
	{"workqueue", "workqueue_execute_start", "void * work, void * function", ""},
	{"workqueue", "workqueue_execute_end", "void * work, void * function", ""},
}

const softirqs = `"%s", __print_symbolic(REC->vec, { 1, "TIMER" }, { 4, "BLOCK" })`

// Block are events of block devices.
var Block = []Event{
	{"block", "block_bio_queue", "dev_t dev, sector_t sector, unsigned int nr_sector, char rwbs[16]", ""},
	{"block", "block_getrq", "dev_t dev, sector_t sector, unsigned int nr_sector, char rwbs[16]", ""},
	{"block", "block_bio_backmerge", "dev_t dev, sector_t sector, unsigned int nr_sector, char rwbs[16]", ""},
	{"block", "block_bio_frontmerge", "dev_t dev, sector_t sector, unsigned int nr_sector, char rwbs[16]", ""},
	{"block", "block_bio_remap", "dev_t dev, sector_t sector, unsigned int nr_sector, dev_t old_dev, sector_t old_sector, char rwbs[16]", ""},
	{"block", "block_io_start", "dev_t dev, sector_t sector, unsigned int nr_sector, unsigned int bytes, char rwbs[16]",
		""},
	{"block", "block_io_done", "dev_t dev, sector_t sector, unsigned int nr_sector, unsigned int bytes, char rwbs[16]",
		""},
	{"block", "block_rq_insert", "dev_t dev, sector_t sector, unsigned int nr_sector, unsigned int bytes, char rwbs[16]", ""},
	{"block", "block_rq_merge", "dev_t dev, sector_t sector, unsigned int nr_sector, unsigned int bytes, char rwbs[16]",
		""},
	{"block", "block_rq_issue", "dev_t dev, sector_t sector, unsigned int nr_sector, unsigned int bytes, char rwbs[16]",
		""},
	{"block", "block_rq_requeue", "dev_t dev, sector_t sector, unsigned int nr_sector, char rwbs[16]", ""},
	{"block", "block_rq_complete", "dev_t dev, sector_t sector, unsigned int nr_sector, int error, char rwbs[16]", ""},
}

// Locks are events of contention and of lockdep. The kernel records names as dynamic texts.
var Locks = []Event{
	{"lock", "contention_begin", "void * lock_addr, unsigned int flags",
		`"%s", __print_flags(REC->flags, "|", { 1, "SPIN" }, { 4, "WRITE" }, { 32, "MUTEX" })`},
	{"lock", "contention_end", "void * lock_addr, int ret", ""},
	{"lock", "lock_acquire", "unsigned int flags, char name[16], void * lockdep_addr", ""},
	{"lock", "lock_contended", "char name[16], void * lockdep_addr", ""},
	{"lock", "lock_acquired", "char name[16], void * lockdep_addr", ""},
	{"lock", "lock_release", "char name[16], void * lockdep_addr", ""},
}

// Faults are the events of page faults.
var Faults = []Event{
	{"exceptions", "page_fault_kernel", "unsigned long address, unsigned long ip, unsigned long error_code", ""},
	{"exceptions", "page_fault_user", "unsigned long address, unsigned long ip, unsigned long error_code", ""},
}

// Noise are events of the tracers osnoise and timerlat.
var Noise = []Event{
	{"ftrace", "osnoise", "u64 noise, u64 runtime, u64 max_sample, unsigned int hw_count, unsigned int nmi_count, " +
		"unsigned int irq_count, unsigned int softirq_count, unsigned int thread_count", ""},
	{"ftrace", "timerlat", "unsigned int seqnum, int context, u64 timer_latency", ""},
	{"osnoise", "irq_noise", "u64 start, u64 duration, char desc[16], int vector", ""},
	{"osnoise", "thread_noise", "char comm[16], u64 start, u64 duration, pid_t pid", ""},
	{"osnoise", "sample_threshold", "u64 start, u64 duration, u64 interference", ""},
}
