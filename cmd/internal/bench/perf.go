package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tracec/tracec/cmd/internal/bench/sched"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// Names in the table of perf.
const (
	perfWalk      = "perf.data walk, time order"
	perfTyped     = "perf.data typed, time order"
	perfReport    = "tracec perf script"
	perfReference = "perf script"
)

// perfSample is the recording in perfArchive to repeat. Most versions of perf can read it.
const (
	perfArchive = "testdata/perf/amd64-6.18.tar.zst"
	perfSample  = "amd64-6.18/sched.p61.data"
)

func readPerfSample() ([]byte, error) {
	return exec.Command("tar", "--zstd", "-xOf", perfArchive, perfSample).Output()
}

// perfSize is the size of the repeated recording in bytes.
const perfSize = 215 << 20

// perfMeasurements are the measurements of the recording of perf.
var perfMeasurements = []measurement{
	{perfWalk, "every sample and record in time order, its time, kind and payload found", walkPerf},
	{perfTyped, "the samples of 12 tracepoints, of which one field is read", decodePerf},
}

func walkPerf(path string) (int64, error) {
	rec, err := perf.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitMerged(rec.Merge(record.Options{}))
}

func decodePerf(path string) (int64, error) {
	return typedPerf(path, inTime[*perf.Recording, record.None]((*sums).sched))
}

// decodePerfBeside decodes the recording on several goroutines.
func decodePerfBeside(path string, p bind.Slicing) (int64, error) {
	return typedPerf(path, beside[*perf.Recording, record.None](p, (*sums).sched))
}

func typedPerf(path string, run func(*perf.Recording, *sched.Decoder, *sums) error) (int64, error) {
	return typed(func() (*perf.Recording, error) { return perf.Open(path) },
		func(rec *perf.Recording) (*sched.Decoder, error) { return sched.Bind(rec) }, run)
}

// sched adds the events of a loop.
func (s *sums) sched(events iter.Seq2[*record.Record, any]) {
	for _, e := range events {
		s.events++
		switch e := e.(type) {
		case *sched.SchedSwitch:
			s.sum += uint64(e.NextPID)
		case *sched.SchedStatRuntime:
			s.sum += e.Runtime
		case *sched.SchedWakeup:
			s.sum += uint64(e.PID)
		case *sched.SchedWaking:
			s.sum += uint64(e.PID)
		}
	}
}

// perfRecording returns the repeated recording. It makes it if it is missing.
func (o options) perfRecording() (string, error) {
	path := filepath.Join(o.dir, "perf-215M.data")
	if exists(path) {
		return path, nil
	}
	once, err := readPerfSample()
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, repeatPerf(once, perfSize), 0o644)
}

// allPerf makes the recording unless it exists, and measures it.
func (o options) allPerf() ([]result, error) {
	path, err := o.perfRecording()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	rows := append(measured("", perfMeasurements, perfSize, self, path),
		row{perfReport, "the text of every sample, to /dev/null", perfSize,
			[]string{o.tracec(), "perf", "script", "-i", path}})
	if _, err := exec.LookPath("perf"); err == nil {
		rows = append(rows, row{perfReference, "the reference, same file", perfSize,
			[]string{"perf", "script", "-i", path}})
	}
	return o.inTurn(rows), nil
}

// Offsets in the header of a perf.data, and in samples of perfSample including their headers. The
// samples have IP, TID and TIME (docs/spec/perf.md 1.1, 1.2, 4.1).
const (
	perfData     = 40 // offset and size of the records
	perfFeatures = 72 // bits for the sections after the records
	perfTime     = 24

	perfSampleType, perfRoundType = 9, 68
)

// repeatPerf repeats the samples and rounds of a recording, later each time, until there are size
// bytes.
func repeatPerf(once []byte, size int) []byte {
	order := binary.LittleEndian
	from := order.Uint64(once[perfData:])
	till := from + order.Uint64(once[perfData+8:])
	var again []byte
	first, last := ^uint64(0), uint64(0)
	for at := from; at < till; at += uint64(order.Uint16(once[at+6:])) {
		kind, length := order.Uint32(once[at:]), uint64(order.Uint16(once[at+6:]))
		if kind == perfSampleType {
			t := order.Uint64(once[at+perfTime:])
			first, last = min(first, t), max(last, t)
		}
		if kind == perfSampleType || kind == perfRoundType {
			again = append(again, once[at:at+length]...)
		}
	}
	data := append([]byte(nil), once[:till]...)
	for i := uint64(1); len(data) < size; i++ {
		at := len(data)
		data = append(data, again...)
		for ; at < len(data); at += int(order.Uint16(data[at+6:])) {
			if order.Uint32(data[at:]) == perfSampleType {
				order.PutUint64(data[at+perfTime:], order.Uint64(data[at+perfTime:])+i*(last-first+1000))
			}
		}
	}
	more := uint64(len(data)) - till
	order.PutUint64(data[perfData+8:], till-from+more)
	return append(data, sectionsLater(once, till, more)...)
}

// sectionsLater returns the sections after the records, which end at till, with their offsets
// increased by more.
func sectionsLater(once []byte, till, more uint64) []byte {
	order := binary.LittleEndian
	sections := append([]byte(nil), once[till:]...)
	at := 0
	for _, b := range once[perfFeatures : perfFeatures+32] {
		for ; b != 0; b &= b - 1 {
			order.PutUint64(sections[at:], order.Uint64(sections[at:])+more)
			at += 16
		}
	}
	return sections
}

const perfTitle = "\n## Linux perf\n"

// writePerf prints the table of the recording of perf.
func writePerf(w io.Writer, o options, m machine, list []result) {
	if len(list) == 0 {
		return
	}
	events := countEvents(list)
	fmt.Fprintf(w, perfTitle+"\nThe samples of `%s` of `%s` repeated with later times:\n"+
		"%d MB, %.2f M samples and records. The same machine, %s, %s, best of %d runs.\n"+
		"`go run ./cmd/internal/bench -perf -runs %d` writes this part alone.\n\n",
		perfSample, perfArchive, perfSize/1_000_000, float64(events)/1e6, m.golang, m.date, o.runs, o.runs)
	writeRows(w, list, events)
	fmt.Fprintln(w)
	writeRatio(w, goodResults(list), perfReport, perfReference)
}
