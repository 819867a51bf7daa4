package ctf

import (
	"fmt"
	"path"
	"slices"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// OpenMetadata returns a recording for a file metadata alone. Its events are described, but there
// are no records. name is for messages.
func OpenMetadata(data []byte, name string, opts ...Option) (*Recording, error) {
	r := &Recording{name: name}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory = memory.New(r.config.memory)
	if err := r.memory.Take(int64(len(data)) * modelBytes); err != nil {
		return nil, &Damage{File: name, Err: err}
	}
	m, err := metadata.Read(name, data)
	r.noteFaults(name, err)
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

// Warnings returns the messages about parts of metadata that are ignored, or that probably have
// another meaning. It returns the first thousand. Unusable parts are damage instead.
func (r *Recording) Warnings() diag.List { return slices.Clone(r.warnings) }

// mostWarnings bounds the warnings that a recording keeps.
const mostWarnings = 1 << 10

func (r *Recording) warn(d diag.Diagnostic) {
	if len(r.warnings) < mostWarnings {
		r.warnings = append(r.warnings, d)
	}
}

// noteFaults notes the unusable parts of metadata as damage, and the warnings.
func (r *Recording) noteFaults(name string, err error) {
	faults, _ := err.(diag.List)
	for _, d := range faults {
		if d.Severity != diag.Error {
			d.Pos.Filename = path.Join(r.damage.Dir, name)
			r.warn(d)
			continue
		}
		r.damage.Note(name, int64(d.Pos.Offset), 0, fmt.Errorf("%d:%d: %s: %w", d.Pos.Line, d.Pos.Column, d.Msg,
			ErrMetadata))
	}
}
