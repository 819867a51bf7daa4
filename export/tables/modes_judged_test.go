package tables_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// A trap is an event of a drawn machine that runs AIX.
type trap struct {
	cpu, time, tid int
	id, args       string
	text           string // name in args
	truth          doing  // activity of the processor after the event
}

// doing is the activity of a processor.
type doing struct {
	mode, name string
	tid        int // 0 if unknown
}

// machine draws the activity of a machine.
type machine struct {
	r       *rand.Rand
	time    int
	cpus    [3]drawnCPU
	threads [8]drawnThread
}

type drawnCPU struct {
	levels []doing
	thread int // index of the thread; -1 for the idle thread
}

type drawnThread struct {
	call string // "" outside of calls
	cpu  int    // -1 if it does not run
}

// kernel reports whether a thread belongs to a kernel process.
func kernel(thread int) bool { return thread%4 == 3 }

func newMachine(seed uint64) *machine {
	m := &machine{r: rand.New(rand.NewPCG(seed, 11)), time: 1000}
	for i := range m.threads {
		if m.threads[i].cpu = -1; !kernel(i) && m.r.IntN(2) == 0 {
			m.threads[i].call = "early"
		}
	}
	for i := range m.cpus {
		m.cpus[i].thread, m.threads[i].cpu = i, i
	}
	return m
}

func (m *machine) tid(cpu int) int {
	if th := m.cpus[cpu].thread; th >= 0 {
		return 10 + th
	}
	return 100 + cpu
}

// doing returns the activity of a processor.
func (m *machine) doing(cpu int) doing {
	p := &m.cpus[cpu]
	if n := len(p.levels); n > 0 {
		d := p.levels[n-1]
		d.tid = m.tid(cpu)
		return d
	}
	switch th := p.thread; {
	case th < 0:
		return doing{"IDLE", "", m.tid(cpu)}
	case kernel(th):
		return doing{"KPROC", "", m.tid(cpu)}
	case m.threads[th].call != "":
		return doing{"SYSCALL", m.threads[th].call, m.tid(cpu)}
	}
	return doing{"APPLICATION", "", m.tid(cpu)}
}

// next draws an event.
func (m *machine) next() trap {
	cpu := m.r.IntN(len(m.cpus))
	m.time += 1 + m.r.IntN(40)
	p := &m.cpus[cpu]
	e := trap{cpu: cpu, time: m.time, tid: m.tid(cpu)}
	switch n := len(p.levels); {
	case n == 0 && p.thread >= 0 && !kernel(p.thread) && m.r.IntN(3) > 0:
		m.call(&e, &m.threads[p.thread])
	case n == 0 && m.r.IntN(2) == 0, n == 1 && p.levels[0].mode == "FLIH" && m.r.IntN(3) == 0:
		m.dispatch(&e)
	case n == 0, n < 5 && p.levels[n-1].mode != "FLIH" && m.r.IntN(3) == 0:
		e.enters(p, "100", "FLIH", fmt.Sprint("type", m.r.IntN(3)))
	case p.levels[n-1].mode == "FLIH" && (n == 1 || p.levels[n-2].mode != "SLIH") && m.r.IntN(2) == 0:
		e.enters(p, "102", "SLIH", fmt.Sprintf("0x%x", 16+m.r.IntN(3)))
	case p.levels[n-1].mode == "SLIH":
		e.id, p.levels = "103", p.levels[:n-1]
	default:
		e.id, p.levels = "200", p.levels[:n-1]
	}
	e.truth = m.doing(cpu)
	return e
}

// call begins or ends a system call.
func (m *machine) call(e *trap, th *drawnThread) {
	if th.call != "" {
		e.id, e.args, th.call = "104", "0 0", ""
		return
	}
	th.call = fmt.Sprint("call", m.r.IntN(4))
	e.id, e.args, e.text = "101", th.call, th.call
}

// enters enters a handler.
func (e *trap) enters(p *drawnCPU, id, mode, name string) {
	e.id, e.args, e.text = id, name, name
	p.levels = append(p.levels, doing{mode: mode, name: name})
}

