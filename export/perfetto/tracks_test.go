package perfetto_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// trackEvent is a decoded TrackEvent.
type trackEvent struct {
	kind           uint64
	time           uint64
	track          message // its descriptor at that time
	name, category string
	values         []string
	count          uint64 // value of a counter
}

// trackReader decodes packets of tracks.
type trackReader struct {
	t        testing.TB
	now      uint64
	tracks   map[uint64]message
	interned map[protowire.Number]map[uint64]string
	first    uint64 // the default track
}

// decodeTracks decodes a trace of tracks.
func decodeTracks(t testing.TB, b []byte) (list []trackEvent) {
	t.Helper()
	r := &trackReader{t: t, tracks: map[uint64]message{},
		interned: map[protowire.Number]map[uint64]string{1: {}, 2: {}, 3: {}}}
	for _, packet := range decode(t, b)[1] {
		p := decode(t, packet.data)
		if p.num(10) != 1 {
			t.Fatal("a packet of another sequence")
		}
		if d := p.sub(t, 59); d != nil {
			r.first = d.sub(t, 11).num(11)
		}
		if c := p.sub(t, 6); c != nil {
			r.now = p.num(8)
		}
		if d := p.sub(t, 60); d != nil {
			r.tracks[d.num(1)] = d
		}
		for field, entries := range p.sub(t, 12) {
			for _, e := range entries {
				m := decode(t, e.data)
				r.interned[field][m.num(1)] = m.text(2)
			}
		}
		if ev := p.sub(t, 11); ev != nil {
			list = append(list, r.event(p, ev))
		}
	}
	return list
}

func (r *trackReader) event(p, ev message) trackEvent {
	e := trackEvent{kind: ev.num(9), time: p.num(8), count: ev.num(30)}
	if p[58] == nil { // of the clock of the sequence
		r.now += e.time
		e.time = r.now
	}
	track := r.first
	if v := ev[11]; v != nil {
		track = v[0].num
	}
	if e.track = r.tracks[track]; e.track == nil {
		r.t.Fatalf("no descriptor of track %d", track)
	}
	if v := ev[10]; v != nil {
		e.name = r.text(2, v[0].num)
		e.category = r.text(1, ev.num(3))
	}
	for _, v := range ev[4] {
		m := decode(r.t, v.data)
		e.values = append(e.values, r.text(3, m.num(1))+"="+r.annotated(m))
	}
	return e
}

func (r *trackReader) text(field protowire.Number, id uint64) string {
	s, ok := r.interned[field][id]
	if !ok {
		r.t.Fatalf("text %d of %d is not interned", id, field)
	}
	return s
}

// annotated returns the value of a DebugAnnotation.
func (r *trackReader) annotated(m message) string {
	for field, v := range m {
		switch field {
		case 2, 3:
			return fmt.Sprint(v[0].num)
		case 4:
			return fmt.Sprint(int64(v[0].num))
		case 5:
			return fmt.Sprint(math.Float64frombits(v[0].num))
		case 6:
			return string(v[0].data)
		case 7:
			return fmt.Sprintf("0x%x", v[0].num)
		case 12:
			list := []string{}
			for _, e := range v {
				list = append(list, r.annotated(decode(r.t, e.data)))
			}
			return fmt.Sprint(list)
		case 11:
			list := []string{}
			for _, e := range v {
				entry := decode(r.t, e.data)
				list = append(list, r.text(3, entry.num(1))+"="+r.annotated(entry))
			}
			return "{" + strings.Join(list, " ") + "}"
		}
	}
	return "[]"
}

// others returns the recordings of other systems in testdata.
func others(t *testing.T) (names []string) {
	for _, pattern := range []string{"uftrace/*/data.tar.gz", "uftrace-options/*/data.tar.gz", "lttng/*/*.tar.xz",
		"aix/*.trc"} {
		list, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		names = append(names, list...)
	}
	return names
}

// TestTracks decodes the trace of each recording and compares it with its timeline.
func TestTracks(t *testing.T) {
	for _, name := range others(t) {
		t.Run(strings.TrimPrefix(name, "../../testdata/"), func(t *testing.T) {
			if compareTracks(t, open(t, name)) == 0 {
				t.Error("no events")
			}
		})
	}
}

// TestDamagedTracks does the same with damaged files.
func TestDamagedTracks(t *testing.T) {
	whole, err := os.ReadFile("../../testdata/aix/shop64.trc")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(2, 3))
	events := 0
	for range needs.Cases(t, 10, 40) {
		damaged := bytes.Clone(whole)[:len(whole)/2+random.IntN(len(whole)/2)]
		for range random.IntN(30) {
			damaged[64+random.IntN(len(damaged)-64)] ^= byte(1 + random.IntN(255))
		}
		file := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(file, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		rec, err := tracec.Open(t.Context(), file)
		if err != nil {
			continue
		}
		events += compareTracks(t, rec)
		rec.Close()
	}
	if events == 0 {
		t.Error("no events")
	}
}

