package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/runtime/bind"
)

// small is a recording of the repository. Measurements must also work on it.
const small = "../../../testdata/ftrace/amd64-markers.dat"

func TestMeasurements(t *testing.T) {
	var walked int64
	for _, m := range measurements {
		n, err := m.run(small)
		if errors.Is(err, bind.ErrMissing) {
			continue // the recording lacks events that the decoders want
		}
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if m.name == pageWalk {
			walked = n
		}
		if m.name == timeWalk && n != walked {
			t.Errorf("%d records in time order, %d by CPU", n, walked)
		}
	}
	if walked == 0 {
		t.Error("no records")
	}
}

func TestReport(t *testing.T) {
	var sb strings.Builder
	list := []result{
		{name: plainRead, wall: time.Second, cpu: time.Second, bytes: 2e9},
		{name: typedTime, wall: 3 * time.Second, cpu: 2 * time.Second, bytes: 2e9, events: 8e6},
		{name: fullStruct, wall: time.Second, cpu: 2 * time.Second},
		{name: ownStruct, wall: time.Second, cpu: time.Second},
		{name: "tracec report", wall: time.Second, cpu: time.Second, bytes: 2e9, peak: 10 << 20},
		{name: "trace-cmd report", wall: 9 * time.Second, cpu: 8 * time.Second, bytes: 2e9, peak: 20 << 20},
	}
	writeReport(&sb, options{runs: 3, size: "2G", in: "x.dat"}, machine{cpu: "some"}, list)
	for _, want := range []string{
		"| sequential read | 1.000 | 1.000 |  | 2.000 |",
		"| typed decode, time order | 2.000 | 3.000 | 4.00 | 1.000 | 0.0000 |",
		"| tracec report | 1.000 | 1.000 | 8.00 | 2.000 |  | 10 MiB |",
		"`tracec report` is 8.0 times as fast as `trace-cmd report` and needs 0.50 of its memory",
		"typed decode in time order takes 2.00 times as long",
		"a struct of the user's with 3 of 7 fields takes 0.50 of the time of the full one",
	} {
		if !strings.Contains(sb.String(), want) {
			t.Errorf("no %q in\n%s", want, sb.String())
		}
	}
}

// TestPeaks: the table of hostile inputs is made from the log of a test of the command.
func TestPeaks(t *testing.T) {
	log := "=== RUN   TestHostileMemory/a_task_in_every_record\n" +
		"    hostile_linux_test.go:36: tracec trace-cmd report -w FILE: 63 MiB: exit 0, \n" +
		"=== RUN   TestHostileMemory/symbols\n" +
		"    hostile_linux_test.go:36: tracec report FILE: 41 MiB: exit 1, tracec: x: offset 7: corrupt\n"
	want := []peak{
		{"a task in every record", "trace-cmd report -w", 63, "exit 0,"},
		{"symbols", "report", 41, "exit 1, tracec: x: offset 7: corrupt"},
	}
	if got := peaks([]byte(log)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
