package about

import "github.com/tracec/tracec/runtime/uftrace"

// symbols lists the symbols of the programs, which uftrace takes from the program file and not from the recording.
func symbols(rec *uftrace.Recording, opts *Options) []byte {
	return []byte("Normal symbols\n==============\n\n\nDynamic symbols\n===============\n")
}
