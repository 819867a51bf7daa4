// Package layout describes AIX traces to generated decoders. Traces have no descriptions. The
// template of a hook reads the data that the trace has under its id.
package layout

import (
	"strconv"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// Source finds the entries of a hook by its id, three or four hexadecimal digits as trcrpt prints
// them.
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

// Of returns rec in the form that decoders read. rec is an *aix.Recording, or wraps one.
func Of(rec record.Recording) (bind.Container[aix.Entry], error) {
	r, err := bind.As[*aix.Recording](rec)
	if err != nil {
		return bind.Container[aix.Entry]{}, err
	}
	return bind.Container[aix.Entry]{
		Recording: r,
		Source:    Source(r),
		Merge:     r.Merge,
		Slices: func(o record.Options, streams bool) []record.Slice[aix.Entry] {
			if streams {
				return record.Slices[aix.Entry](r.Streams(o))
			}
			return []record.Slice[aix.Entry]{{Open: func(*record.Cut) *record.Merger[aix.Entry] { return r.Merge(o) }}}
		},
	}, nil
}
