package ctf_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// smallSamples returns the files of samples that are quick to open.
func smallSamples(t *testing.T) (list []fstest.MapFS) {
	for _, group := range []string{"odd", "random", "fields"} {
		for _, s := range needs.Some(t, ctftest.Samples(t, group), 12) {
			files, size := fstest.MapFS{}, 0
			err := fs.WalkDir(s.Dir, ".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := fs.ReadFile(s.Dir, path)
				files[path] = &fstest.MapFile{Data: data}
				size += len(data)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if size < 16<<10 {
				list = append(list, files)
			}
		}
	}
	return append(list, small(3))
}

// TestMutants reads mutants of metadata and of packets. Reading ends, with the memory of the
// recording, and damage has a place.
func TestMutants(t *testing.T) {
	list := smallSamples(t)
	count, seed := needs.Mutants()
	if count == 0 {
		count = 200
	}
	r := rand.New(rand.NewPCG(seed, 37))
	damaged := 0
	for range count {
		files := list[r.IntN(len(list))]
		names := make([]string, 0, len(files))
		for name, f := range files {
			if len(f.Data) > 0 && (r.IntN(3) == 0 || !strings.HasSuffix(name, "metadata")) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if len(names) == 0 {
			continue
		}
		name := names[r.IntN(len(names))]
		donor := list[r.IntN(len(list))]["metadata"]
		bad := change(files, name, func(b []byte) []byte {
			var other []byte
			if donor != nil {
				other = donor.Data
			}
			for range 1 + r.IntN(3) {
				if b, _, _ = mutate.Blind(r, b, other); len(b) == 0 {
					break
				}
			}
			return b
		})
		if readMutant(t, bad) {
			damaged++
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d mutants, %d damaged, %d MiB of the system", count, damaged, m.Sys>>20)
}

// readMutant reads a trace and reports whether it is damaged.
func readMutant(t *testing.T, files fstest.MapFS) bool {
	rec, err := ctf.OpenFS(files, "trace", ctf.WithMemory(record.MinMemory))
	if err != nil {
		return true
	}
	defer rec.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	m := rec.Merge(record.Options{Context: ctx})
	for range m.All() {
	}
	if ctx.Err() != nil {
		t.Fatal("it does not end")
	}
	readPackets(t, rec)
	for _, d := range rec.Damage() {
		if d.Offset < 0 || d.Skipped < 0 || d.Err == nil || d.File == "" {
			t.Fatalf("%+v", d)
		}
	}
	return rec.DamageStats().Count > 0
}

// readPackets reads the packets and the overlaps of a recording. It checks the limits of a batch,
// 256 events and 256 packets.
func readPackets(t *testing.T, rec *ctf.Recording) {
	rec.Overlaps()
	for _, s := range rec.Streams(record.Options{}) {
		packets := 0
		s.OnPacket(func(p *ctf.Packet) {
			if packets++; p.Class == nil || p.Before < 0 || p.Before > 256 {
				t.Fatalf("%+v", p)
			}
		})
		for {
			packets = 0
			b, err := s.Next()
			if err != nil {
				break
			}
			if packets > 256 {
				t.Fatalf("%d packets of a batch of %d", packets, len(b.Records))
			}
		}
		s.Close()
	}
}
