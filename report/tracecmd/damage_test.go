package tracecmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// TestDamage reports recordings with bytes changed or the end missing, in every mode and list: no
// panic, and an error only together with a message. (The walk itself is tested harder in
// runtime/ftrace.)
func TestDamage(t *testing.T) {
	original, err := os.ReadFile(filepath.Join(testdata, "amd64-markers.dat"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "damaged.dat")
	for seed := range uint64(60) {
		data := damage(original, seed)
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, opts := range []*Options{
			{}, {Texts: Texts{Plain: true}}, {Texts: Texts{Raw: true}},
			{Latency: true, TSDiff: true, Wakeup: true, AlignTS: true},
			{Lists: Lists{Endian: true}}, {Lists: Lists{CPUs: true, FirstEvent: true, LastEvent: true}},
			{Lists: Lists{Printk: true}}, {Lists: Lists{Functions: true}}, {Lists: Lists{EventNames: true}},
			{Lists: Lists{EventFormats: true}}, {Lists: Lists{Stat: true, Uname: true}},
		} {
			opts.Inputs = []Input{{Path: name}}
			warnings := 0
			err := Run(context.Background(), opts,
				&report.Job{Job: sources.Job{Warn: func(error) { warnings++ }}, Out: io.Discard})
			if errors.Is(err, report.ErrDamaged) != (warnings > 0) {
				t.Errorf("seed %d: error %v with %d messages", seed, err, warnings)
			}
		}
		job := &report.Job{Job: sources.Job{Path: name, Warn: func(error) {}}, Out: io.Discard}
		_, _ = info(context.Background(), job) // it may fail, not panic
	}
}

func damage(original []byte, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := bytes.Clone(original)
	for range 1 + r.IntN(20) {
		// Most of the middle is one packed section of symbols.
		at := r.IntN(min(2000, len(data)))
		if r.IntN(2) == 0 {
			at = len(data) - 1 - r.IntN(min(20_000, len(data)))
		}
		data[at] = byte(r.Uint32())
	}
	if r.IntN(4) == 0 {
		data = data[:r.IntN(len(data))]
	}
	return data
}
