package main

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Names that the table of LTTng refers to.
const (
	markerWalk   = "LTTng walk, file order"
	markerMerge  = "LTTng walk, time order"
	markerTyped  = "LTTng typed, file order"
	markerTimely = "LTTng typed, time order"
)

// markerMeasurements are those of the trace of LTTng.
var markerMeasurements = []measurement{
	{markerWalk, "every event, its time, marker and payload found", walkMarkers},
	{markerMerge, "the same in time order", mergeMarkers},
	{markerTyped, "17 kinds of events (97 of 100) to callbacks that read up to four fields each", decodeStreams},
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
	return typedMarkers(path, (*markers.Decoder).RunStreams)
}

func decodeMarkers(path string) (int64, error) { return typedMarkers(path, (*markers.Decoder).Run) }

// typedMarkers hands the frequent events to typed callbacks.
func typedMarkers(path string, run func(*markers.Decoder, context.Context, *lttng.Recording) error) (int64, error) {
	rec, err := lttng.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	s, d := markerSums{}, markers.Decoder{}
	s.set(&d)
	if err := run(&d, context.Background(), rec); err != nil {
		return 0, err
	}
	sink += s.sum
	return s.events, nil
}

// decodeMarkersBeside does the same on several goroutines.
func decodeMarkersBeside(path string, p bind.Parallel) (events int64, err error) {
	rec, err := lttng.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	begin := func(d *markers.Decoder) *markerSums {
		s := new(markerSums)
		s.set(d)
		return s
	}
	err = markers.Parallel(context.Background(), rec, p, begin, func(s *markerSums) error {
		events += s.events
		sink += s.sum
		return nil
	})
	return events, err
}

// markerSums are what callbacks compute of events.
type markerSums struct {
	sum    uint64
	events int64
}

// set sets the callbacks.
func (s *markerSums) set(d *markers.Decoder) {
	type (
		rp = *record.Record
		xp = *lttng.Entry
	)
	*d = markers.Decoder{
		FSClose: func(_ rp, _ xp, v *markers.FSClose) error { s.sum += uint64(v.FD); s.events++; return nil },
		FSOpen: func(_ rp, _ xp, v *markers.FSOpen) error {
			s.sum += uint64(v.FD) + uint64(len(v.Filename))
			s.events++
			return nil
		},
		FSPollfd: func(_ rp, _ xp, v *markers.FSPollfd) error { s.sum += uint64(v.FD); s.events++; return nil },
		FSRead: func(_ rp, _ xp, v *markers.FSRead) error {
			s.sum += uint64(v.FD) + uint64(v.Count)
			s.events++
			return nil
		},
		FSSelect: func(_ rp, _ xp, v *markers.FSSelect) error {
			s.sum += uint64(v.FD) + uint64(v.EndTimeSec)
			s.events++
			return nil
		},
		KernelPageFaultExit: func(_ rp, _ xp, v *markers.KernelPageFaultExit) error { s.sum += uint64(v.Res); s.events++; return nil },
		KernelSchedSchedule: func(_ rp, _ xp, v *markers.KernelSchedSchedule) error {
			s.sum += uint64(v.PrevPID) + uint64(v.NextPID)
			s.events++
			return nil
		},
		KernelSoftirqEntry: func(_ rp, _ xp, v *markers.KernelSoftirqEntry) error {
			s.sum += uint64(v.SoftirqID)
			s.events++
			return nil
		},
		KernelSyscallEntry: func(_ rp, _ xp, v *markers.KernelSyscallEntry) error {
			s.sum += uint64(v.IP) + uint64(v.SyscallID)
			s.events++
			return nil
		},
		KernelSyscallExit: func(r rp, _ xp, v *markers.KernelSyscallExit) error {
			s.sum += uint64(v.Ret) + r.Time
			s.events++
			return nil
		},
		MMPageAlloc: func(_ rp, _ xp, v *markers.MMPageAlloc) error {
			s.sum += uint64(v.PFN) + uint64(v.Order)
			s.events++
			return nil
		},
		MMPageFree: func(_ rp, _ xp, v *markers.MMPageFree) error {
			s.sum += uint64(v.PFN) + uint64(v.Order)
			s.events++
			return nil
		},
		RCUClassicCallRCU: func(_ rp, _ xp, v *markers.RCUClassicCallRCU) error {
			s.sum += uint64(v.Func) + uint64(v.IP)
			s.events++
			return nil
		},
		RCUClassicCallback: func(_ rp, _ xp, v *markers.RCUClassicCallback) error { s.sum += uint64(v.Func); s.events++; return nil },
		KernelPageFaultEntry: func(_ rp, _ xp, v *markers.KernelPageFaultEntry) error {
			s.sum += uint64(v.IP) + uint64(v.Address) + uint64(v.TrapID) + uint64(v.WriteAccess)
			s.events++
			return nil
		},
		FDStateFileDescriptor: func(_ rp, _ xp, v *markers.FDStateFileDescriptor) error {
			s.sum += uint64(v.PID) + uint64(v.FD) + uint64(len(v.Filename))
			s.events++
			return nil
		},
		VMStateVMMap: func(_ rp, _ xp, v *markers.VMStateVMMap) error {
			s.sum += uint64(v.PID) + uint64(v.Start) + uint64(v.End) + uint64(v.Flags)
			s.events++
			return nil
		},
	}
}
