package tracec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// inRounds adds ends of rounds to a recording from a little-endian pipe. It returns other
// recordings unchanged.
func inRounds(r *rand.Rand, data []byte) []byte {
	const headerSize, pipeHeader, tracingData = 8, 16, 66
	o := binary.LittleEndian
	if o.Uint64(data[8:]) != pipeHeader {
		return data
	}
	out, rest := data[:pipeHeader:pipeHeader], data[pipeHeader:]
	for len(rest) >= headerSize {
		n := int(o.Uint16(rest[6:]))
		if o.Uint32(rest) == tracingData {
			n += int(o.Uint32(rest[headerSize:])+7) &^ 7
		}
		if n < headerSize || n > len(rest) {
			break // damaged
		}
		out, rest = append(out, rest[:n]...), rest[n:]
		if r.IntN(8) == 0 {
			out = append(out, 68, 0, 0, 0, 0, 0, headerSize, 0)
		}
	}
	return append(out, rest...)
}

// TestRenderInSlices: the slices of a perf.data that workers walk through themselves give the whole
// recording, whatever is selected, also with damage. The name, the process and the frames of each
// event are the same.
func TestRenderInSlices(t *testing.T) {
	defer tracec.SetSliceBytes(500)()
	add := func(dst []byte, ev *tracec.Event) ([]byte, error) {
		dst = fmt.Appendf(dst, "%d %d %s %s/%d/%d lost %d: ", ev.Time, ev.CPU, ev.Type.Label, ev.Comm(), ev.Process(),
			ev.Task, ev.Lost)
		for _, f := range ev.AppendFrames(nil) {
			dst = fmt.Appendf(dst, "%x %s+%x %s ", f.Addr, f.Function, f.Offset, f.File)
		}
		dst, _ = ev.AppendText(dst)
		return append(dst, '\n'), nil
	}
	render := func(data []byte, workers int, opts ...tracec.Option) string {
		rec, err := perf.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "perf.data")
		if err != nil {
			return err.Error()
		}
		defer rec.Close()
		r, err := tracec.NewReader(rec, append(opts, tracec.WithThreads())...)
		if err != nil {
			return err.Error()
		}
		var text []byte
		err = r.Render(workers, func() func([]byte, *tracec.Event) ([]byte, error) { return add },
			func(block []byte) error {
				text = append(text, block...)
				return nil
			})
		for _, d := range rec.Damage() {
			text = fmt.Appendln(text, d)
		}
		return string(fmt.Appendln(text, r.Count(), err, rec.DamageStats()))
	}
	selections := [][]tracec.Option{
		nil, {tracec.WithEvents("sched:*")}, {tracec.WithFilter("COMM ~ 's*'")}, {tracec.WithTasks("swapper")},
		{tracec.WithRecords(record.Options{CPUs: []int32{1}})}, {tracec.WithLimit(20)},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range perftest.All(t) {
		if s.Dir != nil || len(s.Data) > 1<<20 {
			continue
		}
		for i := range needs.Cases(t, 3, 30) {
			data := bytes.Clone(inRounds(r, s.Data))
			for range i % 4 {
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
			for n, opts := range selections[:1+(i+len(s.Name))%len(selections)] {
				if want, got := render(data, 1, opts...), render(data, 3, opts...); got != want {
					t.Errorf("%s, %d, selection %d: %d bytes, want %d", s.Name, i, n, len(got), len(want))
				}
			}
		}
	}
}
