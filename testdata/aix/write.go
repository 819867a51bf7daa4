//go:build ignore

// Write makes the recordings of this directory and the reports of them. It knows what its events say: the reports are
// written from that by the rules of trcrpt's columns, not by the code that is tested with them.
//
//	go run testdata/aix/write.go testdata/aix
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracec/tracec/runtime/aix"
)

func main() {
	for name, kernel64 := range map[string]bool{"shop64": true, "shop32": false} {
		s := newShop(kernel64)
		s.run()
		if err := s.w.Flush(); err != nil {
			log.Fatal(err)
		}
		for suffix, b := range map[string][]byte{".trc": s.trace.Bytes(), ".txt": s.report.Bytes()} {
			if err := os.WriteFile(filepath.Join(os.Args[1], name+suffix), b, 0o666); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// The columns in which texts begin (APPL, SYSCALL, KERNEL, INTERRUPT).
const (
	appl = 8 * iota
	svc
	kern
	intr
)

// worker is a thread of the shop.
type worker struct {
	pid, tid uint64
	name     string
	app64    bool
}

// shop is what is traced.
type shop struct {
	kernel64      bool
	trace, report bytes.Buffer
	w             *aix.Writer
	rng           *rand.Rand
	now           uint64 // ticks of 125/64 ns
	first, before uint64 // ns of the first event, of the one before
	workers       []worker
	stock         [4]int64
}

func newShop(kernel64 bool) *shop {
	s := &shop{kernel64: kernel64, rng: rand.New(rand.NewPCG(20, 28)), now: 64 << 12, stock: [4]int64{40, 12, 7, 90}}
	s.w = aix.NewWriter(&s.trace, aix.WriterOptions{Kernel64: kernel64})
	s.w.Now, s.w.TID = s.now, 3
	s.w.Clock(aix.Clock{Mul: 125, Div: 64, Type: aix.ClockTimeBase})
	s.report.WriteString("ID     ELAPSED_SEC     DELTA_MSEC   APPL    SYSCALL KERNEL  INTERRUPT\n\n")
	s.workers = []worker{
		{4711, 0x1F0035, "counter", kernel64}, {4712, 0x205A1, "cashier", kernel64}, {4713, 0x3A5B, "picker", kernel64},
		{4713, 0x3A61, "picker", kernel64}, {4720, 0x8A0D, "parcels", false},
	}
	return s
}

// event lets a worker run on some processor and adds a line to the report.
func (s *shop) event(who int, id string, column int, text string) {
	s.line(s.tick(who), id, column, text)
}

// tick advances the clock and returns the time in nanoseconds.
func (s *shop) tick(who int) uint64 {
	s.now += 64 * (20 + s.rng.Uint64N(900))
	s.w.Now, s.w.CPU = s.now, s.rng.IntN(4)
	s.w.TID, s.w.App64 = s.workers[who].tid, s.workers[who].app64
	return s.now / 64 * 125
}

// line adds an event at ns to the report: the widths are those of trcrpt's default columns.
func (s *shop) line(ns uint64, id string, column int, text string) {
	if s.first == 0 {
		s.first, s.before = ns, ns
	}
	elapsed, delta := ns-s.first, ns-s.before
	s.before = ns
	line := fmt.Sprintf("%-4s%14s%15s   %s%s", id, fmt.Sprintf("%d.%09d", elapsed/1e9, elapsed%1e9),
		fmt.Sprintf("%d.%06d", delta/1e6, delta%1e6), strings.Repeat(" ", column), text)
	fmt.Fprintln(&s.report, strings.TrimRight(line, " "))
}

func (s *shop) run() {
	for i, p := range s.workers {
		s.event(i, "027", appl, fmt.Sprintf("WORKER process %d thread %d is %s", p.pid, p.tid, p.name))
		buf := binary.BigEndian.AppendUint64(nil, p.tid)
		s.w.TRCGENT(0x02700000, p.pid, append(buf, (p.name + strings.Repeat("\x00", 16))[:16]...))
	}
	customers := []string{"Ada Byron", "G. Boole", "Grace Hopper", "K. Zuse", "Emmy Noether"}
	for n := range uint64(22) {
		s.order(7001+n, customers[s.rng.IntN(len(customers))])
	}
}

// order is what happens to one.
func (s *shop) order(number uint64, customer string) {
	s.event(0, "020", appl, fmt.Sprintf("ORDER number %d from %s", number, customer))
	s.w.TRCGENT(0x02000000, number, []byte(customer))
	s.state(0, number, 1, "is new", 0)
	s.flags(number)
	s.state(1, number, 2, "is paid", 0)
	picker := 2 + s.rng.IntN(2)
	begun := s.tick(picker)
	s.line(begun, "024", appl, fmt.Sprintf("PICK BEGIN order %d", number))
	s.w.TRCHKL1T(0x02400000, number)
	for range 1 + s.rng.IntN(3) {
		s.pick(picker)
	}
	end := s.tick(picker)
	s.line(end, "025", appl, fmt.Sprintf("PICK END order %d [%d usec]", number, (end-begun)/1000))
	s.w.TRCHKL1T(0x02500000, number)
	s.state(4, number, 3, "is packed", 0)
	if s.rng.IntN(4) == 0 {
		code := []uint64{78, 5, 35}[s.rng.IntN(3)]
		s.event(4, "026", intr, "PRINTER failed: "+map[uint64]string{78: "ETIMEDOUT", 5: "EIO", 35: "ENOMSG"}[code])
		s.w.TRCHKL1T(0x02600000, code)
		s.state(4, number, 9, "has state 0009", 0)
		return
	}
	carrier := 0xA0 + s.rng.Uint64N(16)
	s.state(4, number, 4, fmt.Sprintf("is sent with carrier %04X", carrier), carrier)
}

func (s *shop) state(who int, number uint64, state uint32, text string, d2 uint64) {
	s.event(who, "021", svc, fmt.Sprintf("STATE order %d %s", number, text))
	s.w.TRCHKL2T(0x02100000|state, number, d2)
}

func (s *shop) flags(number uint64) {
	flags := s.rng.Uint64N(8) | s.rng.Uint64N(3)<<4
	text := "no hurry "
	if flags&1 != 0 {
		text = "express "
	}
	if flags&2 != 0 {
		text += "gift "
	}
	if flags&4 != 0 {
		text += "fragile "
	}
	text += []string{"", "insured", "registered"}[flags>>4]
	s.event(0, "022", kern, fmt.Sprintf("FLAGS order %d %s", number, text))
	s.w.TRCHKL2T(0x02200000, number, flags)
}

func (s *shop) pick(picker int) {
	item := s.rng.IntN(len(s.stock))
	change := -int64(1 + s.rng.IntN(3))
	if s.stock[item]+change < 0 {
		change = 50
	}
	s.stock[item] += change
	s.event(picker, "023", kern, fmt.Sprintf("STOCK item %08X change %d left %d", 0xA000+item, change, s.stock[item]))
	s.w.TRCHKL3T(0x02300000, uint64(0xA000+item), uint64(change), uint64(s.stock[item]))
}
