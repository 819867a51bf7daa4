//go:build ignore

// Writecurt makes curt.trc and curt.trcfmt: two processors run a shell, a compiler, a database and
// a kernel process, with the hooks that curt reads.
//
//	go run testdata/aix/writecurt.go testdata/aix
package main

import (
	"bytes"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/testkit/scripted"
)

func main() {
	var lines []line
	lines = append(lines, run(0, []thread{{5, 4, 0, "ksh"}, {6, 7, 0, "cc"}})...)
	lines = append(lines, run(1, []thread{{11, 10, 0, "db"}, {12, 10, 0, "db"}, {9, 3, 1, "lrud"}})...)
	slices.SortStableFunc(lines, func(a, b line) int { return a.time - b.time })
	var script strings.Builder
	for _, l := range lines {
		fmt.Fprintln(&script, l.cpu, l.time, l.tid, l.hook)
	}
	var trace bytes.Buffer
	if err := scripted.WriteHooks(&trace, script.String()); err != nil {
		log.Fatal(err)
	}
	for name, b := range map[string][]byte{"curt.trc": trace.Bytes(), "curt.trcfmt": []byte(scripted.HookTemplates)} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), b, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

type thread struct {
	tid, pid, kproc int
	name            string
}

// line is an event.
type line struct {
	cpu, time, tid int
	hook           string
}

// processor writes what happens on a processor.
type processor struct {
	cpu, time, tid int
	r              *rand.Rand
	lines          []line
	waits          map[int]bool // threads that are in a call
}

func run(cpu int, threads []thread) []line {
	p := &processor{cpu: cpu, time: 1_000_000, tid: 100 + cpu, r: rand.New(rand.NewPCG(29, uint64(cpu))), waits: map[int]bool{}}
	for p.time < 9_000_000 {
		th := threads[p.r.IntN(len(threads))]
		p.event(2, fmt.Sprintf("106 %d %d %d %s", th.tid, th.pid, th.kproc, th.name))
		p.tid = th.tid
		p.event(3, "200")
		p.work(th)
		if p.r.IntN(3) == 0 {
			p.event(1, fmt.Sprintf("10C %d", 100+cpu))
			p.tid = 100 + cpu
			p.event(2, "200")
			p.spend(300)
			p.interrupt("disk", "0x2f4c1a0")
		}
	}
	return p.lines
}

// event writes an event after some microseconds.
func (p *processor) event(us int, hook string) {
	p.time += us*1000 + p.r.IntN(1000)
	p.lines = append(p.lines, line{p.cpu, p.time, p.tid, hook})
}

// spend spends some microseconds, in which the clock may interrupt.
func (p *processor) spend(us int) {
	p.time += p.r.IntN(us * 1000)
	if p.r.IntN(4) == 0 {
		p.interrupt("clock", "0x2e11000")
	}
	p.time += p.r.IntN(us * 1000)
}

func (p *processor) interrupt(name, handler string) {
	p.event(0, "100 "+name)
	p.event(1, "102 "+handler)
	p.event(8, "103")
	p.event(1, "200")
}

// work is what a thread does until it is dispatched away.
func (p *processor) work(th thread) {
	if th.kproc == 1 {
		p.spend(60)
		return
	}
	if p.waits[th.tid] {
		p.event(4, "104 512 0")
		delete(p.waits, th.tid)
	}
	for range 1 + p.r.IntN(3) {
		p.spend(90)
		name := []string{"kread", "kwrite", "open", "statx"}[p.r.IntN(4)]
		p.event(0, "101 "+name)
		p.spend(25)
		switch {
		case name == "kread" && p.r.IntN(2) == 0:
			p.waits[th.tid] = true
			return
		case name == "open" && p.r.IntN(3) == 0:
			p.event(1, "104 -1 2")
		default:
			p.event(1, "104 3 0")
		}
	}
}
