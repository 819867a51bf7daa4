// Package bind connects generated decoders with recordings.
//
// A package written by tracec gen has a function Bind. It returns a [Decoder] for one recording
// that package tracec or a container has opened. Programs use the Decoder, the options of Bind
// ([Optional], [Narrow], [All], [Unfit], [WithEnv]) and [Parallel]. Generated code uses the rest,
// and package gencode.
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
// An event is decoded in place if its fields have the compiled offsets and sizes in the recording,
// and the byte order of this machine. Otherwise Bind makes a plan for it, and each record is first
// copied to the compiled layout. Integers are widened by the recorded sign (or truncated, with
// [Narrow]), arrays are copied by element, text is cut or padded with NUL, and dynamic data follow
// the fixed part. Opaque bytes (element size 1, structs by value) are never swapped. Relocated
// records of sequential events have the byte order of the compiled event.
//
// # Ownership
//
// A *record.Record and its event are valid until the next step of the loop, or the next call of
// Decode. Record.Data is always the recorded payload, even if the event is a relocated copy.
package bind
