// Package layout describes AIX traces to generated decoders. Traces describe nothing: the template of a hook reads what the
// trace has under its id.
package layout

import (
	"strconv"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// Source finds the entries of a hook by its id, three or four hexadecimal digits as trcrpt prints them.
func Source(*aix.Recording) bind.Source {
	return func(name string) []bind.Event {
		id, err := strconv.ParseUint(name, 16, 16)
		switch {
		case err != nil || len(name) != 3 && len(name) != 4:
			return nil
		case len(name) == 3:
			id <<= 4
		}
		return []bind.Event{{Name: name, ID: uint32(id), BigEndian: true, Sequential: true}}
	}
}

// Merge begins to read the records that o chooses of rec in time order.
func Merge(rec *aix.Recording, o record.Options) *record.Merger[aix.Entry] {
	return rec.Merge(o)
}

// Streams begins to read the files of rec, a stream each.
func Streams(rec *aix.Recording, o record.Options) []*aix.Stream {
	return rec.Streams(o)
}

// Slices returns the records that o chooses in slices that several goroutines can read at the same time: all together in the order of time, or
// each stream by itself.
func Slices(rec *aix.Recording, o record.Options, each bool) []record.Slice[aix.Entry] {
	return bind.Slices(rec, o, each, Streams, Merge)
}
