package textdump

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/lttng"
)

// printInfo is tracec info: what the headers say, and what a walk over all events finds.
func printInfo(ctx context.Context, job *report.Job) error {
	t, err := Open(job)
	if err != nil {
		return err
	}
	defer t.Close()
	i := t.Info()
	order := "little-endian"
	if i.BigEndian {
		order = "big-endian"
	}
	out := fmt.Appendf(nil, "LTTng trace, version %d.%d, %s, %d bit, alignment %d\n", i.Major, i.Minor, order, 8*i.WordSize, i.Alignment)
	out = fmt.Appendf(out, "clock: %d Hz, scale %d, starts at %d, times by the %s formula\n", i.StartFreq, i.FreqScale, i.StartTSC, formula(i.Formula))
	out = fmt.Appendf(out, "wall clock at the start: %d.%06d\n", i.StartSec, i.StartUsec)
	if i.FlightRecorder != 0 {
		out = append(out, "flight recorder\n"...)
	}
	out = fmt.Appendf(out, "%d files, %d markers, %d processors\n", len(t.Files()), len(t.Markers()), i.CPUs)
	var total int64
	for _, s := range t.Streams() {
		n, first, last, err := count(ctx, s)
		if err != nil {
			return t.Tell(job, err)
		}
		total += n
		out = appendFile(out, s.File(), n, first, last)
	}
	stats := t.DamageStats()
	out = fmt.Appendf(out, "%d events; %d damaged places, %d bytes left out\n", total, stats.Count, stats.Skipped)
	_, err = job.Out.Write(out)
	return t.Tell(job, err)
}

func formula(f lttng.Formula) string {
	return [...]string{"", "old", "new", "exact"}[f]
}

func appendFile(out []byte, f *lttng.File, n int64, first, last uint64) []byte {
	out = fmt.Appendf(out, "%-32s %8d events in %d sub-buffers, %d bytes", f.Path, n, f.Blocks, f.Size)
	if n > 0 {
		out = fmt.Appendf(out, ", %d.%09d .. %d.%09d", first/1e9, first%1e9, last/1e9, last%1e9)
	}
	if f.EventsLost > 0 {
		out = fmt.Appendf(out, ", %d events lost", f.EventsLost)
	}
	if f.Corrupt > 0 {
		out = fmt.Appendf(out, ", %d corrupt sub-buffers", f.Corrupt)
	}
	if f.Unclosed > 0 {
		out = fmt.Appendf(out, ", %d never closed", f.Unclosed)
	}
	return append(out, '\n')
}

// count walks one file.
func count(ctx context.Context, s *lttng.Stream) (n int64, first, last uint64, err error) {
	defer s.Close()
	for {
		records, err := s.Next()
		for i := range records {
			if n++; n == 1 {
				first = records[i].Time
			}
			last = max(last, records[i].Time)
		}
		if errors.Is(err, io.EOF) {
			return n, first, last, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return n, first, last, err
		}
	}
}
