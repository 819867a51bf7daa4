package tracecmd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// maxStack bounds the depth of a stack. The kernel's own limit is far lower (kernel/trace/trace.c:
// 32 to 1024 frames).
const maxStack = 1024

// stackFields holds the offsets of the addresses in a kernel_stack record.
type stackFields struct {
	size   span
	caller span
	word   int
}

func newStackFields(f *ftrace.Format, word int) *stackFields {
	return &stackFields{fieldSpan(f, "size"), fieldSpan(f, "caller"), word}
}

// addresses reads the frames, innermost first. Field size holds their number, even if the format
// file declares another length.
func (s *stackFields) addresses(data []byte, big bool) []uint64 {
	n := min(int(s.size.uint64(data, big)), maxStack)
	var list []uint64
	for i := range n {
		at := s.caller.off + i*s.word
		if at+s.word > len(data) {
			break
		}
		a := span{at, s.word}.uint64(data, big)
		if a == 1<<(8*s.word)-1 || a == ^uint64(0) {
			break
		}
		list = append(list, a)
	}
	return list
}

// stack adds a stack to the previous event of the same task.
func (pr *profile) stack(task *account, s *stackFields, r *record.Record) {
	last := task.last
	task.last = lastEvent{starts: last.starts[:0]}
	if last.entry == nil && len(last.starts) == 0 {
		return
	}
	list := s.addresses(r.Data, pr.in.formats.target.BigEndian)
	if last.entry != nil {
		pr.addStack(last.entry, list, 0, r.Time)
	}
	for _, ref := range last.starts {
		if b := pr.open.At(ref); b != nil {
			b.Value.stack = list
		}
	}
}

// stackNode is one frame in a tree of stacks. The root has no address.
type stackNode struct {
	durations
	addr     uint64
	children []*stackNode
}

func (pr *profile) addStack(e *entry, list []uint64, d, at uint64) {
	if e.stacks == nil {
		e.stacks = &stackNode{}
	}
	n := e.stacks
	n.add(d, at)
	for _, a := range list {
		i := slices.IndexFunc(n.children, func(c *stackNode) bool { return c.addr == a })
		if i < 0 {
			if !pr.room() {
				return
			}
			i = len(n.children)
			n.children = append(n.children, &stackNode{addr: a})
		}
		n = n.children[i]
		n.add(d, at)
	}
}

// appendTree appends the children of a node below its line. Frames that all stacks share are in one
// column.
func (pr *profile) appendTree(dst []byte, n *stackNode, indent string, timed bool) []byte {
	slices.SortStableFunc(n.children, func(a, b *stackNode) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(b.count, a.count), cmp.Compare(a.addr, b.addr))
	})
	for i, c := range n.children {
		dst = append(append(dst, indent...), "| \n"...)
		dst = append(append(dst, indent...), "+ "...)
		dst = append(pr.appendFrame(dst, c.addr), '\n')
		below := indent + "|   "
		if i == len(n.children)-1 {
			below = indent + "    "
		}
		part, all := c.count, n.count
		if timed {
			part, all = c.sum, n.sum
		}
		dst = fmt.Appendf(dst, "%s%d%% (%d)", below, percent(part, all), c.count)
		if timed {
			dst = fmt.Appendf(dst, " time:%d max:%d min:%d avg:%d", c.sum, c.max, c.min, c.sum/c.count)
		}
		dst = append(dst, '\n')
		for len(c.children) == 1 && c.children[0].count == c.count {
			c = c.children[0]
			dst = append(append(dst, below...), ' ')
			dst = append(pr.appendFrame(dst, c.addr), '\n')
		}
		if len(c.children) > 0 {
			dst = pr.appendTree(dst, c, below+"  ", timed)
		}
	}
	dst = append(append(dst, indent...), "  \n"...)
	return append(append(dst, indent[:len(indent)-4]...), '\n')
}

func percent(part, all uint64) uint64 {
	if all == 0 {
		return 0
	}
	return uint64(float64(part)*100/float64(all) + 0.5)
}

// appendFrame appends the function around an address, and the address.
func (pr *profile) appendFrame(dst []byte, addr uint64) []byte {
	if name, _, ok := pr.in.values.env.Symbols.Symbol(addr); ok {
		return fmt.Appendf(dst, "%s (0x%x)", name, addr)
	}
	return fmt.Appendf(dst, "0x%x", addr)
}
