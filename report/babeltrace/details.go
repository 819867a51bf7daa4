package babeltrace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/render"
)

// DetailsOptions are the parameters of sink.text.details.
type DetailsOptions struct {
	Metadata, Data bool // whether metadata and messages are printed
	// The parts of metadata and messages that are printed. ID selects the UUIDs, in 2.1 the
	// namespaces and UIDs.
	Time, TraceName, StreamClassName, StreamName, ID bool
	// Compact prints each message on one line, without fields.
	Compact bool
	// Old prints UUIDs, clocks and paths of fields as 2.0 does.
	Old bool
}

// DefaultDetails returns the default parameters of babeltrace2.
func DefaultDetails() DetailsOptions {
	return DetailsOptions{Metadata: true, Data: true, Time: true, TraceName: true, StreamClassName: true,
		StreamName: true, ID: true}
}

// SetParams sets the parameters, other than color.
func (o *DetailsOptions) SetParams(list []Param) error {
	for _, p := range list {
		to := map[string]*bool{"with-metadata": &o.Metadata, "with-data": &o.Data,
			"compact": &o.Compact, "with-time": &o.Time,
			"with-trace-name": &o.TraceName, "with-stream-class-name": &o.StreamClassName,
			"with-stream-name": &o.StreamName, "with-uid": &o.ID, "with-uuid": &o.ID}[p.Name]
		if to == nil {
			return report.Usagef("sink.text.details has no parameter %s here", p.Name)
		}
		var err error
		if *to, err = parseSwitch(p); err != nil {
			return err
		}
	}
	return nil
}

// PrintDetails prints the metadata and the messages of a recording, as sink.text.details does.
func PrintDetails(ctx context.Context, job *report.Job, o *DetailsOptions, g *Graph) error {
	return withMessages(ctx, job, g, o.Old, func(rec *ctf.Recording, senders []*sender) error {
		dir, err := filepath.Abs(job.Path)
		if err != nil || len(job.More) > 0 {
			dir = ""
		}
		d := &detailed{DetailsOptions: *o, paint: job.Style, rec: rec, dir: dir, senders: senders,
			traces: map[string]int{}, told: map[string]bool{}, events: map[*ctf.Event]*programs.Program{},
			packets: map[*metadata.Stream]*programs.Program{},
			print: programs.NewPrinter(&render.Env{BigEndian: compiler.Target.BigEndian,
				WordSize: compiler.Target.WordSize})}
		err = each(ctx, senders, func(s *sender, m *message) error {
			d.out.Reset()
			d.message(s, m)
			_, err := job.Out.Write(d.out.Bytes())
			return err
		})
		d.tell(job)
		return err
	})
}

// detailed prints messages.
type detailed struct {
	DetailsOptions
	paint   style.Style
	rec     *ctf.Recording
	dir     string // of the recording; empty if paths of files begin with it
	senders []*sender
	out     bytes.Buffer
	any     bool            // something is printed
	traces  map[string]int  // their numbers, by identity
	told    map[string]bool // traces whose metadata are printed
	events  map[*ctf.Event]*programs.Program
	packets map[*metadata.Stream]*programs.Program
	print   *programs.Printer
	text    []byte
}

// separate begins a part, after an empty line.
func (d *detailed) separate() {
	if d.any {
		d.out.WriteByte('\n')
	}
	d.any = true
}

func (d *detailed) message(s *sender, m *message) {
	t := s.stream.File().Trace()
	id, known := d.traces[t.Identity()]
	if !known {
		id = len(d.traces)
		d.traces[t.Identity()] = id
	}
	if d.Metadata && !d.told[t.Identity()] {
		d.told[t.Identity()] = true
		d.separate()
		d.describe(t)
		if d.Compact && d.Data {
			d.out.WriteByte('\n')
		}
	}
	if !d.Data {
		return
	}
	if d.Compact {
		d.short(s, m, id)
		return
	}
	d.separate()
	d.heading(s, m)
	fmt.Fprintf(&d.out, "{Trace %d, Stream class ID %s, Stream ID %s}\n", id, groups(s.stream.Class()),
		groups(s.stream.ID()))
	switch m.kind {
	case streamBegin:
		d.begin(s, t)
	case streamEnd:
		d.out.WriteString("Stream end\n")
	case packetBegin:
		d.out.WriteString("Packet beginning")
		d.packet(m.packet)
	case packetEnd:
		d.out.WriteString("Packet end\n")
	case lostEvents, lostPackets:
		d.lost(m)
	case anEvent:
		e := m.entry.Event
		fmt.Fprintf(&d.out, "Event `%s` (Class ID %s):", d.paint.Append(nil, style.Event, e.Name.Name), groups(e.ID))
		d.out.Write(d.fields(d.program(e), m.event.Data))
		d.out.WriteByte('\n')
	}
}

// heading prints the time of a message.
func (d *detailed) heading(s *sender, m *message) {
	if !d.Time {
		return
	}
	switch clock := d.clockOf(s); {
	case clock && m.open():
		d.out.WriteString("[Unknown]\n")
	case !m.from.Known:
		return
	}
	d.times(m, "[%s cycles, %s ns from origin]\n")
}

// times prints the times of a message. They must be known.
func (d *detailed) times(m *message, format string) {
	for _, at := range [...]ctf.Moment{m.from, m.to} {
		if at.Known {
			fmt.Fprintf(&d.out, format, grouped(int64(at.Cycles)), grouped(at.Time))
		}
	}
}

