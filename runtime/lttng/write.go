package lttng

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Layout is the layout of a trace from a Writer.
type Layout struct {
	Dialect   Dialect // V10, V20 to V26, or Seed; no tracer wrote Seed
	BigEndian bool
	WordSize  int // bytes of a pointer: 4 or 8
	Alignment int // of events and fields: WordSize, or 0 for packed
	// BlockSize is the size of sub-buffers in bytes, 4096 or a larger power of two. 2.5 and 2.6
	// make larger ones for large events.
	BlockSize int
	CPUs      int // every channel has a file for each processor

	FlightRecorder uint8
	Freq           uint64 // Hz
	Scale          uint32
	StartTSC       uint64
	StartMonotonic uint64
	// StartSec and StartUsec are the wall clock at the start.
	StartSec, StartUsec uint64

	// Heartbeat makes the time stamps of 1.0 short. Compact channels need it. In their words the
	// time loses its TSCLSB low bits, and then has TSCBits. The data begin at CompactShift.
	Heartbeat                     bool
	TSCLSB, TSCBits, CompactShift uint
	// Sized adds the size to the header of every event of 2.x, as debugging kernels did.
	Sized bool
}

// Writer writes a trace as the tracers of the time did (lttng.md 10). It is for tests and tools,
// and not fast.
type Writer struct {
	layout Layout
	create func(name string) (io.WriteCloser, error)
	order  byteOrder
	files  map[string][]*channelFile // by channel, one file per processor
	names  []string                  // of channels
	core   []*Mark
	ids    map[string]uint16 // the next id, by channel or "" for all
	known  map[[2]string]bool
	now    uint64 // the last time stamp of any file
	closed bool
}

// byteOrder writes numbers at a place, and at the end.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Mark is a marker whose events a Writer writes.
type Mark struct {
	Marker  *Marker
	channel string // channel of its files, with flight- and folders
}

// compactChannel is the name of the files of compact events.
const compactChannel = "compact"

// NewWriter begins a trace. create creates its files. Names have slashes. CreateIn returns such a
// function for a directory.
func NewWriter(create func(name string) (io.WriteCloser, error), l Layout) (*Writer, error) {
	if l.Dialect < V10 || l.Dialect > Seed {
		return nil, fmt.Errorf("lttng: no writer for traces of %s: %w", l.Dialect, ErrVersion)
	}
	w, err := newWriter(create, l)
	if err != nil {
		return nil, err
	}
	return w, w.announceCore()
}

// newWriter checks a layout.
func newWriter(create func(name string) (io.WriteCloser, error), l Layout) (*Writer, error) {
	l.Scale = max(l.Scale, 1)
	switch {
	case l.WordSize != 4 && l.WordSize != 8:
		return nil, fmt.Errorf("lttng: a word of %d bytes", l.WordSize)
	case l.Alignment != 0 && l.Alignment != l.WordSize:
		return nil, fmt.Errorf("lttng: an alignment of %d bytes with words of %d", l.Alignment, l.WordSize)
	case l.BlockSize < pageSize || l.BlockSize > maxBlock || l.BlockSize&(l.BlockSize-1) != 0:
		return nil, fmt.Errorf("lttng: sub-buffers of %d bytes", l.BlockSize)
	case l.CPUs < 1 || l.Freq == 0:
		return nil, fmt.Errorf("lttng: %d processors, %d Hz", l.CPUs, l.Freq)
	case l.TSCLSB+l.TSCBits > 32 || l.TSCBits > l.CompactShift || l.CompactShift > 32:
		return nil, fmt.Errorf("lttng: compact words with %d bits of time, %d cut off, data from %d on", l.TSCBits,
			l.TSCLSB, l.CompactShift)
	}
	if !l.Heartbeat || l.CompactShift == 0 { // no compact channels
		l.TSCLSB, l.TSCBits, l.CompactShift = 0, 32, 0
	}
	w := &Writer{
		layout: l, create: create, order: binary.LittleEndian, now: l.StartTSC,
		files: map[string][]*channelFile{}, ids: map[string]uint16{}, known: map[[2]string]bool{},
	}
	if l.BigEndian {
		w.order = binary.BigEndian
	}
	return w, nil
}

