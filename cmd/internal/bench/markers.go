package main

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
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
	type (
		rp = *record.Record
		xp = *lttng.Entry
	)
	var sum, events uint64
	d := &markers.Decoder{
		FSClose: func(_ rp, _ xp, v *markers.FSClose) error { sum += uint64(v.FD); events++; return nil },
		FSOpen: func(_ rp, _ xp, v *markers.FSOpen) error {
			sum += uint64(v.FD) + uint64(len(v.Filename))
			events++
			return nil
		},
		FSPollfd: func(_ rp, _ xp, v *markers.FSPollfd) error { sum += uint64(v.FD); events++; return nil },
		FSRead:   func(_ rp, _ xp, v *markers.FSRead) error { sum += uint64(v.FD) + uint64(v.Count); events++; return nil },
		FSSelect: func(_ rp, _ xp, v *markers.FSSelect) error {
			sum += uint64(v.FD) + uint64(v.EndTimeSec)
			events++
			return nil
		},
		KernelPageFaultExit: func(_ rp, _ xp, v *markers.KernelPageFaultExit) error { sum += uint64(v.Res); events++; return nil },
		KernelSchedSchedule: func(_ rp, _ xp, v *markers.KernelSchedSchedule) error {
			sum += uint64(v.PrevPID) + uint64(v.NextPID)
			events++
			return nil
		},
		KernelSoftirqEntry: func(_ rp, _ xp, v *markers.KernelSoftirqEntry) error {
			sum += uint64(v.SoftirqID)
			events++
			return nil
		},
		KernelSyscallEntry: func(_ rp, _ xp, v *markers.KernelSyscallEntry) error {
			sum += uint64(v.IP) + uint64(v.SyscallID)
			events++
			return nil
		},
		KernelSyscallExit: func(r rp, _ xp, v *markers.KernelSyscallExit) error {
			sum += uint64(v.Ret) + r.Time
			events++
			return nil
		},
		MMPageAlloc: func(_ rp, _ xp, v *markers.MMPageAlloc) error {
			sum += uint64(v.PFN) + uint64(v.Order)
			events++
			return nil
		},
		MMPageFree: func(_ rp, _ xp, v *markers.MMPageFree) error {
			sum += uint64(v.PFN) + uint64(v.Order)
			events++
			return nil
		},
		RCUClassicCallRCU: func(_ rp, _ xp, v *markers.RCUClassicCallRCU) error {
			sum += uint64(v.Func) + uint64(v.IP)
			events++
			return nil
		},
		RCUClassicCallback: func(_ rp, _ xp, v *markers.RCUClassicCallback) error { sum += uint64(v.Func); events++; return nil },
		KernelPageFaultEntry: func(_ rp, _ xp, v *markers.KernelPageFaultEntry) error {
			sum += uint64(v.IP) + uint64(v.Address) + uint64(v.TrapID) + uint64(v.WriteAccess)
			events++
			return nil
		},
		FDStateFileDescriptor: func(_ rp, _ xp, v *markers.FDStateFileDescriptor) error {
			sum += uint64(v.PID) + uint64(v.FD) + uint64(len(v.Filename))
			events++
			return nil
		},
		VMStateVMMap: func(_ rp, _ xp, v *markers.VMStateVMMap) error {
			sum += uint64(v.PID) + uint64(v.Start) + uint64(v.End) + uint64(v.Flags)
			events++
			return nil
		},
	}
	if err := run(d, context.Background(), rec); err != nil {
		return 0, err
	}
	sink += sum
	return int64(events), nil
}
