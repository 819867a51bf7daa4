package aix

import (
	"encoding/binary"
	"fmt"
	"io"
)

// WriterOptions describe the writing system.
type WriterOptions struct {
	Kernel64  bool       // the kernel has 64 bits, which is the word size of the trace
	CPUID     CPUIDPlace // see WithCPUID
	ShortWord ShortWord  // see WithShortWord
}

// Writer writes events as the trace hooks of AIX record them. Its methods are the macros of
// sys/trcmacros.h. A hook is the word that the macros take: the id of 16 bits, 0x0100 for the
// user's hook 010, and after it the subhook. Programs and kernels of 32 bits cut data words to 4
// bytes and ids to three digits.
//
// The exported fields are the values that the system would add. They may change between hooks. The
// first error is kept. Flush returns it.
type Writer struct {
	App64     bool     // the tracing program is a 64-bit one
	TID       uint64   // its thread
	Now       uint64   // time stamp of hooks whose name ends in T, in ticks; a 32-bit kernel records its low 32 bits
	CPU       int      // recorded by 64-bit kernels if it is not negative (trace -p)
	Registers []uint64 // recorded by 64-bit kernels, 8 at most (trace -r)

	opts  WriterOptions
	out   io.Writer
	buf   []byte
	each  bool // every entry is passed to out separately
	count int64
	err   error
}

// NewWriter begins a bare stream of events.
func NewWriter(w io.Writer, opts WriterOptions) *Writer {
	s := &Writer{opts: opts, out: w, CPU: -1, App64: opts.Kernel64}
	if opts.Kernel64 {
		s.buf = binary.BigEndian.AppendUint32(s.buf, MagicStream64)
	}
	return s
}

// TRCHKL0 traces a hook without data words and without a stamp. The number in the name of the other
// methods is their number of data words. Methods whose names end in T also write a stamp.
func (w *Writer) TRCHKL0(hook uint32) { w.words(hook, false) }

// TRCHKL1 traces one word.
func (w *Writer) TRCHKL1(hook uint32, d1 uint64) { w.words(hook, false, d1) }

// TRCHKL2 traces two words.
func (w *Writer) TRCHKL2(hook uint32, d1, d2 uint64) { w.words(hook, false, d1, d2) }

// TRCHKL3 traces three words.
func (w *Writer) TRCHKL3(hook uint32, d1, d2, d3 uint64) { w.words(hook, false, d1, d2, d3) }

// TRCHKL4 traces four words.
func (w *Writer) TRCHKL4(hook uint32, d1, d2, d3, d4 uint64) { w.words(hook, false, d1, d2, d3, d4) }

// TRCHKL5 traces five words.
func (w *Writer) TRCHKL5(hook uint32, d1, d2, d3, d4, d5 uint64) {
	w.words(hook, false, d1, d2, d3, d4, d5)
}

// TRCHKL0T traces a stamp.
func (w *Writer) TRCHKL0T(hook uint32) { w.words(hook, true) }

// TRCHKL1T traces one word and a stamp.
func (w *Writer) TRCHKL1T(hook uint32, d1 uint64) { w.words(hook, true, d1) }

// TRCHKL2T traces two words and a stamp.
func (w *Writer) TRCHKL2T(hook uint32, d1, d2 uint64) { w.words(hook, true, d1, d2) }

// TRCHKL3T traces three words and a stamp.
func (w *Writer) TRCHKL3T(hook uint32, d1, d2, d3 uint64) { w.words(hook, true, d1, d2, d3) }

// TRCHKL4T traces four words and a stamp.
func (w *Writer) TRCHKL4T(hook uint32, d1, d2, d3, d4 uint64) { w.words(hook, true, d1, d2, d3, d4) }

// TRCHKL5T traces five words and a stamp.
func (w *Writer) TRCHKL5T(hook uint32, d1, d2, d3, d4, d5 uint64) {
	w.words(hook, true, d1, d2, d3, d4, d5)
}

// TRCGEN traces one word and a buffer of at most MaxBuffer bytes.
func (w *Writer) TRCGEN(hook uint32, d1 uint64, buf []byte) { w.generic(hook, false, d1, buf) }

// TRCGENT traces one word, a buffer of at most MaxBuffer bytes, and a stamp.
func (w *Writer) TRCGENT(hook uint32, d1 uint64, buf []byte) { w.generic(hook, true, d1, buf) }

// Clock traces the scale of the clock, as the trace command does before anything else (hook 00A,
// subhook 25C).
func (w *Writer) Clock(c Clock) {
	var b []byte
	for _, v := range []uint64{c.Mul, c.Div, c.Type} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	app := w.App64
	w.App64 = w.opts.Kernel64
	w.TRCGENT(idUtility<<16|subClock, subClock, b)
	w.App64 = app
}

// Copy writes an entry as a kernel of the same word size has recorded it.
func (w *Writer) Copy(e *Entry) {
	if e.Has(Trace64) != w.opts.Kernel64 {
		w.fail(fmt.Errorf("aix: entry of a kernel of another word size"))
		return
	}
	w.buf = append(w.buf, e.Raw...)
	w.done()
}

// Flush writes the buffered data. It returns the first error so far.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
	return w.err
}

// Hooks returns the number of written hooks.
func (w *Writer) Hooks() int64 { return w.count }

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// done ends an entry.
func (w *Writer) done() {
	w.count++
	if w.each || len(w.buf) >= 64<<10 {
		w.Flush()
	}
}
