package uftrace_test

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/render"
)

// render renders the data of an event.
func eventText(t *testing.T, id uint32, form uftrace.Form, target ir.Target, env *render.Env, data []byte) string {
	t.Helper()
	prog, err := interp.Compile(uftrace.Event(id, form, target.WordSize), target)
	if err != nil {
		t.Fatalf("event %d: %v", id, err)
	}
	return string(interp.NewMachine(env).AppendText(nil, prog, data))
}

// TestEventReference compares with the output of uftrace 0.13 for made-up events: id, data, and the
// text in replay and in dump.
func TestEventReference(t *testing.T) {
	file, err := os.ReadFile("testdata/events.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		id, err1 := strconv.Atoi(part[0])
		data, err2 := hex.DecodeString(part[1])
		if err1 != nil || err2 != nil {
			t.Fatal(line, err1, err2)
		}
		if got := eventText(t, uint32(id), uftrace.Replay, little, nil, data); got != part[2] {
			t.Errorf("%d %s: got %q, want %q", id, part[1], got, part[2])
		}
		if got := eventText(t, uint32(id), uftrace.Dump, little, nil, data); got != part[3]+"\n" {
			t.Errorf("%d %s: got %q, want %q", id, part[1], got, part[3])
		}
	}
}

// The events that 0.13 does not know (uftrace.md 1.6, 2.4; the first two are in the recording
// v019-watch-callsite).
func TestNewEvents(t *testing.T) {
	known := &render.Env{Symbols: oneSymbol{}}
	big32 := ir.Target{BigEndian: true, WordSize: 4}
	for _, c := range []struct {
		id     uint32
		target ir.Target
		env    *render.Env
		data   string
		want   string
	}{
		{uftrace.WatchVar, little, known, "001000005555000003000000", "f0000=3"},
		{uftrace.WatchVar, little, nil, "00100000555500000a", "[0x555500001000]=a"},
		{uftrace.WatchVar, little, nil, "0010000055550000ff10", "[0x555500001000]=10ff"},
		{uftrace.WatchVar, little, nil, "0010000055550000ff10", "[0x555500001000]=10ff"},
		{uftrace.WatchVar, little, nil, "0010000055550000ffffffffffffffff", "[0x555500001000]=ffffffffffffffff"},
		{uftrace.WatchVar, little, nil, "0010000055550000010203", "[0x555500001000]=01 02 03"},
		{uftrace.WatchVar, big32, nil, "000010000000000a", "[0x1000]=a"},
		{uftrace.WatchVar, little, nil, "00100000", ""},
		{uftrace.Callsite, little, nil, "f81279ac83550000", "callsite=0x5583ac7912f8"},
		{uftrace.WatchCPU, big32, nil, "00000007", "cpu=7"},
	} {
		data, err := hex.DecodeString(c.data)
		if err != nil {
			t.Fatal(err)
		}
		if got := eventText(t, c.id, uftrace.Replay, c.target, c.env, data); got != c.want {
			t.Errorf("%d %s: got %q, want %q", c.id, c.data, got, c.want)
		}
	}
	for _, id := range []uint32{0, 100000, 100014, 200001, 1000000} {
		if uftrace.Event(id, uftrace.Replay, 8) != nil {
			t.Errorf("event %d has a layout", id)
		}
	}
}