// CreateIn returns a function that creates files in a directory.
func CreateIn(dir string) func(name string) (io.WriteCloser, error) {
	return func(name string) (io.WriteCloser, error) {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return nil, err
		}
		return os.Create(full)
	}
}

// metadata returns the channel of the descriptions.
func (l *Layout) metadata() string {
	switch {
	case l.Dialect.perChannel():
		return "metadata"
	case l.Dialect >= V20 && l.Dialect != Seed:
		return "control/metadata"
	}
	return "control/facilities"
}

// sizes returns the sizes of types for every marker.
func (l *Layout) sizes() sizes {
	return sizes{int: 4, long: l.WordSize, pointer: l.WordSize, sizeT: l.WordSize, alignment: l.Alignment}
}

// announceCore describes the markers that describe markers.
func (w *Writer) announceCore() error {
	channel := w.layout.metadata()
	for id, d := range w.layout.Dialect.core() {
		m, err := w.newMark(channel, w.layout.Dialect.coreChannel(), d.name, d.format, uint16(id))
		if err != nil {
			return err
		}
		w.core = append(w.core, m)
	}
	if err := w.open(channel); err != nil {
		return err
	}
	for _, m := range w.core {
		if err := w.announce(m); err != nil {
			return err
		}
	}
	w.ids[w.layout.Dialect.coreChannel()] = uint16(len(w.core))
	if w.layout.Dialect.heartbeats() {
		w.ids[""] = lastCompact + 1
	}
	w.ids[compactChannel] = firstCompact
	return nil
}

// Marker adds a marker. From 2.3 on, its channel is a name such as kernel. Before that, it is the
// path of the files without the processor, such as cpu or control/processes. In the channel compact
// of 1.0, its events are compact.
func (w *Writer) Marker(channel, name, format string) (*Mark, error) {
	dialect := w.layout.Dialect
	compact := channel == compactChannel && dialect.heartbeats()
	space, shown := "", ""
	switch {
	case !fs.ValidPath(channel) || name == "":
		return nil, fmt.Errorf("lttng: channel %q, marker %q", channel, name)
	case dialect.perChannel():
		shown = strings.TrimPrefix(channel, "flight-")
		space = shown
	case compact:
		space = compactChannel
	}
	if compact && w.layout.CompactShift == 0 {
		return nil, errors.New("lttng: a compact channel without room for data in its words: set Heartbeat and CompactShift")
	}
	id := w.ids[space]
	last := 0xFFFE
	if compact {
		last = min(lastCompact, 1<<(w.layout.CompactShift-w.layout.TSCBits)-1)
	}
	switch {
	case int(id) > last:
		return nil, fmt.Errorf("lttng: no id is left for marker %s", name)
	case w.known[[2]string{shown, name}]:
		return nil, fmt.Errorf("lttng: a second marker %s", name)
	}
	m, err := w.newMark(channel, shown, name, format, id)
	if err != nil {
		return nil, err
	}
	w.ids[space]++
	w.known[[2]string{shown, name}] = true
	if err := w.open(channel); err != nil {
		return nil, err
	}
	return m, w.announce(m)
}

