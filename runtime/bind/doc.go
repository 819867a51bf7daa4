// Package bind connects generated decoders with recordings.
//
// A package that tracec gen has written has a function Bind, which returns a [Decoder] for one
// recording: one that package tracec or a container has opened. Programs use the Decoder, the
// options of Bind ([Optional], [Narrow], [All], [Unfit], [WithEnv]) and [Parallel]. Generated code
// uses the rest, and package gencode.
//
//	//go:generate go tool tracec-gen gen -pkg sched -o sched/sched_gen.go -e sched:sched_switch trace.dat
//
//	dec, err := sched.Bind(rec, sched.SchedSwitchEvent)
//	if err != nil {
//		return err
//	}
//	for r, e := range dec.Events(ctx, record.Options{}) {
//		switch e := e.(type) {
//		case *sched.SchedSwitch:
//			fmt.Println(r.Time, e.NextPID)
//		}
//	}
//	return dec.Err()
//
// # Layout and byte order
//
// Bind finds events by group and name, since numbers differ between kernels and builds. A compiled
// event without a group is found in any group that has no event of its own.
//
// An event that the recording has at the same offsets, in the same sizes and in the byte order of
// this machine is decoded in place. Otherwise Bind makes a plan for it, and each record is first
// copied to the compiled layout: integers are widened by the recorded sign (or cut, with [Narrow]),
// arrays are copied by element, text is cut or padded with NUL, and dynamic data follow the fixed
// part. Opaque bytes (element size 1, structs by value) are never swapped. Relocated records of
// sequential events have the byte order of the compiled event.
//
// # Ownership
//
// A *record.Record and its event are valid until the next step of the loop, or the next call of
// Decode. Record.Data is always what the recording holds, also when the event is a relocated copy.
package bind
