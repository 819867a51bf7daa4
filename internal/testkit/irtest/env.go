package irtest

import (
	"strconv"

	"github.com/tracec/tracec/runtime/render"
)

// Env returns an Env for tests. Its facts are numbers and texts that depend only on their id, and
// its hooks have timers. Two Envs with the same calls give the same results. An Env is for one
// goroutine.
func Env(bigEndian bool, wordSize int) *render.Env {
	w := &world{}
	return &render.Env{BigEndian: bigEndian, WordSize: wordSize, Facts: w, Hooks: w, Outcome: &render.Outcome{}}
}

// world replaces a recording. Its memory is fixed, so that it never allocates.
type world struct {
	clock  uint64
	timers [8]uint64 // start times; 0 if not running
}

func (w *world) Fact(id render.Fact) uint64 { return uint64(id) * 0x9e3779b97f4a7c15 }

func (w *world) FactText(dst []byte, id render.Fact) []byte {
	if id%3 == 0 {
		return dst // unknown text
	}
	return strconv.AppendUint(append(dst, "fact"...), uint64(id), 10)
}

func (w *world) StartTimer(a, b uint64) {
	w.clock++
	w.timers[(a+3*b)%8] = w.clock
}

func (w *world) EndTimer(a, b uint64) (uint64, bool) {
	w.clock += 7
	start := &w.timers[(a+3*b)%8]
	us, ok := w.clock-*start, *start != 0
	*start = 0
	return us, ok
}

func (w *world) ProcessPath(dst []byte, pid uint64) ([]byte, bool) {
	if pid%2 == 0 {
		return dst, false
	}
	return append(dst, "/usr/bin/ksh"...), true
}

func (w *world) Call(dst []byte, name string, args render.HookArgs) []byte {
	w.clock++
	dst = append(append(dst, name...), '(')
	for _, v := range args.V[:args.N] {
		dst = append(strconv.AppendUint(dst, v, 10), ',')
	}
	return append(strconv.AppendUint(dst, w.clock, 10), ')')
}
