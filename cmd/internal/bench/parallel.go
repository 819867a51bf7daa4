package main

import (
	"fmt"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// workerCounts are the measured numbers of goroutines for parallel work.
var workerCounts = []int{1, 2, 4, 8}

// parallelMeasurements measure typed decoding on several goroutines.
var parallelMeasurements = func() (list []measurement) {
	for _, n := range workerCounts {
		for _, streams := range []bool{true, false} {
			order := "time"
			if streams {
				order = "CPU"
			}
			for _, cpus := range [][]int32{nil, {0}} {
				p := bind.Slicing{Records: record.Options{Workers: n, CPUs: cpus}, Streams: streams}
				list = append(list, measurement{
					name: parallelName(n, order, cpus),
					run:  func(path string) (int64, error) { return decodeParallel(path, p) },
				})
			}
		}
		p := bind.Slicing{Records: record.Options{Workers: n}}
		list = append(list, measurement{
			name: parallelMarkers(n),
			run:  func(path string) (int64, error) { return decodeMarkersBeside(path, p) },
		}, measurement{
			name: parallelCTF(n),
			run:  func(path string) (int64, error) { return decodeCTFBeside(path, p) },
		}, measurement{
			name: parallelPerf(n),
			run:  func(path string) (int64, error) { return decodePerfBeside(path, p) },
		})
	}
	return list
}()

func parallelMarkers(workers int) string { return fmt.Sprintf("%s, %d workers", markerTimely, workers) }

func parallelCTF(workers int) string { return fmt.Sprintf("%s, %d workers", ctfTyped, workers) }

func parallelPerf(workers int) string { return fmt.Sprintf("%s, %d workers", perfTyped, workers) }

func parallelName(workers int, order string, cpus []int32) string {
	name := fmt.Sprintf("typed decode, %d workers, %s order", workers, order)
	if cpus != nil {
		name += ", one CPU"
	}
	return name
}

func decodeParallel(path string, p bind.Slicing) (int64, error) {
	return decode(path, beside[*ftrace.Recording, record.None](p, (*sums).all), summed)
}
