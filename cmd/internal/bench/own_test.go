package main

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/own"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// switchSource describes sched_switch, with id 7, as in the description from which the decoders
// were generated.
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

// switches returns a Decoder of one event of a package for the records of switchBatch.
func switches(t testing.TB, pkg bind.Package[record.None], event bind.Option) *bind.Decoder[record.None] {
	t.Helper()
	d, err := bind.Bind(bind.Container[record.None]{Source: switchSource(t, decoders.Package.Events)},
		[]bind.Package[record.None]{pkg}, event)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// addFull and addOwn sum the fields that both structs have.
func (s *sums) addFull(r *record.Record, e any) {
	if e, ok := e.(*decoders.SchedSwitch); ok {
		s.add(uint64(e.PrevPID)<<1, uint64(e.NextPID)<<2, uint64(e.PrevState), r.Time)
	}
}

func (s *sums) addOwn(r *record.Record, e any) {
	if e, ok := e.(*own.Switch); ok {
		s.add(uint64(e.PrevPID)<<1, uint64(e.NextPID)<<2, uint64(e.PrevState), r.Time)
	}
}

// TestOwnIsFull: both structs have equal fields for every record, and need no memory.
func TestOwnIsFull(t *testing.T) {
	var full, mine sums
	d, o := switches(t, decoders.Package, decoders.SchedSwitchEvent), switches(t, own.Package, own.SwitchEvent)
	records := switchBatch()
	n := testing.AllocsPerRun(10, func() {
		for i := range records {
			full.addFull(&records[i], d.Decode(&records[i], nil))
			mine.addOwn(&records[i], o.Decode(&records[i], nil))
		}
	})
	if n != 0 || full != mine || full.events == 0 {
		t.Errorf("%v allocations, %+v, want %+v", n, mine, full)
	}
}

func BenchmarkFullStruct(b *testing.B) {
	var s sums
	d, records := switches(b, decoders.Package, decoders.SchedSwitchEvent), switchBatch()
	for range b.N {
		for i := range records {
			s.addFull(&records[i], d.Decode(&records[i], nil))
		}
	}
}

func BenchmarkOwnStruct(b *testing.B) {
	var s sums
	d, records := switches(b, own.Package, own.SwitchEvent), switchBatch()
	for range b.N {
		for i := range records {
			s.addOwn(&records[i], d.Decode(&records[i], nil))
		}
	}
}
