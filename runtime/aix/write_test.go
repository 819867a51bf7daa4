package aix_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// TestWriteVectors writes the vectors of aix.md 8.
func TestWriteVectors(t *testing.T) {
	for name, c := range map[string]struct {
		kernel64, app64 bool
		tid, now        uint64
		hook            func(w *aix.Writer)
		want            string
	}{
		"V1": {false, false, 0x3A5B, 0x1A5E3, func(w *aix.Writer) { w.TRCHKL1T(0x01000000, 1) }, v1},
		"V2": {false, false, 0x3A5B, 0x1A600, func(w *aix.Writer) { w.TRCHKL5T(0x50000005, 1, 2, 3, 4, 5) }, v2},
		"V3": {false, false, 0x3A5B, 0x1A700, func(w *aix.Writer) { w.TRCGENT(0x02000000, 1, []byte("hello\x00")) },
			v3},
		"V4": {true, true, 0x1F0035, 0x1000, func(w *aix.Writer) { w.TRCHKL5T(0x50000005, 1, 2, 3, 4, 5) },
			"EFDF1114" + v4},
		"V5": {true, false, 0x1F0035, 0x1100, func(w *aix.Writer) { w.TRCHKL5T(0x50000005, 1, 2, 3, 4, 5) },
			"EFDF1114" + v5},
		"V6": {false, true, 0x3A5B, 0x1A800, func(w *aix.Writer) { w.TRCHKL5T(0x50000005, 1, 2, 3, 4, 5) }, v6},
		"V7": {false, true, 0x3A5B, 0, func(w *aix.Writer) { w.TRCGEN(0x50000005, 1, []byte("hello\x00")) }, v7},
		"V8": {true, true, 0x1F0035, 0x1200, func(w *aix.Writer) { w.TRCGENT(0x50000005, 1, []byte("hello\x00")) },
			"EFDF1114" + v8},
		"V9": {true, true, 0x1F0035, 0x1300, func(w *aix.Writer) { w.TRCHKL5T(0xF5F10007, 1, 0x4E, 3, 1, 0x2A) },
			"EFDF1114" + v9},
		"V12": {false, false, 0x3A5B, 0x1A900, func(w *aix.Writer) {
			w.TRCHKL5T(0x90000003, 0x10, 0x1000, 0xA0000000,
				0x70000, 0)
		}, v12},
	} {
		var b bytes.Buffer
		w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: c.kernel64})
		w.App64, w.TID, w.Now = c.app64, c.tid, c.now
		c.hook(w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if want := unhex(t, c.want); !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s: got %X, want %X", name, b.Bytes(), want)
		}
	}
}

// event is a hook before it is written.
type event struct {
	app64   bool
	id      uint16
	sub     uint16
	stamped bool
	generic bool
	words   []uint64
	buf     []byte
	tid     uint64
	step    uint64 // ticks since the last event with a stamp
	cpu     int
	regs    []uint64
}

func (e *event) write(w *aix.Writer, now uint64) {
	hook := uint32(e.id)<<16 | uint32(e.sub)
	w.App64, w.TID, w.Now, w.CPU, w.Registers = e.app64, e.tid, now, e.cpu, e.regs
	if e.generic {
		if e.stamped {
			w.TRCGENT(hook, e.words[0], e.buf)
		} else {
			w.TRCGEN(hook, e.words[0], e.buf)
		}
		return
	}
	d := e.words
	switch {
	case e.stamped && len(d) == 0:
		w.TRCHKL0T(hook)
	case e.stamped && len(d) == 1:
		w.TRCHKL1T(hook, d[0])
	case e.stamped && len(d) == 2:
		w.TRCHKL2T(hook, d[0], d[1])
	case e.stamped && len(d) == 3:
		w.TRCHKL3T(hook, d[0], d[1], d[2])
	case e.stamped && len(d) == 4:
		w.TRCHKL4T(hook, d[0], d[1], d[2], d[3])
	case e.stamped:
		w.TRCHKL5T(hook, d[0], d[1], d[2], d[3], d[4])
	case len(d) == 0:
		w.TRCHKL0(hook)
	case len(d) == 1:
		w.TRCHKL1(hook, d[0])
	case len(d) == 2:
		w.TRCHKL2(hook, d[0], d[1])
	case len(d) == 3:
		w.TRCHKL3(hook, d[0], d[1], d[2])
	case len(d) == 4:
		w.TRCHKL4(hook, d[0], d[1], d[2], d[3])
	default:
		w.TRCHKL5(hook, d[0], d[1], d[2], d[3], d[4])
	}
}

