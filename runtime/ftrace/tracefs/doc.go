// Package tracefs records events of the running Linux kernel in an instance of tracefs, and hands
// them to the decoders and readers that read recordings.
//
//	in, err := tracefs.Create(tracefs.Config{Events: []tracefs.Event{{Pattern: "sched:sched_switch", Filter: "prev_prio < 100"}}})
//	...
//	defer in.Close() // removes the instance, also after a panic
//	rec, err := in.Open(ctx)
//	...
//	defer rec.Close()
//	err = in.Start()
//	...
//	var d sched.Decoder // generated from another kernel's formats: Run relocates fields, or says what does not fit
//	d.OnSchedSwitch(...)
//	err = d.Run(context.Background(), rec)
//
// The end of ctx, or [Instance.Stop], ends the recording: walks go on to the end of what has been
// recorded, and return. The context of a walk ends that at once.
//
// # What is touched
//
// An instance has buffers, events, options and files of its own. Nothing of the top instance or of
// other instances is changed. Instances are named by the process that made them, so that those of
// processes that were killed can be told: see [Leftover].
//
// It needs Linux with tracefs, and the right to make directories in it, which mostly is that of
// root. Elsewhere Create returns an error that is errors.ErrUnsupported.
//
// # Order
//
// Records of all processors are merged in the order of time. Those of one wait for [Config.Delay]
// until the others have been asked; see record.Live. Clocks that processors do not share (local on
// machines without a stable time stamp counter) put records in the order of these clocks.
//
// # Reading
//
// Sub-buffers are read whole, by read(2), and go into files by splice(2). The mapped ring buffer of
// Linux 6.10 is not used. Its TRACE_MMAP_IOCTL_GET_READER passes over the events of a sub-buffer
// one by one: of 1.2 million events a second it cost 78 ns of CPU each, where read cost 38 (Linux
// 6.18, two processors). And a sub-buffer that is handed out in place cannot be read beyond while
// its records wait for those of other processors, so that a buffer overflows within Delay.
//
// # Losses
//
// A buffer that is full overwrites its oldest events, as is the default of the kernel. How many are
// missing is in Record.Lost of the next record of that processor, where they were lost, and in
// [Instance.Stats].
package tracefs
