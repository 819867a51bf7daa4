// Package bind supports generated decoders: the tables that describe the layout they were
// compiled for, the comparison of those tables with a recording ([Binding.Bind]), the relocation of records that
// are laid out otherwise, the loop that dispatches records, and small operations that Go spells
// differently from C.
//
// # Layout and byte order
//
// A decoder is compiled for one layout. When a recording has the same offsets, sizes and the byte order
// of this machine, events are decoded in place. Otherwise Bind makes a plan per event, and each
// record is first copied into the compiled layout, in the byte order of this machine: integers are moved,
// widened or narrowed by the recorded sign, arrays element by element, text cut or padded with NUL,
// dynamic data after the fixed part. Opaque bytes (element size 1, structs by value) are never swapped.
//
// # Ownership
//
// A *record.Record and the event handed to a callback are valid until the callback returns. For a relocated
// record, Record.Data is the relocated copy during the callback, not what the recording holds.
//
// # Versions
//
// Generated code holds two constants that stop compiling when it and this package do not fit together:
// see [EnforceVersion].
package bind

const (
	// Version is the contract that tracec generates for. It goes up by one whenever generated code
	// starts to need something new of this package.
	Version = 1
	// MinVersion is the oldest generated code that this package still serves.
	MinVersion = 1
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
