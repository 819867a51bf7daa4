package aix_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// The example events of aix.md 8, in hexadecimal.
const (
	v1  = "010A0000 00000001 00003A5B 0001A5E3"
	v2  = "500E0005 00000001 00000002 00000003 00000004 00000005 00003A5B 0001A600"
	v3  = "02080006 00000001 68656C6C 6F000000 00003A5B 0001A700"
	v4  = "8000002850000005 0000000000000001 0000000000000002 0000000000000003 0000000000000004 0000000000000005 00000000001F0035 0000000000001000"
	v5  = "A000001450000005 0000000100000002 0000000300000004 0000000500000000 00000000001F0035 0000000000001100"
	v5r = "500E0005 00000001 00000002 00000003 00000004 00000005 00000000001F0035 0000000000001100"
	v6  = "00B8002C 80000028 50000005 0000000000000001 0000000000000002 0000000000000003 0000000000000004 0000000000000005 00003A5B 0001A800"
	v6r = "8000002850000005 0000000000000001 0000000000000002 0000000000000003 0000000000000004 0000000000000005 0000000000003A5B 000000000001A800"
	v7  = "00B00012 40000006 50000005 0000000000000001 68656C6C6F00 0000 00003A5B"
	v7r = "4000000650000005 0000000000000001 68656C6C6F00 0000 0000000000003A5B"
	v8  = "C000000650000005 0000000000000001 68656C6C6F00 0000 00000000001F0035 0000000000001200"
	v9  = "80000028F5F10007 0000000000000001 000000000000004E 0000000000000003 0000000000000001 000000000000002A 00000000001F0035 0000000000001300"
	v10 = "EFDF1114" + v4 + v5
	v12 = "900E0003 00000010 00001000 A0000000 00070000 00000000 00003A5B 0001A900"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// got holds the parts of a record and its entry that tests compare.
type got struct {
	ID     uint32
	Time   uint64
	Task   int32
	CPU    int32
	Lost   int64
	Data   string
	TID    uint64
	Ticks  uint64
	Offset int64
	Raw    string
	Buffer int32
	Flags  aix.Flags
	Hook   uint16
	Regs   []uint64
}

func view(r *record.Record, e *aix.Entry) got {
	return got{
		ID: r.ID, Time: r.Time, Task: r.Task, CPU: r.CPU, Lost: r.Lost, Data: hex.EncodeToString(r.Data),
		TID: e.TID, Ticks: e.Ticks, Offset: e.Offset, Raw: hex.EncodeToString(e.Raw), Buffer: e.Buffer,
		Flags: e.Flags, Hook: e.HookData, Regs: e.Registers(nil),
	}
}

// readAll walks a recording in time order.
func readAll(t testing.TB, rec *aix.Recording) []got {
	t.Helper()
	var all []got
	err := rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
		all = append(all, view(r, e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func openBytes(t testing.TB, b []byte, opts ...aix.Option) *aix.Recording {
	t.Helper()
	rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "test.trc", opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// TestVectors walks each vector of aix.md 8 as a recording of its own.
func TestVectors(t *testing.T) {
	const s64 = aix.Stamped | aix.Trace64
	for name, c := range map[string]struct {
		bytes string
		data  string // as a template sees it
		want  got
	}{
		"V1": {v1, "010A0000 00000001", got{ID: 0x0100, TID: 0x3A5B, Ticks: 0x1A5E3, Flags: aix.Stamped}},
		"V2": {v2, v2[:53], got{ID: 0x5000, TID: 0x3A5B, Ticks: 0x1A600, Flags: aix.Stamped, Hook: 5}},
		"V3": {v3, "02080006 00000001 68656C6C 6F00",
			got{ID: 0x0200, TID: 0x3A5B, Ticks: 0x1A700, Flags: aix.Stamped | aix.Generic, Hook: 6}},
		"V4": {v4, v4[:101], got{ID: 0x5000, TID: 0x1F0035, Ticks: 0x1000, Flags: s64 | aix.Hook64, Hook: 5}},
		"V5": {v5, v5r[:53], got{ID: 0x5000, TID: 0x1F0035, Ticks: 0x1100, Flags: s64 | aix.Reformed, Hook: 5}},
		"V6": {v6, v6r[:101], got{ID: 0x5000, TID: 0x3A5B, Ticks: 0x1A800,
			Flags: aix.Stamped | aix.Hook64 | aix.Reformed, Hook: 5}},
		"V7": {v7, "4000000650000005 0000000000000001 68656C6C6F00",
			got{ID: 0x5000, TID: 0x3A5B, Flags: aix.Hook64 | aix.Generic | aix.Reformed, Hook: 5}},
		"V8": {v8, "C000000650000005 0000000000000001 68656C6C6F00",
			got{ID: 0x5000, TID: 0x1F0035, Ticks: 0x1200, Flags: s64 | aix.Hook64 | aix.Generic, Hook: 5}},
		"V9":  {v9, v9[:101], got{ID: 0xF5F1, TID: 0x1F0035, Ticks: 0x1300, Flags: s64 | aix.Hook64, Hook: 7}},
		"V12": {v12, v12[:53], got{ID: 0x9000, TID: 0x3A5B, Ticks: 0x1A900, Flags: aix.Stamped, Hook: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			b, want := unhex(t, c.bytes), c.want
			want.Raw = hex.EncodeToString(b)
			want.Data = hex.EncodeToString(unhex(t, c.data))
			want.Buffer, want.CPU, want.Task, want.Time = -1, -1, int32(want.TID), want.Ticks
			if want.Flags.Has(aix.Trace64) {
				b = append([]byte{0xEF, 0xDF, 0x11, 0x14}, b...)
				want.Offset = 4
			}
			rec := openBytes(t, b)
			if d := cmp.Diff([]got{want}, readAll(t, rec)); d != "" {
				t.Error(d)
			}
			if s := rec.DamageStats(); s.Count != 0 {
				t.Errorf("damage: %v", rec.Damage())
			}
		})
	}
}

// TestRewrite compares the full input of a template for an entry in a mixed environment, including
// thread id and stamp.
func TestRewrite(t *testing.T) {
	for name, c := range map[string]struct {
		in, out string
		trace64 bool
		data    int
	}{
		"V5":      {v5, v5r, true, 24},
		"V6":      {v6, v6r, false, 48},
		"V7":      {v7, v7r, false, 22},
		"cut":     {"2000000050000005 00000000001F00", "", true, 0},
		"no word": {"2000000050000005 00000000001F0035", "50010005 00000000 00000000001F0035", true, 4},
		"one word": {"A000000450000005 0000000700000000 00000000001F0035 0000000000001100",
			"500A0005 00000007 00000000001F0035 0000000000001100", true, 8},
		"two words": {"A000000850000005 0000000700000008 00000000001F0035 0000000000001100",
			"500E0005 00000007 00000008 00000000 00000000 00000000 00000000001F0035 0000000000001100", true, 24},
		"generic": {"E000000650000005 1111111122222222 68656C6C6F000000 00000000001F0035 0000000000001100",
			"50080006 22222222 68656C6C6F00 0000 00000000001F0035 0000000000001100", true, 14},
		"not mixed":  {v4, "", true, 0},
		"bad length": {"00B8002C 80000020" + v6[17:], "", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			out, data, ok := aix.Rewrite(nil, unhex(t, c.in), c.trace64)
			if want := unhex(t, c.out); !bytes.Equal(out, want) || data != c.data || ok != (c.out != "") {
				t.Errorf("got %X, %d, %v; want %X, %d", out, data, ok, want, c.data)
			}
		})
	}
	out, _, _ := aix.Rewrite(nil, unhex(t, "6000000250000005 1111111122222222 6800000000000000 00000000001F0035"), true,
		aix.WithShortWord(aix.ShortWordHigh))
	if want := unhex(t, "50000002 11111111 6800 000000000000 00000000001F0035"); !bytes.Equal(out, want) {
		t.Errorf("got %X, want %X", out, want)
	}
}

// TestStream64 is V10: magic number, V4, V5.
func TestStream64(t *testing.T) {
	b := unhex(t, v10)
	if len(b) != 116 {
		t.Fatalf("%d bytes", len(b))
	}
	for name, open := range map[string]func() (*aix.Recording, error){
		"file": func() (*aix.Recording, error) { return aix.OpenReaderAt(bytes.NewReader(b), 116, "v10") },
		"pipe": func() (*aix.Recording, error) {
			return aix.OpenReader(io.MultiReader(bytes.NewReader(b[:9]), bytes.NewReader(b[9:])), "v10")
		},
	} {
		rec, err := open()
		if err != nil {
			t.Fatal(err)
		}
		all := readAll(t, rec)
		if len(all) != 2 || all[0].Offset != 4 || all[1].Offset != 68 || rec.Info().Kind != aix.Stream64 {
			t.Errorf("%s: %+v", name, all)
		}
		if _, err := rec.Streams(record.Options{})[0].Next(); (err == nil) != (name == "file") {
			t.Errorf("%s read again: %v", name, err)
		}
	}
}

// TestNotATrace opens files that are not traces.
func TestNotATrace(t *testing.T) {
	for _, s := range []string{"", "x", "#!/bin/sh\necho hello, world\n", strings.Repeat("\x00", 4096),
		"\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 60), strings.Repeat("lorem ipsum dolor sit amet ", 300)} {
		_, err := aix.OpenReaderAt(strings.NewReader(s), int64(len(s)), "not.trc")
		var d *aix.Damage
		if !errors.Is(err, aix.ErrFormat) || !errors.As(err, &d) || d.File != "not.trc" {
			t.Errorf("%.20q: %v", s, err)
		}
	}
}
