package trcrpt

import (
	"math/rand/v2"
	"testing"
)

// TestRow: lines copied from a row equal lines built column by column.
func TestRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() bool { return rng.IntN(3) == 0 }
	number := func() int64 { // a number of any length
		v := int64(rng.Uint64() >> rng.IntN(64))
		if rng.IntN(8) == 0 {
			v = -v
		}
		return v
	}
	word := func() string { return "a_word_that_is_longer_than_any"[:rng.IntN(30)] }
	for range 2000 {
		o := Options{Values: some(), Settings: Settings{Exec: some(), CPUID: some(), ReportedCPUs: some(), PID: some(),
			TID: some(), SVC: some(), FileName: some(), PURR: some(), NoIDs: some(), Timestamp: rng.IntN(4)}}
		c := newColumns(&o)
		var l line
		for range 30 {
			l.id, l.delta = []string{"101", "1B1", "F5F1"}[rng.IntN(3)], rng.Int64N(1e6)
			l.code = idCode(l.id)
			l.elapsed += l.delta
			if some() {
				l.elapsed, l.delta = number(), number()
			}
			if some() {
				l.tid = uint64(number())
			}
			if some() {
				l.state = state{process: word(), path: word(), cpu: int(number()), reported: rng.IntN(9), pid: number(),
					depth: rng.IntN(3), svc: word(), file: word()}
			}
			l.purr, l.hasPURR = rng.Uint64(), some()
			level := levelWidth * rng.IntN(4)
			got := string(c.append([]byte("before"), &l, level))
			dst := c.appendPushed([]byte("before"), &l)
			if want := string(reach(dst, len("before"), c.base+level)); got != want {
				t.Fatalf("%+v\n%+v\ngot  %q\nwant %q", o, l, got, want)
			}
		}
	}
}
