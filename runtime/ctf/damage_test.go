package ctf_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/ctftest/repeat"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// line is an event in the form that tests compare.
func line(r *record.Record, e *ctf.Entry) string {
	return fmt.Sprintf("%d %d %s %d %x lost %d\n", r.Stream, r.Time, e.Event.Name.Name, e.Offset, r.Data, r.Lost)
}

// read returns the events that options select, and the damage.
func read(
	t testing.TB, files fstest.MapFS, o record.Options, opts ...ctf.Option,
) (events, damage []string, rec *ctf.Recording) {
	t.Helper()
	rec, err := ctf.OpenFS(files, "trace", opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	m := rec.Merge(o)
	for r, e := range m.All() {
		events = append(events, line(r, e))
	}
	if err := m.Err(); err != nil {
		damage = append(damage, err.Error())
	}
	for _, d := range rec.Damage() {
		damage = append(damage, d.Error())
	}
	return events, damage, rec
}

// change returns files with a changed copy of one.
func change(files fstest.MapFS, name string, fn func(b []byte) []byte) fstest.MapFS {
	files = maps.Clone(files)
	files[name] = &fstest.MapFile{Data: fn(slices.Clone(files[name].Data))}
	return files
}

// smallMetadata is a short description of packets like those of LTTng.
const smallMetadata = `/* CTF 1.8 */
typealias integer { size = 8; } := u8; typealias integer { size = 16; } := u16;
typealias integer { size = 32; } := u32; typealias integer { size = 64; } := u64;
trace { major = 1; minor = 8; uuid = "00112233-4455-6677-8899-aabbccddeeff"; byte_order = le;
	packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; u64 stream_instance_id; }; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 32; map = clock.c.value; } := t32; typealias integer { size = 64; map = clock.c.value; } := t64;
stream { id = 0;
	packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u64 content_size; u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
	event.header := struct { enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
		variant <id> { struct { t32 timestamp; } compact; struct { u32 id; t64 timestamp; } extended; } v; }; };
event { name = "a:number"; id = 0; stream_id = 0; fields := struct { u32 n; }; };
event { name = "a:text"; id = 1; stream_id = 0; fields := struct { string s; u32 n; }; };
event { name = "b:none"; id = 70000; stream_id = 0; fields := struct { }; };
`

const (
	headSize   = 84  // bytes of a packet before its first event
	packetSize = 512 // bytes
	eventCount = 10  // in a packet
)

// smallPacket returns packet number n of a stream. The number determines its times.
func smallPacket(stream, number, lost uint64) []byte {
	begin := number * 1000
	b := binary.LittleEndian.AppendUint32(nil, 0xc1fc1fc1)
	b = append(b, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0, 0,
		0, 0)
	for _, v := range []uint64{stream, begin, begin + 999, 0, packetSize * 8, number, lost} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(stream))
	for i := range eventCount {
		time := begin + uint64(i)*100
		if i == 5 {
			b = binary.LittleEndian.AppendUint64(append(b, 0xff, 0xff, 0x70, 0x11, 1, 0), time)
			continue
		}
		b = binary.LittleEndian.AppendUint32(append(b, byte(i%2), 0), uint32(time))
		if i%2 == 1 {
			b = append(b, fmt.Sprint("text ", number, "\x00")...)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	binary.LittleEndian.PutUint64(b[repeat.Content:], uint64(len(b))*8)
	return append(b, make([]byte, packetSize-len(b))...)
}

// small returns a trace with one stream of n packets.
func small(packets int) fstest.MapFS {
	var data []byte
	for i := range packets {
		data = append(data, smallPacket(1, uint64(i), 0)...)
	}
	return fstest.MapFS{"metadata": {Data: []byte(smallMetadata)}, "s": {Data: data}}
}

// outside returns the events that are not in a packet.
func outside(events []string, packet int) (list []string) {
	for _, e := range events {
		var stream, time, at int
		var name string
		fmt.Sscan(e, &stream, &time, &name, &at)
		if at/packetSize != packet {
			list = append(list, strings.ReplaceAll(e, "lost -1", "lost 0"))
		}
	}
	return list
}

// TestBadPacket damages the header of a packet. All other packets are read.
func TestBadPacket(t *testing.T) {
	files := small(5)
	whole, damage, _ := read(t, files, record.Options{})
	if len(whole) != 5*eventCount || damage != nil {
		t.Fatal(len(whole), damage)
	}
	put := binary.LittleEndian.PutUint64
	for name, bad := range map[string]func(b []byte){
		"magic":            func(b []byte) { b[0]++ },
		"size 0":           func(b []byte) { put(b[repeat.Size:], 0) },
		"size of 9 bits":   func(b []byte) { put(b[repeat.Size:], 9) },
		"content > packet": func(b []byte) { put(b[repeat.Content:], packetSize*8+8) },
		"content 0":        func(b []byte) { put(b[repeat.Content:], 0) },
		"stream":           func(b []byte) { b[20]++ },
	} {
		for packet := range 5 {
			got, damage, _ := read(t, change(files, "s",
				func(b []byte) []byte { bad(b[packet*packetSize:]); return b }), record.Options{})
			if len(damage) != 1 || !strings.Contains(damage[0], "trace/s") ||
				!strings.Contains(damage[0], fmt.Sprint(packet*packetSize)) && packet > 0 {
				t.Errorf("%s of packet %d: damage %q", name, packet, damage)
			}
			if diff := cmp.Diff(outside(whole, packet), outside(got, packet)); diff != "" {
				t.Errorf("%s of packet %d (-want +got):\n%.1000s", name, packet, diff)
			}
		}
	}
	for _, size := range []uint64{1 << 40, ^uint64(7), packetSize * 8 * 9} { // the next one begins within it
		got, damage, _ := read(t, change(files, "s", func(b []byte) []byte {
			put(b[packetSize+repeat.Size:],
				size)
			return b
		}), record.Options{})
		if diff := cmp.Diff(whole, got); diff != "" || len(damage) != 1 {
			t.Errorf("size %d: damage %q (-want +got):\n%.1000s", size, damage, diff)
		}
	}
}

// TestUnknownEvent puts an unknown event number into a packet. The events before it and the other
// packets are read, and an event reports the loss.
func TestUnknownEvent(t *testing.T) {
	files := small(4)
	whole, _, _ := read(t, files, record.Options{})
	got, damage, _ := read(t, change(files, "s", func(b []byte) []byte { b[packetSize+headSize] = 0xfe; return b }),
		record.Options{})
	if len(damage) != 1 || !strings.Contains(damage[0], "no event of stream") {
		t.Errorf("damage %q", damage)
	}
	if diff := cmp.Diff(outside(whole, 1), outside(got, 1)); diff != "" {
		t.Errorf("(-want +got):\n%.1000s", diff)
	}
	if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "lost -1") }) {
		t.Error("no event says that some are lost")
	}
}

