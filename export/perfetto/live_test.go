package perfetto_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestLive: all events of a growing recording are written. None is consumed by reading ahead.
func TestLive(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		needs.Skip(t, "need a machine with the byte order of the recordings")
	}
	write := func(rec *ftrace.Recording) []byte {
		r, err := tracec.NewReader(rec, tracec.WithThreads())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := perfetto.Write(&b, r, perfetto.Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	random := rand.New(rand.NewPCG(14, 4))
	for _, name := range []string{"amd64-syscalls", "amd64-markers", "amd64-extract"} {
		path := "../../testdata/ftrace/" + name + ".dat"
		rec, err := ftrace.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		want := write(rec)
		rec.Close()
		if diff := cmp.Diff(eventsOf(t, want), eventsOf(t, write(livetest.Open(t, path, random)))); diff != "" {
			t.Errorf("%s (-file +live):\n%.2000s", name, diff)
		}
	}
}

// eventsOf returns the events of a trace by processor, as text, and the names of threads.
func eventsOf(t *testing.T, b []byte) map[string][]string {
	tr, all := decodeTrace(t, b), map[string][]string{}
	for at, list := range tr.events {
		key := fmt.Sprint(at)
		for _, e := range list {
			all[key] = append(all[key], fmt.Sprint(e.time, e.pid, e.lost, e.kind.name, e.data))
		}
	}
	for pid, name := range tr.names {
		all["names"] = append(all["names"], fmt.Sprint(pid, name))
	}
	slices.Sort(all["names"])
	return all
}
