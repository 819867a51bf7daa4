package trcfmt_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// TestBuiltin prints the report lines of aix.md 2.7 and the heading block of 5.1.
func TestBuiltin(t *testing.T) {
	r, list := trcfmt.Compile("builtin.trcfmt", trcfmt.Options{}, trcfmt.Builtin())
	if len(list) > 0 {
		t.Error(list)
	}
	if list := trcfmt.Vet(trcfmt.Options{}, trcfmt.Builtin()); len(list) > 0 {
		t.Error(list)
	}
	for _, hook64 := range []bool{false, true} {
		if err := ir.Check(r.Unit(hook64)); err != nil {
			t.Fatal(err)
		}
	}
	text := func(s string, n int) string { return hex.EncodeToString(append([]byte(s), make([]byte, n-len(s))...)) }
	uname := text("AIX", 32) + text("texmex", 32) + text("3", 32) + text("4", 32) + text("000691854C00", 32) +
		"381850CD"
	const heading = "Thu Oct 28 13:34:05 1999\nSystem: AIX texmex Node: 4\nMachine: 000691854C00"
	command := text("trace -a -k 20e,20f -o trc_raw", 31)
	cases := []struct {
		env         trcfmt.Env
		hook        uint16
		event, want string
	}{
		{env32, 0x0010, "00190003", "TRACE ON channel 3"},
		{env64, 0x0020, "8000000000200000", "TRACE OFF channel 0"},
		{env32g, 0x0030, "003800A4 00000001" + uname, heading},
		{env64g, 0x0030, "C00000A400300001 0000000000000000" + uname, heading},
		{env32g, 0x0030, "0038001F 00000002" + command, "\ntrace -a -k 20e,20f -o trc_raw"},
		{env64g, 0x0030, "C000001F00300002 0000000000000000" + command, "\ntrace -a -k 20e,20f -o trc_raw"},
		{env32, 0x0040, "000A1234 00000001", "TRACEID IS ZERO hookword=000A1234 file=/trace index=0050"},
		{env32, 0x0050, "00590001", "LOGFILE WRAPAROUND 0001"},
		{env32, 0x0060, "006A5D88 0000C77A", "TRACEBUFFER WRAPAROUND 5D88 C77A missed entries"},
		{env32, 0x0070, "7FFA0007 0000002A", "UNDEFINED TRACE ID traceid 7FF index 0050 hookdata 0007 data 0000002A"},
		{env64g, 0x0070, "C000000A7FF00007 000000000000002A 0102030405060708 0A0B000000000000",
			"UNDEFINED TRACE ID traceid 7FF index 0050 hookdata 0007 data 000000000000002A 0102030405060708 0A 0B"},
		{env32, 0x00A0, "00AA0005 09359BBB", "Internet Protocol Address: 09359BBB 9.53.155.187"},
		{env64, 0x00A0, "8000000800A00005 0000000009359BBB", "Internet Protocol Address: 09359BBB 9.53.155.187"},
		{env32g, 0x00A0, "00A80004 00000005 09359BBB", "Internet Protocol Address: 09359BBB 9.53.155.187"},
		{env32, 0x00A0, "00AA0006 00000000", "Buffering: Kernel Heap"},
		{env32, 0x1060, "106A0000 00000001", "DISPATCH hookdata 0000 data 00000001"},
	}
	for _, c := range cases {
		data, err := hex.DecodeString(strings.ReplaceAll(c.event, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		p, err := interp.Compile(r.Hook(c.hook).Events[c.env.Index()], c.env.Target())
		if err != nil {
			t.Fatal(err)
		}
		var outcome render.Outcome
		m := interp.NewMachine(&render.Env{BigEndian: true, WordSize: c.env.Target().WordSize, Facts: &world{},
			Outcome: &outcome})
		if got := trimLines(string(m.AppendText(nil, p, data))); got != c.want || outcome.Reason != render.Ended {
			t.Errorf("%04X %s\ngot  %q\nwant %q (%v)", c.hook, c.env, got, c.want, outcome)
		}
	}
	// Subhooks without meaning for readers, and payloads of an unexpected form, print nothing.
	for _, event := range []string{"00A8000800000000 0000000000000000", "00AA025C 00000000"} {
		data, _ := hex.DecodeString(strings.ReplaceAll(event, " ", ""))
		p, err := interp.Compile(r.Hook(0x00A0).Events[0], env32.Target())
		if err != nil {
			t.Fatal(err)
		}
		var outcome render.Outcome
		interp.NewMachine(&render.Env{BigEndian: true, WordSize: 4, Outcome: &outcome}).AppendText(nil, p, data)
		if outcome.Reason != render.ExitSkip {
			t.Errorf("%s: %v", event, outcome)
		}
	}
}
