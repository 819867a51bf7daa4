package main

import (
	"context"
	"io"
	"os"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Measurements of an event in 44 of 1000 sub-buffers.
const (
	sparseEvent = "sys_enter_socket"
	sparse      = "one event, in one sub-buffer of twenty"
	sparseIndex = "the same with an index"
)

// Measurements of an LTTng event in one channel of several.
const (
	fewMarkers     = "LTTng, one event in two hundred"
	fewMarkerIndex = "LTTng, one event in two hundred with an index"
	fewMarkerEvent = "open"
)

// Measurements of a function of uftrace in the first and the last part of each thread.
const (
	fewCalls        = "uftrace, one function of a few calls"
	fewCallIndex    = "uftrace, one function of a few calls with an index"
	fewCallFunction = "work"
)

// indexName is the name of the trace's index. It is not the default name, so other measurements do
// not use it.
func indexName(trace string) string { return trace + ".index" }

// makeIndex writes the index of the trace unless it exists.
func makeIndex(trace string) error {
	return writeIndex(trace, func() (indexed, error) { return ftrace.Open(trace) })
}

// makeMarkerIndex is makeIndex for a trace of LTTng.
func makeMarkerIndex(trace string) error {
	return writeIndex(trace, func() (indexed, error) { return lttng.Open(trace) })
}

// makeCallIndex is makeIndex for a recording of uftrace.
func makeCallIndex(trace string) error {
	return writeIndex(trace, func() (indexed, error) { return uftrace.Open(trace) })
}

// indexed is a recording that can have an index.
type indexed interface {
	index.Source
	io.Closer
}

func writeIndex(trace string, open func() (indexed, error)) error {
	if _, err := os.Stat(indexName(trace)); err == nil {
		return nil
	}
	rec, err := open()
	if err != nil {
		return err
	}
	defer rec.Close()
	x, err := rec.Index(context.Background())
	if err != nil {
		return err
	}
	b, err := x.AppendBinary(nil)
	if err != nil {
		return err
	}
	return os.WriteFile(indexName(trace), b, 0o666)
}

// sparsePlain visits the records of the event in time order.
func sparsePlain(path string) (int64, error) { return visitSparse(path, "") }

// sparseIndexed is sparsePlain with the index.
func sparseIndexed(path string) (int64, error) { return visitSparse(path, indexName(path)) }

func visitSparse(path, index string) (int64, error) {
	rec, err := ftrace.Open(path, ftrace.WithIndex(index))
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	if rec.IndexErr() != nil {
		return 0, rec.IndexErr()
	}
	for _, f := range rec.Formats() {
		if f.Name == sparseEvent {
			return visitMerged(rec.Merge(ftrace.StreamOptions{Options: record.Options{IDs: []uint32{uint32(f.ID)},
				Workers: 1}}))
		}
	}
	return 0, bind.ErrMissing
}

func fewMarkersPlain(path string) (int64, error) { return visitMarkers(path, "") }

func fewMarkersIndexed(path string) (int64, error) { return visitMarkers(path, indexName(path)) }

// visitMarkers visits the records of the event in time order.
func visitMarkers(path, index string) (int64, error) {
	rec, err := lttng.Open(path, lttng.WithIndex(index))
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	if rec.IndexErr() != nil {
		return 0, rec.IndexErr()
	}
	for _, m := range rec.Markers() {
		if m.Name == fewMarkerEvent {
			return visitMerged(rec.Merge(record.Options{IDs: []uint32{uint32(m.Index)}}))
		}
	}
	return 0, bind.ErrMissing
}

func fewCallsPlain(path string) (int64, error) { return visitFunction(path, "") }

func fewCallsIndexed(path string) (int64, error) { return visitFunction(path, indexName(path)) }

// visitFunction visits the calls of the function and the returns from it in time order.
func visitFunction(path, index string) (int64, error) {
	rec, err := uftrace.Open(path, uftrace.WithIndex(index))
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	if rec.IndexErr() != nil {
		return 0, rec.IndexErr()
	}
	for _, s := range rec.Symbols() {
		if s.Name == fewCallFunction {
			ids := []uint32{s.ID(uftrace.Enter), s.ID(uftrace.Leave)}
			return visitMerged(rec.Merge(uftrace.MergeOptions{Options: record.Options{IDs: ids, Workers: 1}}))
		}
	}
	return 0, bind.ErrMissing
}