func (w *Writer) newMark(files, channel, name, format string, id uint16) (*Mark, error) {
	for _, s := range []string{channel, name, format} {
		if strings.IndexByte(s, 0) >= 0 {
			return nil, fmt.Errorf("lttng: a NUL in %q", s)
		}
	}
	s := w.layout.sizes()
	m := &Marker{Channel: channel, Name: name, ID: id, Format: format, Int: s.int, Long: s.long, Pointer: s.pointer,
		SizeT: s.sizeT, Alignment: s.alignment}
	m.payload.packed = w.layout.Dialect.heartbeats() && id >= firstCompact && id <= lastCompact
	s.alignment = m.FieldAlignment()
	m.Fields, m.state.broken = layOut(format, s, w.layout.Dialect.natural())
	if m.state.broken != nil {
		return nil, fmt.Errorf("lttng: marker %s: %w", name, m.state.broken)
	}
	m.finish()
	return &Mark{m, files}, nil
}

// announce writes the two events that describe a marker.
func (w *Writer) announce(m *Mark) error {
	s := w.layout.sizes()
	id := []any{m.Marker.Name, m.Marker.ID, s.int, s.long, s.pointer, s.sizeT, s.alignment}
	format := []any{m.Marker.Name, m.Marker.Format}
	if w.layout.Dialect.perChannel() {
		id = append([]any{m.Marker.Channel}, id...)
		format = append([]any{m.Marker.Channel}, format...)
	}
	if err := w.Event(0, w.core[coreID], w.now, id...); err != nil {
		return err
	}
	return w.Event(0, w.core[coreFormat], w.now, format...)
}

// open makes the files of a channel.
func (w *Writer) open(channel string) error {
	if w.files[channel] != nil {
		return nil
	}
	w.names = append(w.names, channel)
	for cpu := range w.layout.CPUs {
		out, err := w.create(fmt.Sprintf("%s_%d", channel, cpu))
		if err != nil {
			return err
		}
		f := newChannelFile(w, out, channel == compactChannel && w.layout.Dialect.heartbeats())
		w.files[channel] = append(w.files[channel], f)
		if w.layout.Dialect.heartbeats() && w.layout.Heartbeat {
			if err := f.beat(w.now); err != nil {
				return err
			}
		}
	}
	return nil
}

// Event writes one event. There is one value for each field: an integer of any type, a string, or
// nil for a string without an address. Integers are cut to the size of their field. Time stamps of
// a file must not step back.
func (w *Writer) Event(cpu int, m *Mark, tsc uint64, values ...any) error {
	files := w.files[m.channel]
	if cpu < 0 || cpu >= len(files) {
		return fmt.Errorf("lttng: processor %d of %d", cpu, len(files))
	}
	payload, data, err := w.payload(m.Marker, files[cpu].compact, values)
	if err != nil {
		return err
	}
	w.now = max(w.now, tsc)
	return files[cpu].write(event{tsc: tsc, marker: m.Marker, data: payload}, data)
}

// Flush ends the sub-buffer of a file, as a tracer does when its data are requested.
func (w *Writer) Flush(cpu int, m *Mark) error {
	files := w.files[m.channel]
	if cpu < 0 || cpu >= len(files) {
		return fmt.Errorf("lttng: processor %d of %d", cpu, len(files))
	}
	return files[cpu].flush(w.now)
}

// Lose counts events as lost after the last one of a file, as a tracer did if there was no room for
// them. Headers of 2.2 and later have the total.
func (w *Writer) Lose(cpu int, m *Mark, events uint32) error {
	files := w.files[m.channel]
	switch {
	case cpu < 0 || cpu >= len(files):
		return fmt.Errorf("lttng: processor %d of %d", cpu, len(files))
	case w.layout.headerSize() < countedHeader:
		return fmt.Errorf("lttng: headers of %s do not count lost events: %w", w.layout.Dialect, ErrVersion)
	}
	f := files[cpu]
	f.lost += events
	return f.flush(w.now) // later events have room in the next sub-buffer
}

// Close ends all files. Files without events have one empty sub-buffer.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	var bad []error
	for _, name := range w.names {
		for _, f := range w.files[name] {
			if f.pending() || f.blocks == 0 {
				bad = append(bad, f.flush(f.tsc))
			}
			bad = append(bad, f.out.Close())
		}
	}
	return errors.Join(bad...)
}