// TestIndexed continues with the index if packets have no magic number. A wrong index does no harm:
// all intact packets with a correct place in it are read.
func TestIndexed(t *testing.T) {
	files := small(5)
	files["metadata"] = &fstest.MapFile{Data: []byte(strings.Replace(smallMetadata, "u32 magic", "u32 word", 1))}
	whole, _, _ := read(t, files, record.Options{})
	index := []byte{0xc1, 0xf1, 0xdc, 0xc1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 72}
	for i := range 5 {
		index = append(binary.BigEndian.AppendUint64(index, uint64(i*packetSize)), make([]byte, 64)...)
	}
	bad := change(files, "s", func(b []byte) []byte { b[packetSize+repeat.Size] = 1; return b })
	_, damage, _ := read(t, bad, record.Options{})
	if len(damage) != 1 || !strings.Contains(damage[0], "2048 bytes skipped") {
		t.Errorf("without an index: %q", damage)
	}
	bad["index/s.idx"] = &fstest.MapFile{Data: index}
	got, damage, _ := read(t, bad, record.Options{})
	if diff := cmp.Diff(outside(whole, 1), outside(got, 1)); diff != "" || len(damage) != 1 {
		t.Errorf("damage %q (-want +got):\n%.1000s", damage, diff)
	}
	for i := 0; i < len(index); i += 9 {
		_, damage, _ := read(t, change(bad, "index/s.idx", func(b []byte) []byte { b[i] ^= 0xff; return b }),
			record.Options{})
		if len(damage) == 0 {
			t.Errorf("byte %d: no damage", i)
		}
	}
}