// data returns the bytes of the event that a template reads, built from aix.md 2.1 to 2.4, not from
// the code.
func (e *event) data(kernel64 bool) []byte {
	var b []byte
	if e.app64 {
		flags, n := uint16(0), 8*len(e.words)
		if e.stamped {
			flags |= 0x8000
		}
		if e.generic {
			flags, n = flags|0x4000, len(e.buf)
		}
		if kernel64 && e.cpu >= 0 {
			flags |= 0x1000
		}
		if kernel64 && len(e.regs) > 0 {
			flags |= 0x0800 | uint16(len(e.regs)-1)
		}
		b = binary.BigEndian.AppendUint16(b, flags)
		b = binary.BigEndian.AppendUint16(b, uint16(n))
		b = binary.BigEndian.AppendUint16(b, e.id)
		b = binary.BigEndian.AppendUint16(b, e.sub)
		for _, v := range e.words {
			b = binary.BigEndian.AppendUint64(b, v)
		}
		return append(b, e.buf...)
	}
	kind, low := uint16(len(e.words)+1), e.sub
	switch {
	case e.generic:
		kind, low = 0, uint16(len(e.buf))
	case kind > 2:
		kind = 6
	}
	if e.stamped {
		kind |= 8
	}
	b = binary.BigEndian.AppendUint16(b, e.id&0xFFF0|kind)
	b = binary.BigEndian.AppendUint16(b, low)
	for _, v := range e.words {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	for kind&7 == 6 && len(b) < 24 {
		b = append(b, 0)
	}
	return append(b, e.buf...)
}

// flags returns the flags of an entry for the event, in a trace of a kernel.
func (e *event) flags(kernel64 bool) (f aix.Flags) {
	if e.generic {
		f |= aix.Generic
	}
	if e.app64 {
		f |= aix.Hook64
	}
	if kernel64 {
		f |= aix.Trace64
	}
	if e.stamped {
		f |= aix.Stamped
	}
	if e.app64 != kernel64 {
		f |= aix.Reformed
	}
	if kernel64 && e.cpu >= 0 {
		f |= aix.HasCPU
	}
	return f
}

// expect returns the expected records of events that were written in sequence, from a clock at now.
func expect(events []event, kernel64 bool, now uint64) []got {
	var all []got
	last, lowest, seen := uint64(0), uint64(0), false
	for i := range events {
		e := &events[i]
		if e.stamped {
			now += e.step
			if !kernel64 && !seen {
				lowest = now &^ 0xFFFFFFFF // the wraps before the first stamp are unknown
			}
			last, seen = now-lowest, true
		}
		g := got{ID: uint32(e.id), Time: last, CPU: -1, Task: -1, TID: e.tid, Ticks: last, Buffer: -1,
			Flags: e.flags(kernel64), Hook: e.sub}
		if e.generic && !e.app64 {
			g.Hook = uint16(len(e.buf))
		}
		if kernel64 {
			g.CPU, g.Regs = int32(e.cpu), e.regs
		}
		if e.tid <= 1<<31-1 {
			g.Task = int32(e.tid)
		}
		g.Data = hex.EncodeToString(e.data(kernel64))
		all = append(all, g)
	}
	return all
}

// strip removes the fields that depend on the container.
func strip(all []got) []got {
	out := append([]got(nil), all...)
	for i := range out {
		out[i].Raw, out[i].Offset = "", 0
	}
	return out
}

// anyEvent draws an event that can occur on a kernel.
func anyEvent(kernel64 bool) *rapid.Generator[event] {
	return rapid.Custom(func(t *rapid.T) event {
		e := event{
			app64:   rapid.Bool().Draw(t, "app64"),
			id:      rapid.Uint16Range(1, 0xFFF).Draw(t, "id") << 4,
			sub:     rapid.Uint16().Draw(t, "sub"),
			stamped: rapid.Bool().Draw(t, "stamped"),
			generic: rapid.Bool().Draw(t, "generic"),
			tid:     uint64(rapid.Uint32().Draw(t, "tid")),
			step:    uint64(rapid.Uint32Range(0, 1<<30).Draw(t, "step")),
			cpu:     -1,
		}
		if e.id == 0x00B0 || e.id == 0x00A0 {
			e.id = 0x5000 // an id of the trace facility itself
		}
		if kernel64 {
			e.tid |= uint64(rapid.Uint16().Draw(t, "high tid")) << 32
			e.cpu = rapid.IntRange(-1, 300).Draw(t, "cpu")
			e.regs = rapid.SliceOfN(rapid.Uint64(), 0, 8).Draw(t, "registers")
			if len(e.regs) == 0 {
				e.regs = nil
			}
		}
		if e.app64 {
			if rapid.Bool().Draw(t, "4 digits") {
				e.id |= 0x1000 | rapid.Uint16Range(0, 15).Draw(t, "digit")
			}
		}
		n := 1
		if e.generic {
			e.buf = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "buffer")
			if rapid.IntRange(0, 50).Draw(t, "long") == 0 {
				e.buf = bytes.Repeat(append(e.buf, 7), 80)
			}
			e.buf = e.buf[:min(len(e.buf), aix.MaxBuffer)]
		} else {
			n = rapid.IntRange(0, 5).Draw(t, "words")
		}
		for range n {
			v := rapid.Uint64().Draw(t, "word")
			if !e.app64 {
				v = uint64(uint32(v))
			}
			e.words = append(e.words, v)
		}
		return e
	})
}

