package lttng

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Trace is one trace of a recording: the events of one tracer from start to end. It has its own
// clock and descriptions.
type Trace struct {
	rec     *Recording
	path    string
	info    Info
	clock   clock
	files   []*File
	markers []*Marker
	tables  map[string]*table // by channel, "" for the whole trace

	compactFacility compactFacility // for 0.8
}

// Path returns the directory of the trace in the recording, with slashes. It is "." if the
// recording is the trace.
func (tr *Trace) Path() string { return tr.path }

// Name returns the path of the trace: the path of the recording, and Path.
func (tr *Trace) Name() string {
	if tr.path == "." {
		return tr.rec.name
	}
	return strings.TrimSuffix(tr.rec.name, "/") + "/" + tr.path
}

// Info returns the contents of the headers. Do not change it.
func (tr *Trace) Info() *Info { return &tr.info }

// Files returns the files of the trace, sorted by channel and processor.
func (tr *Trace) Files() []*File { return tr.files }

// Markers returns all events that the trace describes, by channel and id.
func (tr *Trace) Markers() []*Marker { return tr.markers }

// Time returns the time of a time stamp in nanoseconds, as in Record.Time.
func (tr *Trace) Time(tsc uint64) uint64 { return tr.clock.ns(tsc) + tr.clock.shift }

// Zero returns the wall clock at time 0 of the trace. That is approximately when the machine
// started. ok is false if the trace does not record when it began. Traces with one clock have the
// same Zero, unless the wall clock was set or drifted in between.
func (tr *Trace) Zero() (time.Time, bool) {
	i := &tr.info
	if i.StartSec == 0 || i.StartSec > 1<<40 || i.StartUsec >= 1e6 {
		return time.Time{}, false
	}
	start := time.Unix(int64(i.StartSec), int64(i.StartUsec)*1000)
	return start.Add(-time.Duration(tr.clock.ns(i.StartTSC))), true
}

// WallClock reports whether times are wall clock times, set by WithWallClock.
func (tr *Trace) WallClock() bool { return tr.clock.shift != 0 }

// describe fills Info from the first header of the metadata. In 0.x only that header is complete
// (lttng.md 3.2).
func (tr *Trace) describe() {
	meta := slices.DeleteFunc(slices.Clone(tr.files), func(f *File) bool { return !f.isMetadata() })
	first := tr.files[0]
	if len(meta) > 0 {
		first = meta[0]
	}
	h := first.head
	order := fmt.Sprint(h.order)
	tr.info = Info{
		Dialect: h.dialect, Major: h.major, Minor: h.minor, BigEndian: order == "BigEndian", WordSize: h.machine.word,
		Alignment:      h.machine.alignment,
		FlightRecorder: h.flight, Heartbeat: h.short.heartbeat, StartFreq: h.clock.freq, FreqScale: h.clock.scale,
		StartTSC:       h.clock.tsc,
		StartMonotonic: h.clock.monotonic, StartSec: h.clock.sec, StartUsec: h.clock.usec,
		Formula: tr.rec.config.formula, CPUs: len(meta),
		Head: Head{h.machine.arch, h.machine.variant, h.machine.floats, uint8(h.short.bits), uint8(h.short.lsb),
			uint8(h.short.shift)},
	}
	if h.dialect >= V21 && h.dialect != Seed { // it has no such field (lttng.md 3.3)
		tr.info.StartTSC = h.begin
	}
	if tr.info.Formula == EraFormula {
		tr.info.Formula = OldFormula
		if h.dialect == V25 || h.dialect == V26 {
			tr.info.Formula = NewFormula
		}
	}
	tr.clock = newClock(tr.info.Formula, tr.info.StartFreq, tr.info.FreqScale, tr.info.StartTSC)
	if tr.rec.config.wall {
		tr.setWall()
	}
	if len(meta) == 0 {
		tr.rec.damage.Note(tr.path, 0, 0, fmt.Errorf("no file describes the markers: %w", ErrMarker))
	}
}

// setWall makes times wall clock times.
func (tr *Trace) setWall() {
	zero, ok := tr.Zero()
	if !ok {
		tr.rec.damage.Note(tr.path, 0, 0, fmt.Errorf("no wall clock at the start; times count from 0: %w", ErrFormat))
		return
	}
	tr.clock.shift = uint64(zero.UnixNano())
}

// isMetadata reports whether the file has the descriptions of the markers.
func (f *File) isMetadata() bool {
	return f.Channel == "metadata" || f.Channel == "/control/metadata" || f.Channel == "/control/facilities"
}
