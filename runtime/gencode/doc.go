// Package gencode is only for generated code: nothing else should import it. It changes with
// [Version].
//
// It holds the parts of decoding that do not depend on an event: reading of numbers and regions of
// a record, arithmetic as the IR defines it, and conversions to the types of structs.
package gencode

const (
	// Version is the contract for which tracec generates code. It goes up by one whenever generated
	// code starts to need a new part of this package or of package bind.
	Version = 4
	// MinVersion is the oldest generated code that this package still serves.
	MinVersion = 4
)

// EnforceVersion makes the compiler compare versions. Generated code for contract N contains
//
//	const _ = gencode.EnforceVersion(N-gencode.MinVersion) + gencode.EnforceVersion(gencode.Version-N)
//
// A negative constant does not fit an unsigned type, so the build stops and names the term. The
// first fails if the code was generated too long ago, the second if the runtime is too old.
type EnforceVersion uint