// TestRoundTrip writes streams of random events of programs of both word sizes, on kernels of both
// word sizes, and reads them back.
func TestRoundTrip(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		name := map[bool]string{false: "32-bit kernel", true: "64-bit kernel"}[kernel64]
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			events := rapid.SliceOfN(anyEvent(kernel64), 1, 40).Draw(t, "events")
			place := rapid.SampledFrom([]aix.CPUIDPlace{aix.CPUIDAfterStamp, aix.CPUIDAfterRegisters,
				aix.CPUIDBeforeTID, aix.CPUIDAfterTID}).Draw(t, "place")
			half := rapid.SampledFrom([]aix.ShortWord{aix.ShortWordLow, aix.ShortWordHigh}).Draw(t, "half")
			now := uint64(rapid.Uint32().Draw(t, "now"))
			var b bytes.Buffer
			w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: kernel64, CPUID: place, ShortWord: half})
			at := now
			for i := range events {
				if events[i].stamped {
					at += events[i].step
				}
				events[i].write(w, at)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			kind := aix.Stream32
			if kernel64 {
				kind = aix.Stream64
			}
			rec, err := aix.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len()), "r", aix.WithCPUID(place),
				aix.WithShortWord(half), aix.WithKind(kind))
			if err != nil {
				t.Fatal(err)
			}
			var all []got
			raw := b.Bytes()[:b.Len():b.Len()]
			s := rec.Streams(record.Options{})[0]
			pos := 0
			if kernel64 {
				pos = 4
			}
			for {
				batch, err := s.Next()
				if err != nil {
					break
				}
				for i := range batch.Records {
					g := view(&batch.Records[i], &batch.Entries[i])
					if g.Offset != int64(pos) || g.Raw != hex.EncodeToString(raw[pos:pos+len(g.Raw)/2]) {
						t.Fatalf("entry %d at %d, not %d", len(all), g.Offset, pos)
					}
					pos += len(g.Raw) / 2
					all = append(all, g)
				}
			}
			if d := cmp.Diff(expect(events, kernel64, now), strip(all)); d != "" {
				t.Fatal(d)
			}
			if s := rec.DamageStats(); s.Count != 0 {
				t.Fatalf("damage: %v", rec.Damage())
			}
		}))
	}
}