// dispatch dispatches a thread that does not run, or the idle thread.
func (m *machine) dispatch(e *trap) {
	p := &m.cpus[e.cpu]
	if p.thread >= 0 {
		m.threads[p.thread].cpu = -1
	}
	p.thread = m.r.IntN(len(m.threads)+3) - 3
	if p.thread < 0 || m.threads[p.thread].cpu >= 0 {
		p.thread = -1
		e.id, e.args, p.levels = "10C", fmt.Sprint(100+e.cpu), []doing{{mode: "IDLE DISPATCH"}}
		return
	}
	m.threads[p.thread].cpu = e.cpu
	kproc := 0
	if kernel(p.thread) {
		kproc = 1
	}
	e.id, e.args, p.levels = "106", fmt.Sprintf("%d %d %d p", 10+p.thread, 50+p.thread/2, kproc),
		[]doing{{mode: "DISPATCH"}}
}

// draw draws a recording. With losses, some events before an event of hook 006 are missing.
func draw(seed uint64, n int, losses bool) (list []trap) {
	m := newMachine(seed)
	for len(list) < n {
		e := m.next()
		if losses && m.r.IntN(150) == 0 {
			for range m.r.IntN(20) {
				e = m.next()
			}
			e.id, e.args = "006", ""
		}
		list = append(list, e)
	}
	return list
}

// A naive evaluation follows. It has no state: for each time between two events of a processor it
// searches the earlier events for the state.

// segment holds events without a loss between them.
type segment []trap

// before returns the index of the previous event of the same processor, or -1.
func (s segment) before(i int) int {
	for k := i - 1; k >= 0; k-- {
		if s[k].cpu == s[i].cpu {
			return k
		}
	}
	return -1
}

// partner returns the index of the event that begins the handler or the call that event i ends, or
// -1.
func (s segment) partner(i int, begins string) int {
	open := 1
	for k := s.before(i); k >= 0; k = s.before(k) {
		switch {
		case s[k].id == s[i].id:
			open++
		case strings.Contains(begins, s[k].id):
			if open--; open == 0 {
				return k
			}
		}
	}
	return -1
}

// thread returns the thread that a processor runs after an event, or 0 if unknown.
func (s segment) thread(i int) int {
	for k := i; k >= 0; k = s.before(k) {
		switch s[k].id {
		case "106", "10C":
			var tid int
			fmt.Sscan(s[k].args, &tid)
			return tid
		case "100", "101", "104":
			return s[k].tid
		}
	}
	return 0
}

// after returns the mode and the name after an event, or "" if unknown.
func (s segment) after(i int) (mode, name string) {
	switch s[i].id {
	case "100":
		return "FLIH", s[i].text
	case "102":
		return "SLIH", s[i].text
	case "106":
		return "DISPATCH", ""
	case "10C":
		return "IDLE DISPATCH", ""
	case "101", "104":
		return s.base(i, s[i].tid)
	case "103": // to the caller of the handler that returns
		if k := s.partner(i, "102"); k >= 0 && s.before(k) >= 0 {
			if mode, name = s.after(s.before(k)); mode != "" {
				return mode, name
			}
		}
		return "FLIH", ""
	}
	k := s.partner(i, "100 106 10C")
	switch {
	case k < 0:
		return "", ""
	case s[k].id == "10C":
		return "IDLE", ""
	case s[k].id == "106":
		return s.base(i, s.thread(k))
	case s.before(k) < 0:
		return "", ""
	}
	return s.after(s.before(k))
}

// base returns the mode and the name of a thread without interrupts.
func (s segment) base(i, tid int) (mode, name string) {
	for k := i; k >= 0; k-- {
		switch {
		case s[k].id == "106" && strings.HasPrefix(s[k].args, fmt.Sprint(tid, " ")) && kernel(tid-10):
			return "KPROC", ""
		case s[k].tid != tid:
		case s[k].id == "101":
			return "SYSCALL", s[k].text
		case s[k].id == "104":
			return "APPLICATION", ""
		}
	}
	return "", ""
}

// spent is a time of a processor with one activity.
type spent struct {
	doing
	cpu, begin, end int
}

