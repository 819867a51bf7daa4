package main

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/own"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// Names of what one struct of one's own is compared by: the same event in the struct of all its fields.
const (
	ownStruct  = "typed decode of sched_switch, own struct"
	fullStruct = "typed decode of sched_switch, full struct"
)

// decodeFull passes each sched_switch to a callback as a struct of its 7 fields.
func decodeFull(path string) (int64, error) {
	var s sums
	d := &decoders.Decoder{SchedSwitch: func(r *record.Record, e *decoders.SchedSwitch) error {
		return s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
	}}
	return s.run(path, func(rec *ftrace.Recording) (uint64, error) {
		err := d.RunStreams(context.Background(), rec)
		return d.Stats().Other, err
	})
}

// decodeOwn passes it as a struct of the 3 that the callback reads.
func decodeOwn(path string) (int64, error) {
	var s sums
	d := &own.Decoder{Switch: func(r *record.Record, e *own.Switch) error {
		return s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
	}}
	return s.run(path, func(rec *ftrace.Recording) (uint64, error) {
		err := d.RunStreams(context.Background(), rec)
		return d.Stats().Other, err
	})
}

// run opens a recording, and returns how many records there were.
func (s *sums) run(path string, decode func(*ftrace.Recording) (others uint64, err error)) (int64, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	others, err := decode(rec)
	sink += s.sum
	return int64(s.events + others), err
}
