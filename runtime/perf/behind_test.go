package perf

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/record"
)

// TestDataBehindRecords: data after a record are skipped, whatever they look like. If the file ends
// within them, this is damage at their begin, in files, in pipes and in files that grow.
func TestDataBehindRecords(t *testing.T) {
	behind := bytes.Repeat(sampled(99), 10000) // more than a block
	size := len(behind)
	for name, before := range map[string][]byte{
		"AUXTRACE":     madeRecord(Auxtrace, 0, size, 0, 0, 0, 0, 0),
		"TRACING_DATA": madeRecord(TracingData, 0, size),
	} {
		t.Run(name, func(t *testing.T) {
			head := append(madePipe(madeAttr(HasTID|HasTime, uint64(SampleIDAll)), sampled(10)), before...)
			whole := append(append(bytes.Clone(head), behind...), sampled(20)...)
			for _, missing := range []int{-len(sampled(20)), 1, size / 2, size} {
				data := whole[:len(head)+size-missing]
				want, told := []uint64{10}, strings.Count(name, "TRACING") // which comes after the first sample
				if missing < 0 {
					want = append(want, 20)
				} else {
					told++
				}
				for i, r := range openedAll(t, data) {
					var got []uint64
					each(r, func(x *record.Record, e *Entry, _ record.Thread) {
						if e.Event.Attr != nil {
							got = append(got, x.Time)
						}
					})
					if d := cmp.Diff(want, got); d != "" {
						t.Errorf("%d bytes missing, opened by way %d: %s", missing, i, d)
					}
					list := r.Damage()
					if len(list) != told {
						t.Fatalf("%d bytes missing, opened by way %d: damage %v", missing, i, list)
					}
					if missing < 0 {
						continue
					}
					d := list[told-1]
					if d.File != "made" || d.Offset != int64(len(head)) || d.Skipped != int64(size-missing) ||
						!errors.Is(d, ErrTruncated) || !strings.Contains(d.Error(), name) {
						t.Errorf("%d bytes missing, opened by way %d: %v", missing, i, d)
					}
				}
			}
		})
	}
}

// TestCutTracingData: incomplete tracing data that describe a pipe are reported once.
func TestCutTracingData(t *testing.T) {
	head := madePipe(madeAttr(HasTID|HasTime, uint64(SampleIDAll)), madeRecord(TracingData, 0, 1000))
	data := append(bytes.Clone(head), bytes.Repeat([]byte{1}, 500)...)
	for i, r := range openedAll(t, data) {
		each(r, func(*record.Record, *Entry, record.Thread) {})
		cut := 0
		for _, d := range r.Damage() {
			if errors.Is(d, ErrTruncated) {
				cut++
			}
			if d.Offset != int64(len(head)) {
				t.Error(d)
			}
		}
		if cut != 1 {
			t.Errorf("opened by way %d: damage %v", i, r.Damage())
		}
	}
}

// openedAll opens a recording as a file, a pipe and a file that has grown.
func openedAll(t *testing.T, data []byte) []*Recording {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "made"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	until, end := context.WithCancel(t.Context())
	end()
	piped, err := OpenReader(bytes.NewReader(data), "made")
	grown, err2 := OpenFollowed(folder.Open(dir), "made", "made", record.Follow{Until: until})
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { errors.Join(piped.Close(), grown.Close()) })
	return []*Recording{openMade(t, data), piped, grown}
}