// times returns the times of all processors between their events.
func (s segment) times() (list []spent) {
	ends := map[string]string{"101": "APPLICATION", "104": "SYSCALL", "102": "FLIH", "103": "SLIH"}
	for j := range s {
		i := s.before(j)
		if i < 0 {
			continue
		}
		t := spent{cpu: s[j].cpu, begin: s[i].time, end: s[j].time}
		if t.mode, t.name = s.after(i); t.mode == "" {
			t.mode = ends[s[j].id]
		}
		t.tid = s.thread(i)
		if id := s[j].id; t.tid == 0 && (id == "100" || id == "101" || id == "104") {
			t.tid = s[j].tid
		}
		list = append(list, t)
	}
	return list
}

// calls returns the system calls with the time that each thread spent in the call.
func (s segment) calls(times []spent) (list []string) {
	for j := range s {
		i := j - 1
		for i >= 0 && (s[i].tid != s[j].tid || s[i].id != "101") {
			i--
		}
		if s[j].id != "104" || i < 0 {
			continue
		}
		onCPU := 0
		for _, t := range times {
			if t.tid == s[j].tid && t.mode == "SYSCALL" && t.begin >= s[i].time && t.end <= s[j].time {
				onCPU += t.end - t.begin
			}
		}
		list = append(list, fmt.Sprint(s[i].time, " ", s[j].time, " ", s[j].tid, " ", s[i].text, " ", onCPU))
	}
	return list
}

// TestModesNaive: on three processors with lost buffers, times equal the naive evaluation's, and
// known activities are those of the drawn machine.
func TestModesNaive(t *testing.T) {
	for seed := range uint64(needs.Cases(t, 2, 40)) {
		losses := seed%2 == 1
		list := draw(seed, 1500, losses)
		var script strings.Builder
		truth := map[string]doing{}
		var want, calls []string
		wantSums := map[string]int{}
		begin := 0
		for i, e := range list {
			fmt.Fprintln(&script, e.cpu, e.time, e.tid, e.id, e.args)
			truth[fmt.Sprint(e.cpu, " ", e.time)] = e.truth
			if e.id != "006" && i < len(list)-1 {
				continue
			}
			end := i
			if e.id != "006" {
				end++
			}
			s := segment(list[begin:end])
			times := s.times()
			for _, x := range times {
				want = append(want, fmt.Sprint(x.begin, " ", x.end, " ", x.cpu, " ", x.tid, " ", x.mode, " ", x.name))
				wantSums[x.mode+" "+x.name] += x.end - x.begin
			}
			calls = append(calls, s.calls(times)...)
			begin = i + 1
		}
		rec, opt := scripted.OpenHooks(t, scripted.HookTemplates, script.String())
		var got, gotCalls []string
		sums := map[string]int{}
		w := tables.NewWalk(rec, opt)
		err := tables.CPUModes.Collect(w, func(row *tables.Mode) bool {
			dur, ok := row.Dur()
			if !ok {
				return true
			}
			tid := 0
			if row.Thread != nil {
				tid = int(row.Thread.TID)
			}
			got = append(got, fmt.Sprint(row.Begin, " ", row.End, " ", row.CPU, " ", tid, " ", row.Mode, " ", row.Name))
			sums[row.Mode+" "+row.Name] += int(dur)
			is := truth[fmt.Sprint(row.CPU, " ", row.Begin)]
			if row.Mode != "" && row.Mode != is.mode || row.Name != "" && row.Name != is.name ||
				tid != 0 && tid != is.tid {
				t.Errorf("seed %d: %+v is %+v", seed, row, is)
			}
			return true
		})
		if err == nil {
			err = tables.Syscalls.Collect(w, func(row *tables.Syscall) bool {
				if _, ok := row.Dur(); ok && row.OnCPU >= 0 {
					gotCalls = append(gotCalls, fmt.Sprint(row.Begin, " ", row.End, " ", row.Thread.TID, " ", row.Name,
						" ", row.OnCPU))
				}
				return true
			})
		}
		if err == nil {
			err = w.Run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range [][]string{want, got, calls, gotCalls} {
			slices.Sort(l)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
		if d := cmp.Diff(calls, gotCalls); d != "" || len(calls) < 50 {
			t.Fatalf("seed %d: %d calls: %s", seed, len(calls), d)
		}
		if !maps.Equal(wantSums, sums) {
			t.Errorf("seed %d: %v, not %v", seed, sums, wantSums)
		}
	}
}
