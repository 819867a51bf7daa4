// Package bind connects generated decoders with recordings.
//
// Programs get a [Decoder] from the function Bind of a generated package. Of this package they use its
// methods, the options ([Optional], [Narrow], [All], [WithEnv], [Unfit]), [Short], [Stats], [Parallel]
// and the errors. Only generated code should call the rest, which changes with [Version].
//
// [Bind] finds each compiled event by name, compares its layout with that of the recording, and plans
// how to copy records that are laid out differently.
//
// # Names, not numbers
//
// Events are found by name, so that a decoder serves the next kernel, a program that was built anew,
// another process. A compiled event without a group is found in any group that has no event of its own.
//
// # Layout and byte order
//
// A decoder is compiled for one layout. When a recording has the same offsets, sizes and the byte order
// of this machine, events are decoded in place. Otherwise Bind makes a plan per event, and each record
// is first copied into the compiled layout, in the byte order of this machine. Integers are moved and
// widened by the recorded sign ([Narrow] allows them to be cut), arrays element by element. Text is cut
// or padded with NUL, and dynamic data comes after the fixed part. Opaque bytes (element size 1, structs
// by value) are never swapped. Relocated records of sequential events are in the byte order of the
// compiled event: their decoders read byte by byte.
//
// Fields of sequential events that a decoder does not use, but has to pass, are marked (Field.Skip): a
// recording need not have them. A decoder that fills wider fields than its layout has brings a second
// layout (Event.Wide). Records are copied to that one, and come in a slot of their own, only where the
// first would cut numbers.
//
// # Ownership
//
// A *record.Record and its event are valid until the next step of a loop. Record.Data is always what the
// recording holds, also when the event is a relocated copy.
//
// # Versions
//
// Generated code holds two constants that stop compiling when it and this package do not fit together:
// see [EnforceVersion].
package bind

const (
	// Version is the contract that tracec generates for. It goes up by one whenever generated code
	// starts to need something new of this package.
	Version = 4
	// MinVersion is the oldest generated code that this package still serves.
	MinVersion = 4
)

// EnforceVersion makes the compiler compare versions. Generated code for contract N says
//
//	const (
//		_ = bind.EnforceVersion(N - bind.MinVersion) // fails: generated too long ago, run tracec gen again
//		_ = bind.EnforceVersion(bind.Version - N)    // fails: the runtime is too old, update its module
//	)
//
// A negative constant does not fit an unsigned type, so that the build stops at the line that says what to do.
type EnforceVersion uint
