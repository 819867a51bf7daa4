package lttng

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestHeader25 is example A of lttng.md 7, read to its first events.
func TestHeader25(t *testing.T) {
	b := unhex(t, `7b3fc09e91180000 daa62fb891180000 edb7d600 02050400 e681434b00000000 f33c060000000000 e88e7b7600000000 01000000
		e2310000 00400000 00000000 00000000`)
	h, ok := parseHeader(b, Auto)
	if !ok || h.dialect != V25 || h.size != 68 || h.begin != 0x18919ec03f7b || h.machine.word != 4 ||
		h.machine.alignment != 0 || h.clock.sec != 1262715366 || h.clock.usec != 408819 ||
		h.clock.freq != 1987809000 || h.clock.scale != 1 || h.used != 0x31e2 || h.block != 0x4000 || h.open {
		t.Fatalf("%v %+v", ok, h)
	}
	b = append(b, unhex(t, "3fe8b2ee 0000 1700 3fe8b2a691180000")...)
	b = append(append(b, "vm_state\x00vm_map\x00"...), 0, 0, 4, 4, 4, 4, 0)
	b = append(b, unhex(t, "9e24b30e")...)
	b = append(b, "vm_state\x00vm_map\x00pid %d start %lu\x00"...)
	copy(b[52:], unhex(t, "00000000"))
	b[52] = byte(len(b))
	mem := newMemory().put("metadata_0", append(b, make([]byte, 0x4000-len(b))...)).put("vm_state_0",
		append(bytes.Clone(b[:68]), make([]byte, 0x4000-68)...))
	mem.files["vm_state_0"].Data[52] = 68
	rec := openMemory(t, mem)
	if have := rec.Traces()[0].Time(read(t, rec)[0].TSC); have != 13589759412128 {
		t.Errorf("first time %d", have)
	}
	m := rec.Markers()[len(rec.Markers())-1]
	if m.Channel != "vm_state" || m.Name != "vm_map" || m.Format != "pid %d start %lu" || m.ID != 0 || m.Long != 4 ||
		len(m.Fields) != 2 {
		t.Errorf("%+v", m)
	}
	if d := rec.Damage(); len(d) > 0 {
		t.Error(d[0])
	}
}

// TestWords23 is example B of lttng.md 7: headers 29 and 31, and padding to the largest field.
func TestWords23(t *testing.T) {
	l := Layout{Dialect: V23, WordSize: 4, Alignment: 4, BlockSize: 4096, CPUs: 1, Freq: 1, StartTSC: 0xba2d00000000}
	mem := newMemory()
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 46 {
		format := " "
		switch i {
		case 18:
			format = "ip %p"
		case 45:
			format = "loglevel #1u%u string %s ip %p"
		}
		if _, err := w.Marker("kernel", strings.Repeat("m", i+1), format); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := mem.files["kernel_0"].Data[:68]
	b = append(b, unhex(t, "ded246ef 1200 0400 ded2465f2dba0000 9c4b2dc0 28e646ff 2d00 0000 07")...)
	b = append(append(b, "LTT state dump begin\x00"...), unhex(t, "0000 7c1a52c0")...)
	lost := 4096 - len(b)
	b[52], b[53] = byte(lost), byte(lost>>8)
	rec := openMemory(t, mem.put("kernel_0", append(b, make([]byte, lost)...)))
	events := read(t, rec)
	if d := rec.Damage(); len(d) > 0 {
		t.Fatal(d[0])
	}
	if n := len(events); n < 2 || events[0].TSC != 0xba2d5f46d2de || events[0].Data != "\x9c\x4b\x2d\xc0" ||
		events[1].TSC != 0xba2d5f46e628 || events[1].Data != "\x07LTT state dump begin\x00\x00\x00\x7c\x1a\x52\xc0" {
		t.Errorf("%+v", events[:min(n, 2)])
	}
}

// TestHeader10 is example C of lttng.md 7, little-endian and packed, then big-endian and aligned.
func TestHeader10(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		want   string
		offset int
	}{
		{Layout{WordSize: 4}, "c79b5634 0000 1600 636f72655f6d61726b65725f696400 0000 04040404 00", 109},
		{Layout{WordSize: 4, Alignment: 4, BigEndian: true},
			"34569bc7 0000 0017 636f72655f6d61726b65725f696400 00 0000 04040404 04", 112},
	} {
		l := c.layout
		l.Dialect, l.BlockSize, l.CPUs, l.Freq, l.StartTSC, l.Heartbeat = V10, 4096, 1, 1e9, 0x34569bc7, true
		mem := newMemory()
		w, err := NewWriter(mem.create, l)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b := mem.files["control/facilities_0"].Data
		if have, want := b[56:65], unhex(t, "04 01 00 00 01 00 00 20 00"); !bytes.Equal(have[:5], want[:5]) ||
			!bytes.Equal(have[6:], want[6:]) || int(have[5]) != l.Alignment {
			t.Errorf("% x, want % x", have, want)
		}
		want := unhex(t, c.want)
		at := bytes.Index(b, []byte("core_marker_id")) - 8
		heartbeat := 8 + 8 // of the writer, in front
		if at != c.offset+heartbeat || !bytes.Equal(b[at:at+len(want)], want) {
			t.Errorf("at %d: % x, want at %d % x", at, b[at:at+len(want)], c.offset+heartbeat, want)
		}
	}
}

// TestHeaderSizes checks the sizes of lttng.md 0, and that the headers of the writer are read.
func TestHeaderSizes(t *testing.T) {
	for d, want := range map[Dialect]int{V07: 106, V08: 108, V10: 109, V20: 108, V21: 60, V22: 68, V23: 68, V24: 68,
		V25: 68, V26: 68, Seed: 101} {
		for _, big := range []bool{false, true} {
			l := Layout{Dialect: d, WordSize: 8, Alignment: 8, BlockSize: 8192, CPUs: 1, Freq: 5, Scale: 2, StartTSC: 3,
				StartMonotonic: 4, StartSec: 6, StartUsec: 7, FlightRecorder: 2, BigEndian: big}
			mem := newMemory()
			w, err := newWriter(mem.create, l)
			if err != nil {
				t.Fatal(err)
			}
			if l.headerSize() != want {
				t.Errorf("%s: the writer's header has %d bytes, want %d", d, l.headerSize(), want)
			}
			if err := w.open("control/x"); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			as := Auto
			if d == Seed {
				as = Seed
			}
			h, ok := parseHeader(mem.files["control/x_0"].Data, as)
			if !ok || h.size != want || h.used != int64(want) || h.block != 8192 || h.machine.word != 8 ||
				h.machine.alignment != 8 || h.clock.freq != 5 || h.clock.scale != 2 || h.begin != 3 ||
				h.end != 3 || h.clock.sec != 6 || h.clock.usec != 7 || h.dialect != d {
				t.Errorf("%s: %v %+v", d, ok, h)
			}
			if d < V21 || d == Seed {
				if h.clock.tsc != 3 || h.clock.monotonic != 4 || h.flight != 2 {
					t.Errorf("%s: %+v", d, h)
				}
			}
			for n := range want { // a truncated header is not a header
				if _, ok := parseHeader(mem.files["control/x_0"].Data[:n], as); ok {
					t.Errorf("%s: a header of %d bytes", d, n)
				}
			}
		}
	}
}
