package perf

import "math/bits"

// Parts are the address of a sample and the parts after its call chain. A part that the event does
// not sample is zero (perf.md 4.1). Slices alias the record.
type Parts struct {
	Addr     uint64
	Raw      []byte // including its padding
	Branches Branches
	User     Registers // of the thread in user mode
	Intr     Registers // at the time of the sample

	// Weight is the cost of a memory access. Latency and Retire are the second and the third part
	// of a weight with three parts.
	Weight          uint64
	Latency, Retire uint16

	DataSource, Transaction    uint64
	PhysAddr, Cgroup           uint64
	DataPageSize, CodePageSize uint64
}

// Registers are the values of the registers in a mask.
type Registers struct {
	ABI   uint64 // 0 for no registers, 1 for registers of 32 bits, 2 for registers of 64 bits
	Mask  uint64
	order order
	b     []byte
}

// Each calls yield with the bit and the value of each register, from the lowest bit.
func (r *Registers) Each(yield func(bit int, value uint64)) {
	b := r.b
	for mask := r.Mask; mask != 0 && len(b) >= 8; mask, b = mask&(mask-1), b[8:] {
		yield(bits.TrailingZeros64(mask), r.order.u64(b))
	}
}

// Branches are the last branches before a sample, the latest first.
type Branches struct {
	order order
	b     []byte
}

// branchSize is the size of a branch in bytes.
const branchSize = 24

// Len returns the number of branches.
func (s *Branches) Len() int { return len(s.b) / branchSize }

// At returns a branch.
func (s *Branches) At(i int) Branch {
	b := s.b[branchSize*i:][:branchSize]
	return Branch{From: s.order.u64(b), To: s.order.u64(b[8:]), flags: s.order.u64(b[16:]), big: s.order.big}
}

// Branch is a branch that a processor has recorded.
type Branch struct {
	From, To uint64
	flags    uint64
	big      bool
}

// bits returns a member of the C bit field. On big-endian machines, the first member has the
// highest bits.
func (x Branch) bits(at, n int) uint64 {
	if x.big {
		at = 64 - at - n
	}
	return x.flags >> at & (1<<n - 1)
}

// Mispredicted reports whether the processor predicted the target wrongly.
func (x Branch) Mispredicted() bool { return x.bits(0, 1) != 0 }

// Predicted reports whether the processor predicted the target. Some processors record neither.
func (x Branch) Predicted() bool { return x.bits(1, 1) != 0 }

// InTransaction reports whether the branch was in a memory transaction.
func (x Branch) InTransaction() bool { return x.bits(2, 1) != 0 }

// Abort reports whether the branch was the abort of a transaction.
func (x Branch) Abort() bool { return x.bits(3, 1) != 0 }

// Cycles returns the number of cycles since the previous branch, or 0 if it is unknown.
func (x Branch) Cycles() uint64 { return x.bits(4, 16) }

// Type returns the number of the kind of branch. The last one, 15, refers to NewType.
func (x Branch) Type() uint64 { return x.bits(20, 4) }

// Speculation returns the number of the outcome of speculation.
func (x Branch) Speculation() uint64 { return x.bits(24, 2) }

// NewType returns the number of the kind of branch if Type is 15.
func (x Branch) NewType() uint64 { return x.bits(26, 4) }

// NotTaken reports whether the branch was not taken.
func (x Branch) NotTaken() bool { return x.bits(33, 1) != 0 }

// Parts reads the parts of a sample. It returns false if they do not fit. The parts before the
// first one that does not fit are then set.
func (x *Entry) Parts(p *Parts) bool {
	*p = Parts{}
	e := x.Event
	if e.Attr == nil {
		return false
	}
	at, ok := e.afterRead(x.Body)
	if !ok {
		return false
	}
	if e.plan.addr >= 0 {
		p.Addr = e.order.u64(x.Body[e.plan.addr:])
	}
	w := walk{cursor: cursor{order: e.order, b: x.Body[at:]}, has: e.Attr.SampleType}
	if w.next(HasCallchain) {
		w.words(w.u64())
	}
	if w.next(HasRaw) {
		p.Raw = w.raw()
	}
	if w.next(HasBranches) {
		p.Branches = w.branches(e.Attr.BranchType)
	}
	if w.next(HasRegsUser) {
		p.User = w.registers(e.Attr.RegsUser)
	}
	if w.next(HasStackUser) {
		if n := w.u64(); n != 0 {
			w.bytes(n)
			w.u64() // number of valid bytes
		}
	}
	w.costs(p)
	if w.next(HasRegsIntr) {
		p.Intr = w.registers(e.Attr.RegsIntr)
	}
	for _, f := range [...]struct {
		bit SampleType
		to  *uint64
	}{
		{HasPhysAddr, &p.PhysAddr}, {HasCgroup, &p.Cgroup},
		{HasDataPageSize, &p.DataPageSize}, {HasCodePageSize, &p.CodePageSize},
	} {
		if w.next(f.bit) {
			*f.to = w.u64()
		}
	}
	return !w.short
}

// walk reads the parts of a sample in their order.
type walk struct {
	cursor
	has SampleType
}

// next reports whether the sample has a part.
func (w *walk) next(bit SampleType) bool { return w.has&bit != 0 && !w.short }

// bytes reads n bytes, a number that the sample declares.
func (w *walk) bytes(n uint64) []byte { return w.take(int(min(n, 1<<31))) }

// words reads n numbers of 8 bytes. The sample declares n.
func (w *walk) words(n uint64) []byte { return w.bytes(min(n, 1<<24) * 8) }

// raw reads the payload. With the number of its bytes in front, it is padded to a multiple of 8
// bytes.
func (w *walk) raw() []byte {
	n := uint64(w.u32())
	return w.bytes((n+4+7)&^7 - 4)
}

func (w *walk) branches(kind uint64) Branches {
	n := w.u64()
	if kind&BranchIndex != 0 {
		w.u64()
	}
	s := Branches{order: w.order, b: w.bytes(min(n, 1<<24) * branchSize)}
	if kind&BranchCounters != 0 {
		w.words(n)
	}
	return s
}

func (w *walk) registers(mask uint64) Registers {
	r := Registers{ABI: w.u64(), order: w.order}
	if r.ABI != 0 {
		r.Mask, r.b = mask, w.words(uint64(bits.OnesCount64(mask)))
	}
	return r
}

// costs reads the parts about a memory access and a transaction.
func (w *walk) costs(p *Parts) {
	switch {
	case w.next(HasWeightStruct):
		if b := w.take(8); b != nil {
			p.Weight, p.Latency, p.Retire = w.order.weights(b)
		}
	case w.next(HasWeight):
		p.Weight = w.u64()
	}
	if w.next(HasDataSource) {
		p.DataSource = w.u64()
	}
	if w.next(HasTransaction) {
		p.Transaction = w.u64()
	}
}

// weights splits a weight of three parts. In big-endian recordings, the parts are in reverse order.
func (o order) weights(b []byte) (first uint64, second, third uint16) {
	if o.big {
		return uint64(o.u32(b[4:])), o.u16(b[2:]), o.u16(b)
	}
	return uint64(o.u32(b)), o.u16(b[4:]), o.u16(b[6:])
}