// compareTracks compares a recording with its trace, and returns the number of events.
func compareTracks(t *testing.T, rec record.Recording) int {
	t.Helper()
	list := slices.DeleteFunc(decodeTracks(t, export(t, rec)), func(e trackEvent) bool { return e.kind == 4 })
	tl, err := timeline.New(newReader(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	open := map[*timeline.Track][]*timeline.Name{}
	for it := range tl.All() {
		if n >= len(list) {
			t.Fatalf("%d events, and there are more", n)
		}
		if it.Kind == timeline.Begin && it.Span.Unseen { // a span with an unseen begin is written when it ends
			open[it.Track] = append(open[it.Track], nil)
			continue
		}
		if it.Kind == timeline.End && it.Span.Unseen {
			e := list[n]
			n++
			if e.kind != 1 || e.time > it.Time || e.name != utf8Text(it.Name.Text) ||
				fmt.Sprint(e.values) != "[unseen=1]" {
				t.Fatalf("%+v, want the begin of %s", e, it.Name.Text)
			}
		}
		e := list[n]
		n++
		if want := map[timeline.Kind]uint64{timeline.Begin: 1, timeline.End: 2,
			timeline.Instant: 3}[it.Kind]; e.kind != want || e.time != it.Time {
			t.Fatalf("%+v, want kind %d at %d", e, want, it.Time)
		}
		if it.Kind != timeline.End && (e.name != utf8Text(it.Name.Text) || e.category != utf8Text(it.Name.Category)) {
			t.Fatalf("%+v, want %+v", e, it.Name)
		}
		compareTrack(t, e.track, it.Track)
		var values []string
		switch last := len(open[it.Track]) - 1; it.Kind {
		case timeline.Begin:
			open[it.Track] = append(open[it.Track], it.Name)
		case timeline.End:
			if was := open[it.Track][last]; was != nil && was != it.Name {
				values = append(values, "name="+utf8Text(it.Name.Text))
			}
			open[it.Track] = open[it.Track][:last]
		}
		if want := append(values, wantedValues(it)...); fmt.Sprint(want) != fmt.Sprint(e.values) {
			t.Fatalf("%s: %q, want %q", it.Name.Text, e.values, want)
		}
	}
	if n != len(list) {
		t.Errorf("%d events, want %d", len(list), n)
	}
	return n
}

func utf8Text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// compareTrack compares the descriptor of a track. It describes a thread if the process is known.
func compareTrack(t *testing.T, d message, tr *timeline.Track) {
	t.Helper()
	thread := d.sub(t, 4)
	if (thread != nil) != (tr.Kind == timeline.Thread && tr.Process >= 0) {
		t.Fatalf("%+v, want %+v", d, tr)
	}
	if thread != nil && (thread.num(1) != uint64(tr.Process) || thread.num(2) != uint64(tr.ID) ||
		thread.text(5) != utf8Text(tr.Name)) {
		t.Fatalf("%+v, want %+v", thread, tr)
	}
	if thread == nil && d.text(2) == "" {
		t.Fatalf("%+v has no name", d)
	}
}

// wantedValues returns the annotations of an item.
func wantedValues(it *timeline.Item) (list []string) {
	if it.Lost == record.LostUnknown {
		list = append(list, "lost=unknown")
	} else if it.Lost != 0 {
		list = append(list, fmt.Sprint("lost=", it.Lost))
	}
	if it.Kind == timeline.Begin && it.Span.Unseen {
		list = append(list, "unseen=1")
	}
	if it.Kind == timeline.End && it.Span.Cut {
		list = append(list, "cut=1")
	}
	if it.Event == nil {
		return list
	}
	if it.Event.CPU >= 0 && it.Track.Kind == timeline.Thread && it.Kind != timeline.End {
		list = append(list, fmt.Sprint("processor=", it.Event.CPU))
	}
	if len(it.Event.Type.Fields) == 0 && len(it.Event.Data) > 0 {
		list = append(list, fmt.Sprintf("data=%x", it.Event.Data))
	}
	for f, v := range it.Event.Fields() {
		if f.Common {
			continue
		}
		text := utf8Text(string(v.AppendShown(nil)))
		if v.Kind() == tracec.Float {
			text = fmt.Sprint(v.Float())
		}
		list = append(list, f.Name+"="+text)
		if name, ok := v.AppendName(nil); ok {
			list = append(list, f.Name+"_name="+utf8Text(string(name)))
		}
	}
	return list
}

// TestCounters: values that uftrace reads at calls are counters.
func TestCounters(t *testing.T) {
	rec := open(t, "../../testdata/uftrace/events/data.tar.gz")
	var got, want []string
	for _, e := range decodeTracks(t, export(t, rec)) {
		if e.kind == 4 {
			got = append(got, fmt.Sprint(e.time, " ", e.track.text(2), " ", e.count, " ", e.track.num(5)))
		}
	}
	for ev := range newReader(t, rec).All() {
		if of, ok := strings.CutPrefix(ev.Type.Name, "read:"); ok && ev.Type.System == "uftrace" {
			for f, v := range ev.Fields() {
				want = append(want, fmt.Sprint(ev.Time, " ", of, " ", f.Name, " ", v.Uint(), " 1"))
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
		t.Errorf("-want +got:\n%s", d)
	}
}
