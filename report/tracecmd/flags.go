package tracecmd

import (
	"strings"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
)

// Bits of common_flags that trace-cmd 3.1 does not show (include/linux/trace_events.h, enum
// trace_flag_type).
const (
	flagLazy           = 1 << 1 // value of flagNoSupport since 6.13, and in 6.12 with PREEMPT_RT
	flagPreemptResched = 1 << 5
	flagNMI            = 1 << 6
	flagBHOff          = 1 << 7
)

// kernelFlags are the letters of a kernel's flags as its own trace file shows them
// (kernel/trace/trace_output.c, trace_print_lat_fmt).
type kernelFlags struct {
	irqs, resched, context [256]byte // by common_flags
	// whether there is a column for lazily requested and lazily disabled preemption, as in
	// PREEMPT_RT before 6.12
	lazy     bool
	migrates bool // the upper half of the preemption count is the depth of disabled migration
}

// newKernelFlags makes the letters of the kernel with that name and these events. Kernels without a
// name have the current letters.
func newKernelFlags(formats []*ftrace.Format, uname string) *kernelFlags {
	version := compiler.ParseVersion(uname)
	k := &kernelFlags{migrates: version == 0 || version >= 0x50f}
	for _, f := range formats {
		k.lazy = newLatencyFields(f, false).lazyCount.size != 0
		break
	}
	lazyBit := !k.lazy && (version == 0 || version >= 0x60d || version == 0x60c && strings.Contains(uname, "-rt"))
	for flags := range 256 {
		k.irqs[flags] = irqLetter(flags, !lazyBit)
		k.resched[flags] = reschedLetter(flags, lazyBit, k.lazy)
		k.context[flags] = contextLetter(flags)
	}
	return k
}

func irqLetter(flags int, noSupport bool) byte {
	switch {
	case flags&flagIRQsOff != 0 && flags&flagBHOff != 0:
		return 'D'
	case flags&flagIRQsOff != 0:
		return 'd'
	case flags&flagBHOff != 0:
		return 'b'
	case noSupport && flags&flagNoSupport != 0:
		return 'X'
	}
	return '.'
}

// reschedLetter returns the letter of need-resched. Kernels with a column for the lazy kind use the
// bit of a requested preemption for it.
func reschedLetter(flags int, lazyBit, lazyColumn bool) byte {
	index := 0
	if flags&flagResched != 0 {
		index |= 1
	}
	if flags&flagPreemptResched != 0 && !lazyColumn {
		index |= 2
	}
	if flags&flagLazy != 0 && lazyBit {
		index |= 4
	}
	return ".npNlbLB"[index]
}

func contextLetter(flags int) byte {
	nmi, hard, soft := flags&flagNMI != 0, flags&flagHardIRQ != 0, flags&flagSoftIRQ != 0
	switch {
	case nmi && hard:
		return 'Z'
	case nmi:
		return 'z'
	case hard && soft:
		return 'H'
	case hard:
		return 'h'
	case soft:
		return 's'
	}
	return '.'
}

// append appends the letters of a record: interrupts off, resched wanted, lazily (in its column),
// context, and the depths of disabled preemption and migration.
func (k *kernelFlags) append(dst []byte, l *latencyFields, data []byte) []byte {
	flags := byte(l.flags.of(data, l.big))
	dst = append(dst, k.irqs[flags], k.resched[flags])
	if k.lazy {
		letter := byte('.')
		if flags&flagPreemptResched != 0 {
			letter = 'L'
		}
		dst = append(dst, letter)
	}
	dst = append(dst, k.context[flags])
	preempt := l.preempt.of(data, l.big)
	if k.migrates || l.migrate.size != 0 {
		dst = append(dst, depthDigit(preempt&0xf))
	} else {
		dst = hexDepth(dst, preempt)
	}
	if k.lazy {
		dst = hexDepth(dst, l.lazyCount.of(data, l.big))
	}
	switch {
	case l.migrate.size != 0:
		dst = hexDepth(dst, l.migrate.of(data, l.big))
	case k.migrates:
		dst = append(dst, depthDigit(preempt>>4&0xf))
	}
	if l.lockDepth.size != 0 {
		dst = appendDepth(dst, l.lockDepth.of(data, l.big))
	}
	return dst
}

// hexDepth appends a depth from a field of its own, or a point for depth 0.
func hexDepth(dst []byte, v uint32) []byte {
	if v == 0 {
		return append(dst, '.')
	}
	return render.HexLower(dst, uint64(v))
}

// textStyle returns the version of trace-cmd for the texts of plugins. The kernel's texts lack the
// additions of later versions.
func (p *printer) textStyle() Style {
	if p.opts.kernelText() {
		return V31
	}
	return p.style
}