// TestEveryCut cuts a trace at every byte. The events before the cut are read, and the early end of
// the file is reported.
func TestEveryCut(t *testing.T) {
	files := small(2)
	whole, _, _ := read(t, files, record.Options{})
	for n := range len(files["s"].Data) {
		got, damage, _ := read(t, change(files, "s", func(b []byte) []byte { return b[:n] }), record.Options{})
		if !slices.Equal(whole[:min(len(got), len(whole))], got) || (damage == nil) != (n%packetSize == 0) {
			t.Fatalf("cut at %d: damage %q, events %q", n, damage, got)
		}
		if n >= packetSize && len(got) < eventCount {
			t.Fatalf("cut at %d: %d events", n, len(got))
		}
	}
}

// TestSnapshots reads two traces with one UUID. They have packets of one stream, some of them in
// both traces, and one packet of another stream.
func TestSnapshots(t *testing.T) {
	var first, second, other []byte
	for i := range uint64(6) {
		if i < 4 {
			first = append(first, smallPacket(1, i, 0)...)
		}
		if i >= 2 {
			second = append(second, smallPacket(1, i, 0)...)
		}
		other = append(other, smallPacket(2, i, 0)...)
	}
	meta := &fstest.MapFile{Data: []byte(smallMetadata)}
	got, damage, _ := read(t, fstest.MapFS{
		"one/metadata": meta, "one/b": {Data: first}, "two/metadata": meta, "two/a": {Data: second},
		"two/other": {Data: other},
	}, record.Options{})
	if len(got) != 2*6*eventCount || damage != nil {
		t.Errorf("%d events, damage %q", len(got), damage)
	}
	for _, e := range got {
		if !strings.HasSuffix(e, "lost 0\n") {
			t.Error(e)
		}
	}
}

// TestLost reads counters that continue, wrap and miss packets.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		name    string
		packets [][2]uint64 // sequence number and count of lost events
		want    []int64     // before the first event of each packet
	}{
		{"known", [][2]uint64{{0, 5}, {1, 5}, {2, 8}}, []int64{0, 0, 3}},
		{"wraps", [][2]uint64{{0, ^uint64(0)}, {1, 1}}, []int64{0, 2}},
		{"a packet is missing", [][2]uint64{{7, 0}, {9, 0}}, []int64{0, record.LostUnknown}},
	} {
		var data []byte
		for _, p := range c.packets {
			data = append(data, smallPacket(1, p[0], p[1])...)
		}
		_, damage, rec := read(t, fstest.MapFS{"metadata": {Data: []byte(smallMetadata)}, "s": {Data: data}},
			record.Options{})
		var got []int64
		for r, e := range rec.Merge(record.Options{}).All() {
			if e.Offset%packetSize == headSize {
				got = append(got, r.Lost)
			} else if r.Lost != 0 {
				t.Errorf("%s: %d lost at %d", c.name, r.Lost, e.Offset)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || damage != nil {
			t.Errorf("%s: damage %q (-want +got):\n%s", c.name, damage, diff)
		}
	}
}

// idle removes the events from a packet.
func idle(packet []byte) {
	binary.LittleEndian.PutUint64(packet[repeat.Content:], headSize*8)
}

// TestIdle reads a stream with packets without events, so that slices find no event at their ends.
// No event is read twice.
func TestIdle(t *testing.T) {
	files := small(100)
	var data []byte
	for i := range uint64(1000) {
		data = append(data, smallPacket(2, i, 0)...)
		idle(data[i*packetSize:])
	}
	files["idle"] = &fstest.MapFile{Data: data}
	rec, err := ctf.OpenFS(files, "trace")
	if err != nil {
		t.Fatal(err)
	}
	calls, events := 0, 0
	list := rec.Slices(record.Options{Workers: 2}, 5000)
	if err := record.InSlices(t.Context(), list, 1, func(_ int, s record.Slice[ctf.Entry]) (n int, err error) {
		calls++
		err = s.Merge().EachRun(func(r []record.Record, _ []ctf.Entry) error { n += len(r); return nil })
		return n, err
	}, func(n int) error { events += n; return nil }); err != nil {
		t.Fatal(err)
	}
	if len(list) < 5 || calls != len(list) || events != 100*eventCount {
		t.Errorf("%d events in %d slices, of which %d were read", events, len(list), calls)
	}
}

// TestWindow checks that packets outside of a window are skipped.
func TestWindow(t *testing.T) {
	files := small(9)
	all, _, rec := read(t, files, record.Options{})
	var times []uint64
	for r := range rec.Merge(record.Options{}).All() {
		times = append(times, r.Time)
	}
	since, until := times[len(times)/3], times[2*len(times)/3]
	var want []string
	for i, time := range times {
		if time >= since && time < until {
			want = append(want, all[i])
		}
	}
	got, _, _ := read(t, files, record.Options{Since: since, Until: until})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%.1000s", diff)
	}
}

