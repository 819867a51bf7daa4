package ftrace_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestWorkersChangeNothing checks that records, damage and losses of packed recordings, intact or
// damaged, do not depend on the number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, v := range variants() {
		if v.Compression == "" {
			continue
		}
		intact := fill(v).Bytes()
		for i := range needs.Cases(t, 12, 60) {
			b := intact
			if i > 0 {
				b = mutate(r, intact)
			}
			memory := int64(0)
			if i%3 == 1 {
				memory = record.MinMemory
			}
			want := readAll(b, record.Options{Workers: 1}, memory)
			for _, o := range []record.Options{{Workers: 2}, {Workers: 7}} {
				if d := cmp.Diff(want, readAll(b, o, memory)); d != "" {
					t.Fatalf("%s, mutant %d, %d workers (-1 +n):\n%s", variantName(&v), i, o.Workers, d)
				}
			}
		}
	}
}

// readAll returns all results of a recording as text.
func readAll(b []byte, o record.Options, memory int64) (all []string) {
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "x.dat", ftrace.WithMemory(memory))
	if err != nil {
		return []string{err.Error()}
	}
	defer rec.Close()
	m := rec.Merge(ftrace.StreamOptions{Options: o})
	for x := range m.All() {
		all = append(all, fmt.Sprint(*x))
	}
	all = append(all, fmt.Sprint(m.Err()))
	for _, d := range rec.Damage() {
		all = append(all, fmt.Sprint(d, d.Skipped))
	}
	return append(all, fmt.Sprint(rec.DamageStats()))
}

// TestNoGoroutineIsLeft checks streams that are not read to their end.
func TestNoGoroutineIsLeft(t *testing.T) {
	v := variants()
	before := runtime.NumGoroutine()
	for i := range v {
		b := fill(v[i]).Bytes()
		rec := openBytes(t, b)
		s := rec.Streams(ftrace.StreamOptions{Options: record.Options{Workers: 4}})
		for j := range s {
			for range i % 3 {
				s[j].Next()
			}
		}
		rec.Close()
	}
	for wait := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(wait) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
