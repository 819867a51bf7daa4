package report

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/report/facts"
)

func TestTally(t *testing.T) {
	var got Tally
	type key struct{ event, cpu, task int64 }
	want := map[key]int64{}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		e, cpu, task := rng.Int64N(50), rng.Int64N(8)-1, rng.Int64N(3000)*1_000_003-500
		if i%7 == 0 {
			task = NoTask
		}
		got.Add(uint32(e), int32(cpu), task, uint64(1000+i%4999))
		want[key{event: e, cpu: -2, task: -2}]++
		want[key{event: -2, cpu: cpu, task: -2}]++
		want[key{event: -2, cpu: -2, task: task}]++
	}
	b := got.Buffer("", Names{
		Event: func(n uint32) EventName { return EventName{ID: facts.Number(n)} },
		Task:  func(int64) string { return "" },
		Time:  func(uint64) string { return "" },
	})
	check := func(rows []StatRow, key func(id int64) key) {
		t.Helper()
		sum, last := int64(0), int64(1<<62)
		for _, r := range rows {
			if r.Count != want[key(r.number())] || r.Count > last {
				t.Errorf("%d: %d events, want %d; %d before", r.number(), r.Count, want[key(r.number())], last)
			}
			sum, last = sum+r.Count, r.Count
			delete(want, key(r.number()))
		}
	}
	check(b.ByEvent, func(id int64) key { return key{id, -2, -2} })
	check(b.ByCPU, func(id int64) key { return key{-2, id, -2} })
	check(b.ByThread, func(id int64) key { return key{-2, -2, id} })
	delete(want, key{-2, -1, -2})
	delete(want, key{-2, -2, NoTask})
	if len(want) > 0 || b.Count != 20000 {
		t.Errorf("%d rows are missing, %d events", len(want), b.Count)
	}
}

func TestTallyIsBounded(t *testing.T) {
	const most = 1000
	got := Tally{Memory: 2 * most * taskBytes}
	for i := range int64(most + 10) {
		got.Add(0, 1<<30, i, 5)
	}
	if got.tasks.used != most || got.tasks.others.N != 10 || len(got.CPUs) != 0 {
		t.Errorf("%d threads, %d others, %d processors", got.tasks.used, got.tasks.others.N, len(got.CPUs))
	}
}

func TestTallyDoesNotAllocate(t *testing.T) {
	var got Tally
	add := func() {
		for i := range 1000 {
			got.Add(uint32(i%9), int32(i%4), int64(i%40), uint64(i))
		}
	}
	add()
	if n := testing.AllocsPerRun(10, add); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCount(t *testing.T) {
	var c Count
	for _, time := range []uint64{5, 3, 9, 4} {
		c.Add(time)
	}
	if d := cmp.Diff(Count{4, 3, 9}, c); d != "" {
		t.Error(d)
	}
}
