package ctf

import (
	"fmt"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// OpenMetadata returns a trace of which there is the file metadata alone: its events are known, and
// none is recorded. name is for messages.
func OpenMetadata(data []byte, name string, opts ...Option) (*Recording, error) {
	r := &Recording{name: name}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory = memory.New(r.config.memory)
	if err := r.memory.Take(int64(len(data)) * 16); err != nil { // as readMetadata
		return nil, &Damage{File: name, Err: err}
	}
	m := r.describe(name, data)
	if m == nil {
		if d, _ := r.damage.Ends(); d != nil {
			return nil, d
		}
		return nil, &Damage{File: name, Err: ErrMetadata}
	}
	t := &Trace{Path: ".", Trace: m}
	r.traces = []*Trace{t}
	r.plan(t)
	return r, nil
}

// describe reads metadata, and notes what cannot be used of it.
func (r *Recording) describe(name string, data []byte) *metadata.Trace {
	m, err := metadata.Read(name, data)
	faults, _ := err.(diag.List)
	for _, d := range faults.Worst(diag.Error) {
		r.damage.Note(name, int64(d.Pos.Offset), 0, fmt.Errorf("%d:%d: %s: %w", d.Pos.Line, d.Pos.Column, d.Msg,
			ErrMetadata))
	}
	return m
}