// TestMemory reads a list with more elements than fit in memory.
func TestMemory(t *testing.T) {
	const text = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
event { name = x; fields := struct { integer { size = 64; } n; struct { } empty[n]; }; };
event { name = y; id = 1; fields := struct { integer { size = 64; } n; integer { size = 3; } a[n]; }; };
stream { event.header := struct { integer { size = 8; } id; }; };
`
	for id := range byte(2) {
		files := fstest.MapFS{
			"metadata": {Data: []byte(text)}, "s": {Data: append([]byte{id, 255, 255, 255, 255, 255, 255, 255, 255},
				make([]byte, 1<<20)...)},
		}
		rec, err := ctf.OpenFS(files, "trace")
		if err != nil {
			t.Fatal(err)
		}
		for range rec.Merge(record.Options{}).All() {
			t.Error("an event")
		}
		if d := rec.Damage(); len(d) != 1 || !errors.Is(d[0], ctf.ErrCorrupt) {
			t.Errorf("damage %v", d)
		}
	}
}

// TestLateBegins reads a packet whose first event is earlier than its begin, like packets of
// barectf before 2.3.1.
func TestLateBegins(t *testing.T) {
	const text = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; clock { name = c; freq = 1000000000; };
env { tracer_name = "barectf"; tracer_major = 2; tracer_minor = 3; tracer_patch = PATCH; };
typealias integer { size = 64; map = clock.c.value; } := t64;
stream { packet.context := struct { t64 timestamp_begin; t64 timestamp_end; }; event.header := struct { t64 timestamp; }; };
event { name = e; fields := struct { integer { size = 8; } n; }; };
`
	var data []byte
	for _, v := range []uint64{1000, 1100, 900, 1000} {
		if data = binary.LittleEndian.AppendUint64(data, v); len(data) > 16 {
			data = append(data, 1)
		}
	}
	for patch, want := range []int{1, 0} {
		files := fstest.MapFS{"s": {Data: data},
			"metadata": {Data: []byte(strings.Replace(text, "PATCH", fmt.Sprint(patch), 1))}}
		if events, damage, _ := read(t, files, record.Options{Until: 950}); len(events) != want || damage != nil {
			t.Errorf("patch %d: events %q, damage %q", patch, events, damage)
		}
	}
}

// TestDangling reads streams with a reference to a missing field, in each of their scopes.
func TestDangling(t *testing.T) {
	for _, where := range []string{"packet.context", "event.header", "event.context"} {
		text := strings.Replace(smallMetadata, "stream { id = 0;",
			"stream { id = 1; "+where+" := struct { u8 a; u8 b[none]; }; };\nstream { id = 0;", 1)
		files := small(2)
		files["metadata"] = &fstest.MapFile{Data: []byte(text)}
		events, _, rec := read(t, files, record.Options{})
		if d := rec.Damage(); len(events) != 2*eventCount || len(d) != 1 || !errors.Is(d[0], ctf.ErrMetadata) {
			t.Errorf("%s: %d events, damage %v", where, len(events), d)
		}
	}
}

