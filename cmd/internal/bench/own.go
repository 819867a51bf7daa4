package main

import (
	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/own"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/layout"
	"github.com/tracec/tracec/runtime/record"
)

// Names of the measurements that compare a user's struct with the struct of all fields, for the
// same event.
const (
	ownStruct  = "typed decode of sched_switch, own struct"
	fullStruct = "typed decode of sched_switch, full struct"
)

// decodeFull decodes each sched_switch as a struct of its 7 fields.
func decodeFull(path string) (int64, error) {
	return decodeSwitches(path, decoders.Package, decoders.SchedSwitchEvent, func(s *sums, r *record.Record, e any) {
		if e, ok := e.(*decoders.SchedSwitch); ok {
			s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
		}
	})
}

// decodeOwn decodes each sched_switch as a struct of only the 3 fields that are read.
func decodeOwn(path string) (int64, error) {
	return decodeSwitches(path, own.Package, own.SwitchEvent, func(s *sums, r *record.Record, e any) {
		if e, ok := e.(*own.Switch); ok {
			s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
		}
	})
}

// decodeSwitches decodes one event of a package.
func decodeSwitches(
	path string, pkg bind.Package[record.None], event bind.Option, take func(*sums, *record.Record, any),
) (int64, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	c, err := layout.Of(rec)
	if err != nil {
		return 0, err
	}
	d, err := bind.Bind(c, []bind.Package[record.None]{pkg}, event)
	if err != nil {
		return 0, err
	}
	var s sums
	err = record.InStreamOrder(rec.Streams(ftrace.StreamOptions{Options: d.Select(record.Options{})}),
		func(records []record.Record, _ []record.None) error {
			for i := range records {
				take(&s, &records[i], d.Decode(&records[i], nil))
			}
			return nil
		})
	sink += s.sum
	return s.events, err
}
