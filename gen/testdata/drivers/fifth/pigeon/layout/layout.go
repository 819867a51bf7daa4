// Package layout describes the recordings of package pigeon.
package layout

import (
	"generated/fifth/pigeon"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// Source describes messages: those of arrival are big-endian, and name the loft first.
func Source(*pigeon.Recording) bind.Source {
	return bind.Sources([]bind.Event{
		{Name: "status", ID: 0, Sequential: true, Fields: []bind.Field{{Name: "code", Size: 4, Signed: true}}},
		{Name: "arrival", ID: 1, BigEndian: true, Sequential: true, Fields: []bind.Field{{Name: "loft", Kind: bind.Terminated}, {Name: "at", Size: 8}}},
	})
}

// Merge reads rec.
func Merge(rec *pigeon.Recording, _ record.Options) *record.Merger[pigeon.Entry] {
	return record.Merge(rec.Streams(), nil)
}

// Streams reads rec.
func Streams(rec *pigeon.Recording, _ record.Options) []*pigeon.Stream { return rec.Streams() }

// Slices reads rec in parts.
func Slices(rec *pigeon.Recording, o record.Options, each bool) []record.Slice[pigeon.Entry] {
	return bind.Slices(rec, o, each, Streams, Merge)
}
