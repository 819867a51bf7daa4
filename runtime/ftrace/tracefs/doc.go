// Package tracefs records events of the running Linux kernel in an instance of tracefs, and passes
// them to the decoders and readers that read recordings.
//
//	events := []tracefs.Event{{Pattern: "sched:sched_switch", Filter: "prev_prio < 100"}}
//	in, err := tracefs.Create(tracefs.Config{Events: events})
//	...
//	defer in.Close() // removes the instance, also after a panic
//	rec, err := in.Open(ctx)
//	...
//	defer rec.Close()
//	err = in.Start()
//	...
//	// sched was generated from another kernel's formats: Bind relocates fields.
//	dec, err := sched.Bind(rec, sched.SchedSwitchEvent)
//	...
//	for r, e := range dec.Events(context.Background(), record.Options{}) {
//		...
//	}
//	err = dec.Err()
//
// The end of ctx, or [Instance.Stop], ends the recording: walks continue to the end of the recorded
// data and return. The context of a walk ends the walk at once.
//
// # Changes to the system
//
// An instance has buffers, events, options and files of its own. The top instance and other
// instances are not changed. The name of an instance identifies the process that made it, so that
// instances of killed processes can be found: see [Leftover].
//
// The package needs Linux with tracefs, and permission to create directories in it, which usually
// only root has. Otherwise Create returns an error that matches errors.ErrUnsupported.
//
// # Order
//
// Records of all processors are merged in time order. Records of one processor wait for
// [Config.Delay] until the others have been read; see record.Live. If processors do not share a
// clock (local on machines without a stable time stamp counter), records are in the order of the
// different clocks.
//
// # Reading
//
// Sub-buffers are read whole, by read(2), and go into files by splice(2). The mapped ring buffer of
// Linux 6.10 is not used. Its TRACE_MMAP_IOCTL_GET_READER goes over the events of a sub-buffer one
// by one. At 1.2 million events a second it cost 78 ns of CPU time each, and read cost 38 (Linux
// 6.18, two processors). Also, no further sub-buffer can be read while records of the current one
// wait for other processors, so a buffer would overflow within Delay.
//
// # Losses
//
// A buffer that is full overwrites its oldest events, by default of the kernel. The number of
// missing events is in Record.Lost of the next record of that processor, and in [Instance.Stats].
package tracefs