// TestFolders has more folders than the limit.
func TestFolders(t *testing.T) {
	files := fstest.MapFS{"a/metadata": {Data: []byte(smallMetadata)}, "a/s": {Data: smallPacket(1, 0, 0)}}
	for i := range 5000 {
		files[fmt.Sprintf("b/%d", i)] = &fstest.MapFile{Mode: fs.ModeDir}
	}
	events, _, rec := read(t, files, record.Options{})
	if d := rec.Damage(); len(events) != eventCount || len(d) != 1 || !errors.Is(d[0], ctf.ErrLimit) {
		t.Errorf("%d events, damage %v", len(events), d)
	}
}

// TestOpenPacket has a packet twice: in the buffers of a crash, without a known end, and whole in a
// later snapshot. Its events are read once, in either order of the files.
func TestOpenPacket(t *testing.T) {
	for _, names := range [][2]string{{"one", "two"}, {"two", "one"}} {
		open := smallPacket(1, 1, 0)
		binary.LittleEndian.PutUint64(open[repeat.Content-8:], 0) // the end
		binary.LittleEndian.PutUint64(open[repeat.Content:], 8*(headSize+8))
		meta := &fstest.MapFile{Data: []byte(smallMetadata)}
		got, damage, _ := read(t, fstest.MapFS{
			names[0] + "/metadata": meta, names[0] + "/s": {Data: append(smallPacket(1, 0, 0), open...)},
			names[1] + "/metadata": meta,
			names[1] + "/s":        {Data: append(smallPacket(1, 1, 0), smallPacket(1, 2, 0)...)},
		}, record.Options{})
		if len(got) != 3*eventCount || damage != nil {
			t.Errorf("%d events, damage %q", len(got), damage)
		}
	}
}

// TestEmptyMetadata opens a trace whose tracer ended before it wrote metadata, beside another
// trace.
func TestEmptyMetadata(t *testing.T) {
	files := fstest.MapFS{"a/metadata": {}, "a/s": {Data: smallPacket(1, 0, 0)},
		"b/metadata": {Data: []byte(smallMetadata)}, "b/s": {Data: smallPacket(1, 0, 0)}}
	if !ctf.IsTrace(files) {
		t.Error("it is no session")
	}
	events, _, rec := read(t, files, record.Options{})
	if d := rec.Damage(); len(events) != eventCount || len(d) != 1 || !strings.Contains(d[0].Error(), "a/metadata") ||
		!errors.Is(d[0], ctf.ErrMetadata) {
		t.Errorf("%d events, damage %v", len(events), d)
	}
}

// TestForeignMetadata has files called metadata that do not describe a trace: beside a trace, and
// in the folder above it.
func TestForeignMetadata(t *testing.T) {
	files := fstest.MapFS{"metadata": {Data: []byte("title: notes")}, "a/metadata": {Data: []byte("title: more")},
		"b/metadata": {Data: []byte(smallMetadata)}, "b/s": {Data: smallPacket(1, 0, 0)}}
	if !ctf.IsTrace(files) {
		t.Error("it is no session")
	}
	events, damage, rec := read(t, files, record.Options{})
	if d := rec.Damage(); len(events) != eventCount || len(d) != 2 || d[0].File != "trace/a/metadata" ||
		d[1].File != "trace/metadata" || !errors.Is(d[0], ctf.ErrMetadata) {
		t.Errorf("%d events, damage %q", len(events), damage)
	}
}

// TestManyFiles has more files than the limit.
func TestManyFiles(t *testing.T) {
	needs.Proofs(t)
	files := fstest.MapFS{"metadata": {Data: []byte(smallMetadata)}}
	one := &fstest.MapFile{Data: smallPacket(1, 0, 0)}
	for i := range 1<<17 + 2 {
		files[fmt.Sprintf("s%06d", i)] = one
	}
	rec, err := ctf.OpenFS(files, "trace")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if d := rec.Damage(); len(d) != 1 || d[0].File != "trace/s131072" || !errors.Is(d[0], ctf.ErrLimit) {
		t.Errorf("damage %v", d)
	}
}

