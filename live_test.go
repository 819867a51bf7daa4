package tracec_test

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestLiveReader: a reader of a growing recording yields the events of the file. A block ends when
// no more events are available yet.
func TestLiveReader(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		needs.Skip(t, "need a machine with the byte order of the recordings")
	}
	r := rand.New(rand.NewPCG(14, 3))
	for _, name := range []string{"amd64-syscalls", "amd64-markers", "amd64-extract"} {
		path := "testdata/ftrace/" + name + ".dat"
		read := func(rec *ftrace.Recording, workers int) (lines []string, blocks int) {
			reader, err := tracec.NewReader(rec)
			if err != nil {
				t.Fatal(err)
			}
			err = tracec.Ordered(reader, workers, func(_ int, events iter.Seq[*tracec.Event],
				_ []string) (made []string, err error) {
				for ev := range events {
					text, _ := ev.AppendText(nil)
					made = append(made, fmt.Sprintf("%d %d %s %s", ev.Time, ev.CPU, ev.Type.Name, text))
				}
				return made, nil
			}, func(made []string) error {
				lines = append(lines, made...)
				blocks++
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			return lines, blocks
		}
		rec, err := ftrace.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		want, few := read(rec, 1)
		rec.Close()
		sum := 0
		for range 4 {
			got, blocks := read(livetest.Open(t, path, r), 1+r.IntN(4))
			sum += blocks
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-file +live):\n%.2000s", name, diff)
			}
		}
		if sum <= 4*few {
			t.Errorf("%s: %d blocks of 4 live recordings, and %d of the file", name, sum, few)
		}
	}
}
