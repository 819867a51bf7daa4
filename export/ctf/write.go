package ctf

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// Options select the form of a trace.
type Options struct {
	Version string // "2", which is the default, or "1.8"
	Text    bool   // add the text of events as a field
	Tracer  string // the recording system, for the environment
	Tool    string // the writing program and its version
}

// ErrTaken reports a directory that holds something other than a trace.
var ErrTaken = errors.New("exists and is not a trace: nothing is replaced")

// Classes of streams: of processors, and of threads.
const (
	cpuStreams    = 0
	threadStreams = 1
)

// Write writes the events of r to a directory. It creates the directory completely or not at all.
// It replaces an existing trace. r needs threads (tracec.WithThreads). Write returns the first
// error of writing, or, after all other events are written, the errors of reading the recording.
// gaps is the number of places where an unknown number of events was lost.
func Write(dir string, r *tracec.Reader, o Options) (gaps int64, err error) {
	if err := free(dir); err != nil {
		return 0, err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".*")
	if err != nil {
		return 0, err
	}
	kept := fileset.Temporary(tmp)
	defer func() {
		err = errors.Join(err, os.RemoveAll(tmp)) // already renamed if all went well
		kept()
	}()
	w := newWriter(tmp, r, o)
	failed := w.all()
	if w.err != nil {
		return 0, w.err
	}
	if err := os.WriteFile(filepath.Join(tmp, "metadata"), w.metadata(), 0o666); err != nil {
		return 0, err
	}
	return w.gaps, errors.Join(place(tmp, dir), failed)
}

// free reports an error if a trace must not be written to a directory.
func free(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && (len(list) == 0 || ctf.IsTrace(os.DirFS(dir))) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("%s %w", dir, ErrTaken)
	}
	return err
}