// TestManyLosses has more losses than the limit.
func TestManyLosses(t *testing.T) {
	const text = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
typealias integer { size = 8; } := u8; typealias integer { size = 32; } := u32;
stream { packet.context := struct { u8 content_size; u8 packet_size; u32 events_discarded; }; };
event { name = e; fields := struct { u8 n; }; };
`
	files := fstest.MapFS{"metadata": {Data: []byte(text)}}
	var data []byte
	for i := range 20001 {
		data = append(binary.LittleEndian.AppendUint32(append(data, 56, 56), uint32(i)), 7)
	}
	files["s"] = &fstest.MapFile{Data: data}
	events, damage, rec := read(t, files, record.Options{})
	list, more := rec.Losses()
	if len(events) != 20001 || damage != nil || int64(len(list))+more != 20000 || more == 0 {
		t.Errorf("%d events, %d losses and %d more, damage %q", len(events), len(list), more, damage)
	}
}

// TestSmallCounters reads 8-bit counters that grow by more than half of their range, and one that
// wraps (docs/spec/ctf.md 5.4). The numbers of the first two come from babeltrace2 2.0.4.
func TestSmallCounters(t *testing.T) {
	const text = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
typealias integer { size = 8; } := u8;
stream { packet.context := struct { u8 content_size; u8 packet_size; u8 packet_seq_num; u8 events_discarded; }; };
event { name = e; fields := struct { u8 n; }; };
`
	for _, x := range []struct {
		packets [][2]byte // number and lost events
		want    []ctf.Loss
	}{
		{[][2]byte{{5, 5}, {6, 205}, {7, 205}}, []ctf.Loss{{Count: 200}}},
		{[][2]byte{{0, 0}, {200, 0}}, []ctf.Loss{{Count: 199, Packets: true}}},
		{[][2]byte{{255, 255}, {0, 4}}, []ctf.Loss{{Count: 5}}},
		{[][2]byte{{1, 10}, {2, 4}}, nil}, // the counter was reset
	} {
		files := fstest.MapFS{"metadata": {Data: []byte(text)}}
		var data []byte
		for _, p := range x.packets {
			data = append(data, 40, 40, p[0], p[1], 7)
		}
		files["s"] = &fstest.MapFile{Data: data}
		_, damage, rec := read(t, files, record.Options{})
		var got []ctf.Loss
		losses, _ := rec.Losses()
		for _, l := range losses {
			got = append(got, ctf.Loss{Count: l.Count, Packets: l.Packets})
		}
		if diff := cmp.Diff(x.want, got); diff != "" || damage != nil {
			t.Errorf("%v: damage %q (-want +got):\n%s", x.packets, damage, diff)
		}
	}
}

// TestOneTrace opens two folders of one trace whose clock has neither a UUID nor an origin. Its
// times are still comparable. For version 2, the UIDs of the trace classes identify one trace.
func TestOneTrace(t *testing.T) {
	fragments := func(uid string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("\x1e" + strings.Join([]string{
			`{"type": "preamble", "version": 2}`,
			`{"type": "trace-class", "uid": "` + uid + `"}`,
			`{"type": "clock-class", "id": "c", "frequency": 1}`,
			`{"type": "data-stream-class", "default-clock-class-id": "c"}`,
			`{"type": "event-record-class", "payload-field-class": {"type": "structure", "member-classes": [` +
				`{"name": "n", "field-class": {"type": "static-length-string", "length": 1}}]}}`,
		}, "\n\x1e"))}
	}
	tsdl := &fstest.MapFile{Data: []byte(smallMetadata)}
	for _, x := range []struct {
		a, b *fstest.MapFile
		one  bool
	}{{tsdl, tsdl, true}, {fragments("x"), fragments("x"), true}, {fragments("x"), fragments("y"), false}} {
		_, _, rec := read(t, fstest.MapFS{"a/metadata": x.a, "a/s": {Data: smallPacket(1, 0, 0)}, "b/metadata": x.b,
			"b/s": {Data: smallPacket(1, 1, 0)}}, record.Options{})
		traces := rec.Traces()
		if one := traces[0].Identity() == traces[1].Identity(); one != x.one || (rec.Incomparable() == nil) != x.one {
			t.Errorf("one trace: %v, %v", one, rec.Incomparable())
		}
	}
}
