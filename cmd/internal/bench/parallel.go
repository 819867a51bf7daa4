package main

import (
	"context"
	"fmt"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// workerCounts are the numbers of goroutines that parallel work is measured with.
var workerCounts = []int{1, 2, 4, 8}

// parallelMeasurements are typed decode on several goroutines.
var parallelMeasurements = func() (list []measurement) {
	for _, n := range workerCounts {
		for _, streams := range []bool{true, false} {
			order := "time"
			if streams {
				order = "CPU"
			}
			for _, cpus := range [][]int32{nil, {0}} {
				p := bind.Parallel{Records: record.Options{Workers: n, CPUs: cpus}, Streams: streams}
				list = append(list, measurement{
					name: parallelName(n, order, cpus),
					run:  func(path string) (int64, error) { return decodeParallel(path, p) },
				})
			}
		}
		p := bind.Parallel{Records: record.Options{Workers: n}}
		list = append(list, measurement{
			name: parallelMarkers(n),
			run:  func(path string) (int64, error) { return decodeMarkersBeside(path, p) },
		})
	}
	return list
}()

func parallelMarkers(workers int) string { return fmt.Sprintf("%s, %d workers", markerTimely, workers) }

func parallelName(workers int, order string, cpus []int32) string {
	name := fmt.Sprintf("typed decode, %d workers, %s order", workers, order)
	if cpus != nil {
		name += ", one CPU"
	}
	return name
}

// part is what the callbacks of one slice compute.
type part struct {
	sums
	d *decoders.Decoder
}

func decodeParallel(path string, p bind.Parallel) (int64, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	events, sum := int64(0), uint64(0)
	begin := func(d *decoders.Decoder) *part {
		s := &part{d: d}
		s.set(d)
		return s
	}
	err = decoders.Parallel(context.Background(), rec, p, begin, func(s *part) error {
		events += int64(s.events + s.d.Stats().Other)
		sum += s.sum
		return nil
	})
	sink += sum
	return events, err
}
