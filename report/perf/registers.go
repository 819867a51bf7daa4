package perf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/perf"
)

// registerNames returns the names of registers by their bits in masks. Registers without a name
// have an empty one. arch is the architecture as uname(2) names it.
func registerNames(arch string) []string {
	words := func(text string) []string { return strings.Fields(text) }
	switch is := func(prefix string) bool { return strings.HasPrefix(arch, prefix) }; {
	case is("x86"), len(arch) == 4 && arch[0] == 'i' && arch[2:] == "86":
		return slices.Concat(words("AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS"), numbered("R", 8, 15, 1),
			make([]string, 8), numbered("XMM", 0, 15, 2))
	case is("aarch64"), is("arm64"):
		return slices.Concat(numbered("x", 0, 29, 1), words("lr sp pc"), make([]string, 13), words("vg"))
	case is("arm"):
		return slices.Concat(numbered("r", 0, 10, 1), words("fp ip sp lr pc"))
	case is("ppc"), is("powerpc"):
		return slices.Concat(numbered("r", 0, 31, 1), words(`nip msr orig_r3 ctr link xer ccr softe trap dar dsisr sier
			mmcra mmcr0 mmcr1 mmcr2 mmcr3 sier2 sier3 pmc1 pmc2 pmc3 pmc4 pmc5 pmc6 sdar siar`))
	case is("riscv"):
		return slices.Concat(words("pc ra sp gp tp t0 t1 t2 s0 s1"), numbered("a", 0, 7, 1), numbered("s", 2, 11, 1),
			numbered("t", 3, 6, 1))
	case is("s390"):
		return slices.Concat(numbered("R", 0, 15, 1), numbered("FP", 0, 15, 1), words("MASK PC"))
	case is("mips"):
		return slices.Concat(words("PC"), numbered("$", 1, 25, 1), make([]string, 2), numbered("$", 28, 31, 1))
	case is("loongarch"):
		return slices.Concat(words("PC"), numbered("%r", 1, 31, 1))
	case is("csky"):
		return slices.Concat(words("tls lr pc"), make([]string, 1), words("sp"), make([]string, 1),
			numbered("a", 0, 3, 1), numbered("regs", 0, 9, 1), numbered("exregs", 0, 14, 1), words("hi lo"))
	}
	return nil
}

// numbered returns names with the numbers from first to last. It repeats each name times times.
func numbered(name string, first, last, times int) (list []string) {
	for i := first; i <= last; i++ {
		for range times {
			list = append(list, name+strconv.Itoa(i))
		}
	}
	return list
}

// registers prints the registers of a sample. A kernel thread has no registers of user mode.
func (p *printer) registers(r *perf.Registers) {
	if r.ABI == 0 {
		return
	}
	p.buf = append(strconv.AppendUint(append(p.buf, " ABI:"...), r.ABI, 10), ' ')
	r.Each(func(bit int, value uint64) {
		name := "unknown"
		if bit < len(p.extra.registers) && p.extra.registers[bit] != "" {
			name = p.extra.registers[bit]
		}
		p.buf = append(pad(p.buf, 5-len(name)), name...)
		p.buf = append(strconv.AppendUint(append(p.buf, ":0x"...), value, 16), ' ')
	})
}
