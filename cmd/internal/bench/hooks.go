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
	"github.com/tracec/tracec/runtime/bind"
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

// decodeHooks decodes every event and reads its values.
func decodeHooks(path string) (int64, error) {
	rec, err := aix.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	d, err := templates.Bind(rec)
	if err != nil {
		return 0, err
	}
	var s sums
	for r, h := range d.Events(context.Background(), record.Options{}) {
		s.hook(r, d.Entry(), h)
	}
	sink += s.sum
	return s.events, d.Err()
}

// hook reads the values of an event.
func (s *sums) hook(r *record.Record, e *aix.Entry, h any) {
	switch h := h.(type) {
	case *templates.Interrupt:
		s.add(uint64(h.Level), h.Iar, h.Vector, r.Time)
	case *templates.Resume:
		s.add(uint64(h.Level), h.Iar, e.TID, r.Time)
	case *templates.SystemCall:
		s.add(uint64(h.Number), h.Lr, h.Entry, r.Time)
	case *templates.Return:
		s.add(uint64(h.Number), h.Value, uint64(h.Error), r.Time)
	case *templates.Dispatch:
		s.add(uint64(h.CPU), h.PID, h.TID, h.OldTID)
	case *templates.Lookup:
		s.add(h.Vnode, uint64(len(h.Name)), e.TID, r.Time)
	case *templates.Open:
		s.add(uint64(h.FD), h.Mode, uint64(h.Result), r.Time)
	case *templates.Read:
		s.add(uint64(h.FD), h.Buffer, h.Count, h.Done)
	case *templates.PageAssign:
		s.add(uint64(h.Kind), h.VS, h.Frame, uint64(h.Flags))
	case *templates.PageFault:
		s.add(uint64(h.Kind), h.ReadAddress|h.WriteAddress, uint64(h.Protection), r.Time)
	case *templates.Queue:
		s.add(uint64(h.Entries), uint64(h.First), uint64(h.Last), r.Time)
	case *templates.Message:
		s.add(h.Length, uint64(len(h.Text)), e.TID, r.Time)
	}
}

// textHooks renders every event with generated code.
func textHooks(path string) (events int64, err error) {
	env := &render.Env{BigEndian: true, WordSize: 8, Outcome: &render.Outcome{}}
	d, err := bind.Bind(bind.Container[aix.Entry]{Source: layout.Source(nil)},
		[]bind.Package[aix.Entry]{templates.Package})
	if err != nil {
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

// interpretHooks renders every event with the interpreter.
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
