package perf_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
	recorded "github.com/tracec/tracec/runtime/perf"
)

// header returns the header of a made recording, without the time and the missing features.
func header(t *testing.T, data []byte) string {
	t.Helper()
	s := &perftest.Sample{Data: data}
	text := printed(t, s, sources.Options{}, func(ctx context.Context, job *report.Job) error {
		return perf.PrintHeader(ctx, job, "7.2", perf.FullHeader)
	})
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "# missing features: ") && !capturedOn.MatchString(line) &&
			!strings.HasPrefix(line, "# data ") && !strings.HasPrefix(line, "# feat ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func damageOf(t *testing.T, data []byte) []*recorded.Damage {
	t.Helper()
	rec, err := recorded.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "made")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	return rec.Damage()
}

// TestDamagedSections damages each section of a recording. The header is then the header of a
// recording without the section. The place of the section is the only damage.
func TestDamagedSections(t *testing.T) {
	const table = 104 + 2*(128+16) + 16 + 8
	all := everyFeature(little)
	all = append(all[:len(all):len(all)], programFeatures(little)[1:]...)
	slices.SortFunc(all, func(a, b feature) int { return a.number - b.number })
	for i, s := range all {
		if s.parts == nil {
			continue
		}
		want := header(t, makeHeader(little, slices.Delete(slices.Clone(all), i, i+1)))
		whole := makeHeader(little, all)
		place := table + 16*i
		at := binary.LittleEndian.Uint64(whole[place:])
		for name, c := range map[string]struct {
			at, offset uint64
			put        func(data []byte)
		}{
			"empty": {at: at, put: func(b []byte) { little.PutUint64(b[place+8:], 0) }},
			"short": {at: at, put: func(b []byte) { little.PutUint64(b[place+8:], 1) }},
			"far":   {at: 1 << 40, put: func(b []byte) { little.PutUint64(b[place:], 1<<40) }},
			"large": {at: at, put: func(b []byte) { little.PutUint64(b[place+8:], 1<<40) }},
		} {
			data := bytes.Clone(whole)
			c.put(data)
			if d := cmp.Diff(want, header(t, data)); d != "" {
				t.Errorf("%v %s (-want +got):\n%s", recorded.Feature(s.number), name, d)
			}
			list := damageOf(t, data)
			if len(list) != 1 || list[0].Offset != int64(c.at) || list[0].File != "made" ||
				!strings.Contains(list[0].Err.Error(), recorded.Feature(s.number).String()) {
				t.Errorf("%v %s: %v", recorded.Feature(s.number), name, list)
			}
		}
	}
}

// TestNumbersOfSections gives each number in a section a value that is too large. All other
// sections are printed.
func TestNumbersOfSections(t *testing.T) {
	for _, sections := range [][]feature{everyFeature(little), programFeatures(little)} {
		for i, s := range sections {
			content := appendParts(little, nil, s.parts)
			without := slices.Delete(slices.Clone(sections), i, i+1)
			want := strings.Split(header(t, makeHeader(little, without)), "\n")
			for at := 0; at+4 <= len(content); at += 4 {
				if little.Uint32(content[at:]) == 0 { // the end of a text
					continue
				}
				bad := bytes.Clone(content)
				little.PutUint32(bad[at:], 0xfffffff0)
				with := slices.Clone(sections)
				with[i] = feature{s.number, []any{bad}}
				got := strings.Split(header(t, makeHeader(little, with)), "\n")
				if n := recorded.Feature(s.number); n == recorded.FeatureEventDesc || n == recorded.FeatureCPUs {
					continue // other values depend on it
				}
				for _, line := range want {
					if !slices.Contains(got, line) {
						t.Fatalf("%v, number at %d: %q is not in\n%s", recorded.Feature(s.number), at, line,
							strings.Join(got, "\n"))
					}
				}
			}
		}
	}
}

// TestUnknownSections names sections of newer versions by their number.
func TestUnknownSections(t *testing.T) {
	data := makeHeader(little, []feature{{3, []any{"machine"}}, {40, []any{"something new"}}})
	const line = "# feature 40: 68 bytes at 516, unknown\n"
	if got := header(t, data); !strings.Contains(got, line) || !strings.Contains(got, "# hostname : machine\n") {
		t.Errorf("%q is not in\n%s", line, got)
	}
	if list := damageOf(t, data); len(list) > 0 {
		t.Error(list)
	}
}

// TestHeaderMutants prints the headers of mutants.
func TestHeaderMutants(t *testing.T) {
	count, seed := needs.Mutants()
	if count == 0 {
		count = 100
	}
	r := rand.New(rand.NewPCG(seed, 39))
	all := [][]byte{makeHeader(little, everyFeature(little)), makeHeader(big, everyFeature(big)),
		makeHeader(little, programFeatures(little)), makePipe(big, everyFeature(big))}
	for i := range count {
		from := all[i%len(all)]
		data := bytes.Clone(from)
		for range 1 + r.IntN(3) {
			if b, _, _ := mutate.Blind(r, data, all[r.IntN(len(all))]); len(b) > 0 {
				data = b
			}
		}
		copy(data, from[:min(len(data), 104)])
		header(t, data)
	}
}
