package main

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/own"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// switchSource describes sched_switch as the decoders were compiled for it, with id 7.
func switchSource(t testing.TB, parts ...[]bind.Event) bind.Source {
	t.Helper()
	for _, events := range parts {
		for _, e := range events {
			if e.Name == "sched_switch" && len(e.Fields) == 7 {
				e.ID = 7
				e.BigEndian = bind.HostBigEndian()
				return bind.Sources([]bind.Event{e})
			}
		}
	}
	t.Fatal("no sched_switch")
	return nil
}

// switchBatch is a batch of records of sched_switch.
func switchBatch() []record.Record {
	records := make([]record.Record, 256)
	for i := range records {
		data := make([]byte, 64)
		binary.NativeEndian.PutUint32(data[24:], uint32(i))
		binary.NativeEndian.PutUint64(data[32:], uint64(i)<<33)
		binary.NativeEndian.PutUint32(data[56:], uint32(-i))
		records[i] = record.Record{ID: 7, Time: uint64(i), Data: data}
	}
	return records
}

// Both structs hold the same of every record, and take no memory.
func TestOwnIsFull(t *testing.T) {
	var full, mine sums
	d := &decoders.Decoder{SchedSwitch: func(r *record.Record, e *decoders.SchedSwitch) error {
		return full.add(uint64(e.PrevPID)<<1, uint64(e.NextPID)<<2, uint64(e.PrevState), r.Time)
	}}
	o := &own.Decoder{Switch: func(r *record.Record, e *own.Switch) error {
		return mine.add(uint64(e.PrevPID)<<1, uint64(e.NextPID)<<2, uint64(e.PrevState), r.Time)
	}}
	src := switchSource(t, d.Part().Events)
	if err := d.BindTo(src); err != nil {
		t.Fatal(err)
	}
	if err := o.BindTo(src); err != nil {
		t.Fatal(err)
	}
	records := switchBatch()
	n := testing.AllocsPerRun(10, func() {
		if d.Batch(records) != nil || o.Batch(records) != nil {
			t.Fatal("a callback failed")
		}
	})
	if n != 0 || full != mine || full.events == 0 {
		t.Errorf("%v allocations, %+v, want %+v", n, mine, full)
	}
}

func BenchmarkFullStruct(b *testing.B) {
	var s sums
	d := &decoders.Decoder{SchedSwitch: func(r *record.Record, e *decoders.SchedSwitch) error {
		return s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
	}}
	if err := d.BindTo(switchSource(b, d.Part().Events)); err != nil {
		b.Fatal(err)
	}
	records := switchBatch()
	for range b.N {
		d.Batch(records)
	}
}

func BenchmarkOwnStruct(b *testing.B) {
	var s sums
	d := &own.Decoder{Switch: func(r *record.Record, e *own.Switch) error {
		return s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
	}}
	if err := d.BindTo(switchSource(b, (&decoders.Decoder{}).Part().Events)); err != nil {
		b.Fatal(err)
	}
	records := switchBatch()
	for range b.N {
		d.Batch(records)
	}
}
