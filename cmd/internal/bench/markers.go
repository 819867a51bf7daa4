package main

import (
	"iter"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Names in the table of LTTng.
const (
	markerWalk   = "LTTng walk, file order"
	markerMerge  = "LTTng walk, time order"
	markerTyped  = "LTTng typed, file order"
	markerTimely = "LTTng typed, time order"
)

// markerMeasurements are the measurements of the LTTng trace.
var markerMeasurements = []measurement{
	{markerWalk, "every event, its time, marker and payload found", walkMarkers},
	{markerMerge, "the same in time order", mergeMarkers},
	{markerTyped, "17 kinds of events (97 of 100), of which up to four fields are read", decodeStreams},
	{markerTimely, "the same in time order", decodeMarkers},
	{fewMarkers, "the records of `fs." + fewMarkerEvent + "` in time order", fewMarkersPlain},
	{fewMarkerIndex, "that `tracec index` writes", fewMarkersIndexed},
}

// walkMarkers visits every event, file after file.
func walkMarkers(path string) (events int64, err error) {
	rec, err := lttng.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitAll(rec.Streams(record.Options{}))
}

// mergeMarkers visits every event in time order.
func mergeMarkers(path string) (events int64, err error) {
	rec, err := lttng.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitMerged(rec.Merge(record.Options{}))
}

func decodeStreams(path string) (int64, error) {
	return typedMarkers(path, func(rec *lttng.Recording, d *markers.Decoder, s *sums) error {
		return record.InStreamOrder(rec.Streams(d.Select(record.Options{})),
			func(records []record.Record, entries []lttng.Entry) error {
				for i := range records {
					s.marker(&records[i], d.Decode(&records[i], &entries[i]))
				}
				return nil
			})
	})
}

func decodeMarkers(path string) (int64, error) {
	return typedMarkers(path, inTime[*lttng.Recording, lttng.Entry]((*sums).markers))
}

// decodeMarkersBeside decodes the frequent events on several goroutines.
func decodeMarkersBeside(path string, p bind.Slicing) (int64, error) {
	return typedMarkers(path, beside[*lttng.Recording, lttng.Entry](p, (*sums).markers))
}

// typedMarkers decodes the frequent events.
func typedMarkers(path string, run func(*lttng.Recording, *markers.Decoder, *sums) error) (int64, error) {
	return typed(func() (*lttng.Recording, error) { return lttng.Open(path) },
		func(rec *lttng.Recording) (*markers.Decoder, error) { return markers.Bind(rec, frequent...) }, run)
}

// frequent are the event types of 97 in 100 records.
var frequent = []bind.Option{
	markers.FSCloseEvent,
	markers.FSOpenEvent,
	markers.FSPollfdEvent,
	markers.FSReadEvent,
	markers.FSSelectEvent,
	markers.KernelPageFaultExitEvent,
	markers.KernelSchedScheduleEvent,
	markers.KernelSoftirqEntryEvent,
	markers.KernelSyscallEntryEvent,
	markers.KernelSyscallExitEvent,
	markers.MMPageAllocEvent,
	markers.MMPageFreeEvent,
	markers.RCUClassicCallRCUEvent,
	markers.RCUClassicCallbackEvent,
	markers.KernelPageFaultEntryEvent,
	markers.FDStateFileDescriptorEvent,
	markers.VMStateVMMapEvent,
}

// markers adds the events of a loop.
func (s *sums) markers(events iter.Seq2[*record.Record, any]) {
	for r, e := range events {
		s.marker(r, e)
	}
}

// marker reads the fields of an event.
func (s *sums) marker(r *record.Record, e any) {
	s.events++
	switch v := e.(type) {
	case *markers.FSClose:
		s.sum += uint64(v.FD)
	case *markers.FSOpen:
		s.sum += uint64(v.FD) + uint64(len(v.Filename))
	case *markers.FSPollfd:
		s.sum += uint64(v.FD)
	case *markers.FSRead:
		s.sum += uint64(v.FD) + uint64(v.Count)
	case *markers.FSSelect:
		s.sum += uint64(v.FD) + uint64(v.EndTimeSec)
	case *markers.KernelPageFaultExit:
		s.sum += uint64(v.Res)
	case *markers.KernelSchedSchedule:
		s.sum += uint64(v.PrevPID) + uint64(v.NextPID)
	case *markers.KernelSoftirqEntry:
		s.sum += uint64(v.SoftirqID)
	case *markers.KernelSyscallEntry:
		s.sum += uint64(v.IP) + uint64(v.SyscallID)
	case *markers.KernelSyscallExit:
		s.sum += uint64(v.Ret) + r.Time
	case *markers.MMPageAlloc:
		s.sum += uint64(v.PFN) + uint64(v.Order)
	case *markers.MMPageFree:
		s.sum += uint64(v.PFN) + uint64(v.Order)
	case *markers.RCUClassicCallRCU:
		s.sum += uint64(v.Func) + uint64(v.IP)
	case *markers.RCUClassicCallback:
		s.sum += uint64(v.Func)
	case *markers.KernelPageFaultEntry:
		s.sum += uint64(v.IP) + uint64(v.Address) + uint64(v.TrapID) + uint64(v.WriteAccess)
	case *markers.FDStateFileDescriptor:
		s.sum += uint64(v.PID) + uint64(v.FD) + uint64(len(v.Filename))
	case *markers.VMStateVMMap:
		s.sum += uint64(v.PID) + uint64(v.Start) + uint64(v.End) + uint64(v.Flags)
	}
}