// clockOf reports whether messages of a stream have times.
func (d *detailed) clockOf(s *sender) bool {
	for _, c := range s.stream.File().Trace().Streams {
		if c.ID == s.stream.Class() {
			return c.Clock != nil
		}
	}
	return false
}

// groups and grouped return a number with its digits in groups.
func groups(n uint64) string { return string(render.BtNumber(nil, nil, n, 10)) }

func grouped(n int64) string { return string(render.BtNumber(nil, nil, uint64(n), 10|render.BtSigned)) }

// lost prints a loss.
func (d *detailed) lost(m *message) {
	what := "event"
	if m.kind == lostPackets {
		what = "packet"
	}
	fmt.Fprintf(&d.out, "Discarded %ss", what)
	if m.count > 0 {
		fmt.Fprintf(&d.out, " (%s %ss)", groups(m.count), what)
	}
	d.out.WriteByte('\n')
}

// begin prints the beginning of a stream, with the trace and its streams.
func (d *detailed) begin(s *sender, t *ctf.Trace) {
	d.out.WriteString("Stream beginning:\n")
	if d.StreamName {
		fmt.Fprintf(&d.out, "  Name: %s\n", streamName(d.dir, s.stream.File()))
	}
	d.out.WriteString("  Trace")
	if d.TraceName {
		fmt.Fprintf(&d.out, " `%s`", d.rec.TraceName(t))
	}
	if id := traceID(t); d.ID && id != "" && !d.Old {
		fmt.Fprintf(&d.out, " (%s)", id)
	}
	d.out.WriteString(":\n")
	if d.Old && d.ID && t.UUID != "" {
		fmt.Fprintf(&d.out, "    UUID: %s\n", t.UUID)
	}
	d.environment(t)
	var streams []*ctf.Stream
	for _, x := range d.senders {
		if x.stream.File().Trace().Identity() == t.Identity() {
			streams = append(streams, x.stream)
		}
	}
	slices.SortFunc(streams, func(a, b *ctf.Stream) int {
		return cmp.Or(cmp.Compare(a.ID(), b.ID()), cmp.Compare(a.Class(), b.Class()))
	})
	for _, x := range streams {
		fmt.Fprintf(&d.out, "    Stream (ID %s, Class ID %s)\n", groups(x.ID()), groups(x.Class()))
	}
}

func (d *detailed) environment(t *ctf.Trace) {
	if len(t.Environment) == 0 {
		return
	}
	fmt.Fprintf(&d.out, "    Environment (%s):\n", several(len(t.Environment), "entry", "entries"))
	list := slices.SortedFunc(slices.Values(t.Environment),
		func(a, b metadata.Variable) int { return strings.Compare(a.Name, b.Name) })
	for _, v := range list {
		text := v.Text
		if !v.IsText {
			text = grouped(v.Number)
		}
		fmt.Fprintf(&d.out, "      %s: %s\n", v.Name, text)
	}
}

func several(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(int64(n)) + " " + more
}

// traceID returns the identity of a trace.
func traceID(t *ctf.Trace) string {
	var parts []string
	uid := t.Name.UID
	if t.Version == 1 {
		uid = t.UUID
	}
	for _, p := range [...][2]string{{"Namespace", t.Namespace()}, {"UID", uid}} {
		if p[1] != "" {
			parts = append(parts, fmt.Sprintf("%s `%s`", p[0], p[1]))
		}
	}
	return strings.Join(parts, ", ")
}

// packet prints the end of the previous line and the context of a packet.
func (d *detailed) packet(p *ctf.Packet) {
	of, ok := d.packets[p.Class]
	if !ok {
		if ev, err := compiler.CompilePacketDetails(p.Class.PacketContext, p.Form); ev != nil {
			of = programs.NewProgram(ev, compiler.Target, err, d.rec.HoldFor)
		}
		d.packets[p.Class] = of
	}
	if text := d.fields(of, p.Context); len(text) > 0 {
		d.out.WriteByte(':')
		d.out.Write(text)
	}
	d.out.WriteByte('\n')
}

// fields returns the lines of fields. Each begins with the end of the previous line.
func (d *detailed) fields(p *programs.Program, data []byte) []byte {
	if d.text = d.text[:0]; p != nil {
		d.text = d.print.Append(d.text, p, data)
	}
	return d.text
}

// program returns the program of the fields of an event.
func (d *detailed) program(e *ctf.Event) *programs.Program {
	p := d.events[e]
	if p == nil {
		ev, err := compiler.CompileDetails(e)
		p = programs.NewProgram(ev, compiler.Target, err, d.rec.HoldFor)
		d.events[e] = p
	}
	return p
}

// tell reports the events without a text, and the reasons.
func (d *detailed) tell(job *report.Job) {
	for _, e := range d.rec.Events() {
		if p := d.events[e]; p != nil && p.Err != nil {
			job.Warn(fmt.Errorf("%s: fields of %s are not printed: %w", d.rec.Name(), e.Name.Name, p.Err))
			job.Incomplete = true
		}
	}
	for _, p := range d.packets {
		if p != nil && p.Err != nil {
			job.Warn(fmt.Errorf("%s: contexts of packets are not printed: %w", d.rec.Name(), p.Err))
			job.Incomplete = true
		}
	}
}
