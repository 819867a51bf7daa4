// Package layout describes the recordings of package pigeon.
package layout

import (
	"generated/fifth/pigeon"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// Of returns rec in the form for decoders. Messages of arrival are big-endian, and name the loft
// first.
func Of(rec record.Recording) (bind.Container[pigeon.Entry], error) {
	r, err := bind.As[*pigeon.Recording](rec)
	if err != nil {
		return bind.Container[pigeon.Entry]{}, err
	}
	return bind.Container[pigeon.Entry]{
		Recording: r,
		Source: bind.Sources([]bind.Event{
			{Name: "status", ID: 0, Sequential: true, Fields: []bind.Field{{Name: "code", Size: 4, Signed: true}}},
			{Name: "arrival", ID: 1, BigEndian: true, Sequential: true, Fields: []bind.Field{{Name: "loft", Kind: bind.Terminated}, {Name: "at", Size: 8}}},
		}),
		Merge: func(record.Options) *record.Merger[pigeon.Entry] { return record.Merge(r.Streams(), nil) },
		Slices: func(record.Options, bool) []record.Slice[pigeon.Entry] {
			return record.Slices[pigeon.Entry](r.Streams())
		},
	}, nil
}
