package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/tracec/tracec/runtime/aix"
)

// writeAIX writes a 64-bit stream of about size bytes with the hooks of templates/busy.trcfmt.
// Every eighth hook is from a 32-bit program, the others are from 64-bit programs. The same size
// gives the same stream. If drawn is set, each hook is drawn independently, with the same
// frequencies. Otherwise hooks follow each other as in a system.
func writeAIX(name string, size int64, drawn bool) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := bufio.NewWriterSize(f, 1<<20)
	counted := &counter{w: buf}
	t := &busySystem{w: aix.NewWriter(counted, aix.WriterOptions{Kernel64: true}), rng: rand.New(rand.NewPCG(1, 2))}
	t.w.CPU = -1
	t.w.Clock(aix.Clock{Mul: 125, Div: 64, Type: aix.ClockTimeBase})
	turn := t.turn
	if drawn {
		turn = t.draw
	}
	for counted.n < size {
		turn()
	}
	if err := t.w.Flush(); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// counter counts written bytes.
type counter struct {
	w *bufio.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// busySystem simulates the processes of a system.
type busySystem struct {
	w   *aix.Writer
	rng *rand.Rand
}

// turn runs another thread for a while. As in real programs, it repeats the same calls, and is
// sometimes interrupted.
func (t *busySystem) turn() {
	w := t.w
	is64 := t.dispatch()
	does := [...]func(){t.read, t.read, t.open, t.fault, t.ask, t.message}[t.rng.IntN(6)]
	for range 2 + t.rng.IntN(8) {
		w.App64 = is64
		does()
		if t.rng.IntN(4) == 0 {
			w.App64 = true
			t.interrupt()
		}
	}
}

// dispatch switches to another thread, and reports whether it belongs to a 64-bit program.
func (t *busySystem) dispatch() bool {
	w, thread := t.w, t.rng.Uint64N(400)
	w.App64 = true
	t.step()
	w.TRCHKL5T(0x10600000|uint32(thread&3), 100+thread/4, thread, 60, w.TID, 0xF00000002FF47600)
	w.TID = thread
	return thread%8 != 0
}

// draw writes one event. Its hook is independent of other hooks.
func (t *busySystem) draw() {
	a := t.step()
	t.w.App64 = t.w.TID%8 != 0
	switch t.rng.IntN(40) {
	case 0, 1:
		t.dispatch()
	case 2, 3, 4:
		t.w.App64 = true
		t.w.TRCHKL2T(0x10000005, a, 5)
	case 5, 6, 7:
		t.w.App64 = true
		t.w.TRCHKL1T(0x20000005, a)
	case 8, 9:
		t.w.TRCHKL2T(0x1B200000|uint32(a%4), a, a>>8)
	case 10, 11:
		t.w.TRCHKL3T(0x1B000001, a>>8, a, a&0xF)
	case 12, 13:
		t.lookup(a)
	case 14, 15:
		t.w.TRCHKL2T(0x15B00007, a&0o777, a%3)
	case 16, 17:
		t.say(a)
	case 18, 19:
		t.w.TRCHKL3T(0x2F000000|uint32(a&7), 1, a, a+8)
	case 20, 21, 22, 23:
		t.w.TRCHKL3T(0x16300004, a, 4096, a%4096)
	case 24, 25, 26, 27, 28, 29, 30, 31:
		t.w.TRCHKL2T(0x10100003, a, a+64)
	default:
		t.w.TRCHKL2T(0x10400003, a&0xFFF, 0)
	}
}

// step advances the time and returns a number that is usually an address.
func (t *busySystem) step() uint64 {
	t.w.Now += 40 + t.rng.Uint64N(2000)
	return t.rng.Uint64N(1 << 40)
}

func (t *busySystem) interrupt() {
	a := t.step()
	t.w.TRCHKL2T(0x10000005, a, 5)
	t.step()
	t.w.TRCHKL1T(0x20000005, a)
}

// call writes a system call and the events inside it.
func (t *busySystem) call(number uint32, within func(a uint64)) {
	a := t.step()
	t.w.TRCHKL2T(0x10100000|number, a, a+64)
	within(t.step())
	t.step()
	t.w.TRCHKL2T(0x10400000|number, a&0xFFF, 0)
}

func (t *busySystem) ask() { t.call(20, func(uint64) {}) }

func (t *busySystem) read() {
	t.call(3, func(a uint64) { t.w.TRCHKL3T(0x16300004, a, 4096, a%4096) })
}

var paths = []string{"/usr/lib/objrepos/product", "/etc/passwd", "/tmp/vgdata.files", "/unix", "/usr/bin/ksh"}

func (t *busySystem) open() {
	t.call(5, func(a uint64) {
		t.lookup(a)
		t.w.TRCHKL2T(0x15B00007, a&0o777, a%3)
	})
}

func (t *busySystem) lookup(a uint64) {
	var name [64]byte
	copy(name[:], paths[a%uint64(len(paths))])
	t.w.TRCGENT(0x10700000, a, name[:])
}

func (t *busySystem) fault() {
	a := t.step()
	t.w.TRCHKL2T(0x1B200000|uint32(a%4), a, a>>8)
	t.step()
	t.w.TRCHKL3T(0x1B000001, a>>8, a, a&0xF)
}

func (t *busySystem) message() {
	a := t.step()
	t.say(a)
	t.w.TRCHKL3T(0x2F000000|uint32(a&7), 1, a, a+8)
}

func (t *busySystem) say(a uint64) {
	text := fmt.Appendf(nil, "\x00\x00message %d", a%1000)
	text[1] = byte(len(text) - 2)
	t.w.TRCGENT(0x2F100000, uint64(len(text)), text)
}
