// Package pigeon is a container that neither gen nor bind knows. A record is a line of text.
package pigeon

import (
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// Recording is a list of messages in the order of time.
type Recording struct{ Messages []Message }

// Name implements record.Recording, like the methods after it.
func (*Recording) Name() string { return "pigeons" }

// Machine returns the machine of pigeons.
func (*Recording) Machine() record.Machine { return record.Machine{} }

// Damage returns nothing, because all messages arrive intact.
func (*Recording) Damage() []*record.Damage { return nil }

// DamageStats counts nothing.
func (*Recording) DamageStats() record.DamageStats { return record.DamageStats{} }

// Close does nothing.
func (*Recording) Close() error { return nil }

// Message is one record. Kind is its event.
type Message struct {
	Kind string
	Data []byte
}

// Kinds are the kinds of messages of every recording, by record id.
var Kinds = []string{"status", "arrival"}

// Entry holds the data that pigeons add to a record.
type Entry struct{ Bird int }

// Stream reads a recording.
type Stream struct {
	rec     *Recording
	records [1]record.Record
	entries [1]Entry
	n       int
}

// Streams returns one stream.
func (r *Recording) Streams() []*Stream { return []*Stream{{rec: r}} }

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.n == len(s.rec.Messages) {
		return record.Batch[Entry]{}, io.EOF
	}
	m := &s.rec.Messages[s.n]
	s.n++
	s.records[0] = record.Record{Time: uint64(s.n), ID: uint32(len(Kinds)), Data: m.Data}
	for id, k := range Kinds {
		if k == m.Kind {
			s.records[0].ID = uint32(id)
		}
	}
	s.entries[0].Bird = s.n
	return record.Batch[Entry]{Records: s.records[:], Entries: s.entries[:]}, nil
}
