package main

import (
	"context"
	_ "embed"

	"github.com/tracec/tracec/cmd/internal/bench/templates"
	"github.com/tracec/tracec/compiler/interp"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/layout"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// walkHooks visits every event of an AIX stream.
func walkHooks(path string) (events int64, err error) {
	err = eachHook(path, func(r *record.Record, e *aix.Entry) {
		sink += uint64(r.ID) + r.Time + uint64(len(r.Data))
		events++
	})
	return events, err
}

func eachHook(path string, fn func(*record.Record, *aix.Entry)) error {
	rec, err := aix.Open(path)
	if err != nil {
		return err
	}
	defer rec.Close()
	m := rec.Merge(record.Options{})
	return m.Run(func(r *record.Record, e *aix.Entry) error {
		fn(r, e)
		return nil
	})
}

// decodeHooks hands every event to a typed callback that reads its values.
func decodeHooks(path string) (int64, error) {
	rec, err := aix.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	var s sums
	d := s.hooks()
	if err := d.Run(context.Background(), rec); err != nil {
		return 0, err
	}
	sink += s.sum
	return int64(s.events), nil
}

// hooks sets a callback for every hook.
func (s *sums) hooks() *templates.Decoder {
	type (
		rec = *record.Record
		ent = *aix.Entry
	)
	return &templates.Decoder{
		Interrupt: func(r rec, _ ent, h *templates.Interrupt) error {
			return s.add(uint64(h.Level), h.Iar, h.Vector, r.Time)
		},
		Resume: func(r rec, e ent, h *templates.Resume) error { return s.add(uint64(h.Level), h.Iar, e.TID, r.Time) },
		SystemCall: func(r rec, _ ent, h *templates.SystemCall) error {
			return s.add(uint64(h.Number), h.Lr, h.Entry, r.Time)
		},
		Return: func(r rec, _ ent, h *templates.Return) error {
			return s.add(uint64(h.Number), h.Value, uint64(h.Error), r.Time)
		},
		Dispatch: func(r rec, _ ent, h *templates.Dispatch) error { return s.add(uint64(h.CPU), h.PID, h.TID, h.OldTID) },
		Lookup: func(r rec, e ent, h *templates.Lookup) error {
			return s.add(h.Vnode, uint64(len(h.Name)), e.TID, r.Time)
		},
		Open: func(r rec, _ ent, h *templates.Open) error {
			return s.add(uint64(h.FD), h.Mode, uint64(h.Result), r.Time)
		},
		Read: func(r rec, _ ent, h *templates.Read) error { return s.add(uint64(h.FD), h.Buffer, h.Count, h.Done) },
		PageAssign: func(r rec, _ ent, h *templates.PageAssign) error {
			return s.add(uint64(h.Kind), h.VS, h.Frame, uint64(h.Flags))
		},
		PageFault: func(r rec, _ ent, h *templates.PageFault) error {
			return s.add(uint64(h.Kind), h.ReadAddress|h.WriteAddress, uint64(h.Protection), r.Time)
		},
		Queue: func(r rec, _ ent, h *templates.Queue) error {
			return s.add(uint64(h.Entries), uint64(h.First), uint64(h.Last), r.Time)
		},
		Message: func(r rec, e ent, h *templates.Message) error {
			return s.add(h.Length, uint64(len(h.Text)), e.TID, r.Time)
		},
	}
}

// textHooks renders every event by generated code.
func textHooks(path string) (events int64, err error) {
	env := &render.Env{BigEndian: true, WordSize: 8, Outcome: &render.Outcome{}}
	var d templates.Decoder
	if err := d.BindTo(layout.Source(nil)); err != nil {
		return 0, err
	}
	var text []byte
	err = eachHook(path, func(r *record.Record, e *aix.Entry) {
		text, _ = d.AppendText(text[:0], r, e, env)
		sink += uint64(len(text))
		events++
	})
	return events, err
}

//go:embed templates/busy.trcfmt
var busyTemplates []byte

// interpretHooks does so by the interpreter.
func interpretHooks(path string) (events int64, err error) {
	f, _ := grammar.Parse("busy.trcfmt", busyTemplates)
	result, _ := compiler.Compile("busy.trcfmt", compiler.Options{}, f)
	var programs [1 << 16]*[4]*interp.Program
	for _, t := range result.Templates {
		programs[t.Hook] = new([4]*interp.Program)
		for i, ev := range t.Events {
			if programs[t.Hook][i], err = interp.Compile(ev, compiler.Envs[i].Target()); err != nil {
				return 0, err
			}
		}
	}
	m := interp.NewMachine(&render.Env{BigEndian: true, WordSize: 8, Outcome: &render.Outcome{}})
	var text []byte
	err = eachHook(path, func(r *record.Record, e *aix.Entry) {
		if p := programs[uint16(r.ID)]; p != nil {
			text = m.AppendText(text[:0], p[e.Env()], r.Data)
			sink += uint64(len(text))
		}
		events++
	})
	return events, err
}