// place renames a finished directory.
func place(tmp, dir string) error {
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	old := tmp + ".old"
	err := os.Rename(dir, old)
	if errors.Is(err, os.ErrNotExist) {
		return os.Rename(tmp, dir)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// writer is the state of one call of Write.
type writer struct {
	dir     string
	r       *tracec.Reader
	o       Options
	machine *record.Machine
	context bool // events have their thread as context
	cpus    bool // events have their processor
	uuid    [16]byte
	streams map[[3]int32]*stream // by class, number, and how often times stepped back
	order   []*stream
	classes [][]*event // by the number of the type, for each set of fields
	events  []*event
	used    [2]bool // used classes of streams
	has     []bool  // fields of the current event, or whether it has only bytes
	waiting int     // number of bytes in the buffers of streams
	gaps    int64   // number of places where an unknown number of events was lost
	err     error
}

func newWriter(dir string, r *tracec.Reader, o Options) *writer {
	m := r.Recording().Machine()
	_, own := r.Recording().(*ctf.Recording)
	w := &writer{dir: dir, r: r, o: o, machine: &m, context: !own, cpus: !r.Exits(), streams: map[[3]int32]*stream{}}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %+v %+v", r.Recording().Name(), m, o))
	copy(w.uuid[:], sum[:])
	// The UUID is a hash of the name, the machine and the options: version 8 of RFC 9562.
	w.uuid[6], w.uuid[8] = w.uuid[6]&0x0f|0x80, w.uuid[8]&0x3f|0x80
	return w
}

// all writes all events. It returns the error of reading.
func (w *writer) all() error {
	for ev := range w.r.All() {
		if w.err = w.event(ev); w.err != nil {
			return nil
		}
	}
	for _, s := range w.order {
		if w.err = s.flush(w.dir); w.err != nil {
			return nil
		}
	}
	return w.r.Err()
}

// event adds an event to the packet of its stream.
func (w *writer) event(ev *tracec.Event) error {
	s := w.stream(ev)
	if ev.Lost != 0 || len(s.buffer) > packetSize {
		if err := w.cut(s, ev); err != nil {
			return err
		}
	}
	before := len(s.buffer)
	if before == 0 {
		s.open(w.uuid, ev.Time)
	}
	e := w.class(ev)
	e.used[s.class] = true
	s.buffer = le.AppendUint64(le.AppendUint32(s.buffer, e.id), ev.Time)
	if w.context {
		s.buffer = le.AppendUint32(le.AppendUint32(s.buffer, uint32(ev.Process())), uint32(ev.Task))
		n := len(s.buffer)
		s.buffer = append(ended(append(s.buffer, ev.Comm()...), n), 0)
	}
	s.buffer = e.append(s.buffer, ev)
	s.end = ev.Time
	if w.waiting += len(s.buffer) - before; w.waiting < bufferSize {
		return nil
	}
	for _, s := range w.order {
		if err := w.flush(s); err != nil {
			return err
		}
		s.buffer = nil
	}
	return nil
}

// cut ends the packet of a stream before an event. Losses are the difference of two packets, so a
// loss before the first event needs an empty packet before it. CTF cannot record an unknown number
// of lost events. A missing packet represents it: the sequence number of the next packet skips one,
// and readers report a lost packet (docs/spec/ctf.md 5.4).
func (w *writer) cut(s *stream, ev *tracec.Event) error {
	if s.sequence == 0 && len(s.buffer) == 0 {
		s.open(w.uuid, ev.Time)
		s.end = ev.Time
		w.waiting += len(s.buffer)
	}
	if err := w.flush(s); err != nil {
		return err
	}
	if ev.Lost == record.LostUnknown {
		s.sequence++
		w.gaps++
	} else {
		s.lost += uint64(ev.Lost)
	}
	return nil
}

func (w *writer) flush(s *stream) error {
	w.waiting -= len(s.buffer)
	return s.flush(w.dir)
}

// maxBack bounds the number of streams of a processor or thread whose times step back.
const maxBack = 64

// stream returns the stream of an event. Times in a stream never step back in CTF. An event earlier
// than the last one of its stream is in another stream.
func (w *writer) stream(ev *tracec.Event) *stream {
	key := [3]int32{cpuStreams, ev.CPU}
	if ev.CPU < 0 || !w.cpus {
		key = [3]int32{threadStreams, ev.Task}
	}
	for {
		s := w.streams[key]
		if s == nil {
			s = &stream{name: streamName(key), number: uint64(key[2])<<32 | uint64(uint32(key[1])),
				class: uint32(key[0]), cpu: ev.CPU}
			w.streams[key], w.order, w.used[key[0]] = s, append(w.order, s), true
		}
		if ev.Time >= s.end || key[2] == maxBack {
			return s
		}
		key[2]++
	}
}

// class returns the class of an event. It depends on the type of the event and on its fields.
func (w *writer) class(ev *tracec.Event) *event {
	w.has = w.has[:0]
	for i := range ev.Type.Fields {
		_, ok := ev.At(i)
		w.has = append(w.has, ok)
	}
	if len(w.has) == 0 {
		w.has = append(w.has, len(ev.Data) > 0)
	}
	for len(w.classes) <= ev.Type.Number {
		w.classes = append(w.classes, nil)
	}
	for _, e := range w.classes[ev.Type.Number] {
		if slices.Equal(e.has, w.has) {
			return e
		}
	}
	e := newEvent(uint32(len(w.events)), ev.Type, w.has, w.r.Exits(), w.o.Text, !w.context)
	w.events = append(w.events, e)
	w.classes[ev.Type.Number] = append(w.classes[ev.Type.Number], e)
	return e
}

// form is the format of the metadata in a version.
type form interface {
	trace(w *writer)
	clock(w *writer)
	stream(class int, context bool)
	event(e *event, class int)
	bytes() []byte
}

// metadata describes the written events.
func (w *writer) metadata() []byte {
	var f form = &jsonForm{}
	if w.o.Version == "1.8" {
		f = &tsdlForm{}
	}
	f.trace(w)
	f.clock(w)
	for class := range w.used {
		if !w.used[class] {
			continue
		}
		f.stream(class, w.context)
		for _, e := range w.events {
			if e.used[class] {
				f.event(e, class)
			}
		}
	}
	return f.bytes()
}

// variable is a fact about the recorded machine.
type variable struct{ name, value string }

// environment returns the known facts about the machine, under LTTng's names.
func (w *writer) environment() (list []variable) {
	m := w.machine
	for _, v := range []variable{
		{"hostname", m.Host}, {"sysname", m.System}, {"kernel_release", m.Release}, {"machine", m.Arch},
		{"tracer_name", w.o.Tracer}, {"clock_name", m.Clock}, {"converted_by", w.o.Tool},
	} {
		if v.value != "" {
			list = append(list, v)
		}
	}
	return list
}

// origin returns the distance of time 0 from the Unix epoch, or zeros if it is unknown.
func (w *writer) origin() (seconds, ns int64, known bool) {
	if !w.machine.HasWall || w.machine.Ticks {
		return 0, 0, false
	}
	seconds, ns = w.machine.Wall/1e9, w.machine.Wall%1e9
	if ns < 0 {
		seconds, ns = seconds-1, ns+1e9
	}
	return seconds, ns, true
}

// clockText describes the clock.
func (w *writer) clockText() string {
	if w.machine.Ticks {
		return "units of unknown length"
	}
	return "nanoseconds"
}

// uuidText formats the UUID.
func (w *writer) uuidText() string {
	u := w.uuid
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
