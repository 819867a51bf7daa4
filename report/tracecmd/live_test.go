package tracecmd

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

// flushes counts the bytes of each write.
type flushes struct {
	bytes.Buffer
	count int
}

func (f *flushes) Write(b []byte) (int, error) {
	f.count++
	return f.Buffer.Write(b)
}

// TestLivePrintsTheFile: a recording that grows is printed as the file is, in parts as they come.
func TestLivePrintsTheFile(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		needs.Skip(t, "need a machine with the byte order of the recordings")
	}
	r := rand.New(rand.NewPCG(14, 2))
	writes := 0
	for _, c := range []struct {
		name    string
		options report.Options
	}{
		{"amd64-syscalls", report.Options{}},
		{"amd64-syscalls", report.Options{Options: selection.Options{Events: []string{"sys_enter_*"}}, Raw: true}},
		{"amd64-syscalls", report.Options{Options: selection.Options{Filters: []string{"syscalls: __syscall_nr < 20"}}}},
		{"amd64-markers", report.Options{Plain: true}},
		{"amd64-triggers", report.Options{Options: selection.Options{CPUs: selection.CPUSet{{First: 0, Last: 0}}}}},
		{"made-kmem", report.Options{}},
	} {
		path := "../../testdata/ftrace/" + c.name + ".dat"
		print := func(rec *ftrace.Recording) *flushes {
			var out flushes
			job := &report.Job{Job: sources.Job{Path: path, Workers: 1,
				Warn: func(err error) { t.Errorf("%s: %v", c.name, err) }}, Out: &out}
			if rec != nil {
				job.Recording = rec
			}
			if err := run(context.Background(), job, &c.options); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			return &out
		}
		rec, err := ftrace.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Buffers()) > 1 || rec.Info().Date != 0 || rec.Info().Offset != 0 {
			t.Fatalf("%s has more than one buffer, or its times are not those recorded", c.name)
		}
		rec.Close()
		want := print(nil)
		for range 3 {
			got := print(livetest.Open(t, path, r))
			writes += got.count - want.count
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("%s, %+v (-file +live):\n%.2000s", c.name, c.options, diff)
			}
		}
	}
	if writes < 20 {
		t.Errorf("%d writes more than for files: lines wait for those after them", writes)
	}
}
