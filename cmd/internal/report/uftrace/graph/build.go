package graph

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/uftrace"
)

// walker is where a thread is in the graph.
type walker struct {
	tree  *tree
	node  *node
	begun bool
	// depth is the number of open calls of the function that is asked for.
	depth int
	trace *trace
}

// builder makes the graphs of a recording.
type builder struct {
	opts    *Options
	names   names
	trees   []*tree // in order of their first record
	walkers []walker

	addrs []uint64
	syms  []*uftrace.Symbol
}

func build(ctx context.Context, rec *uftrace.Recording, opts *Options) (*builder, error) {
	p, err := play.New(rec, opts.Play)
	if err != nil {
		return nil, err
	}
	b := &builder{opts: opts, names: opts.Name, walkers: make([]walker, len(p.Tasks()))}
	for n := 0; ; n++ {
		if n&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			continue // the recording lists it as damage
		}
		b.step(s)
	}
	for _, t := range p.Tasks() {
		b.closeOpen(t)
	}
	return b, nil
}

// step follows one record.
func (b *builder) step(s *play.Step) {
	kind := s.Entry.Kind
	if kind == uftrace.Lost || kind == uftrace.Event && !isSchedule(s.Record.ID) {
		return
	}
	w := b.enterTree(s)
	switch {
	case kind == uftrace.Enter:
		b.enter(w, s, b.names.of(s.Entry.Sym, s.Entry.Addr), s.Entry.Addr, s.Entry.Sym)
	case kind == uftrace.Leave:
		b.leave(w, s.Frame, b.names.of(s.Entry.Sym, s.Entry.Addr))
	case s.Record.ID == play.SchedIn:
		if s.Frame != nil {
			b.leave(w, s.Frame, "")
		}
	default:
		b.enter(w, s, scheduleName(s.Record.ID), uint64(s.Record.ID), nil)
	}
}

// enterTree finds the graph of the program that a thread runs, and the place of a thread that is new there. A child of
// fork begins with the exit of fork: it goes on at the node that was made for fork last and that no other child took.
func (b *builder) enterTree(s *play.Step) *walker {
	w := &b.walkers[s.Task.Index]
	session := s.Task.SessionAt(s.Record.Time)
	if w.tree == nil || w.tree.session != session {
		w.tree = b.tree(session)
		w.node = &w.tree.root
		if b.opts.Func != "" {
			w.node = nil
		}
	}
	if w.begun {
		return w
	}
	w.begun = true
	if b.opts.Func == "" {
		t := w.tree
		t.root.addr = s.Entry.Addr
		if n := len(t.forks); n > 0 && s.Entry.Kind == uftrace.Leave {
			w.node, t.forks = t.forks[n-1], t.forks[:n-1]
		}
	}
	return w
}

func (b *builder) tree(session *uftrace.Session) *tree {
	for _, t := range b.trees {
		if t.session == session {
			return t
		}
	}
	t := newTree(session, b.opts.Func)
	b.trees = append(b.trees, t)
	return t
}

func (b *builder) enter(w *walker, s *play.Step, name string, addr uint64, sym *uftrace.Symbol) {
	if b.opts.Func != "" {
		if w.depth == 0 {
			if name != b.opts.Func {
				return
			}
			b.begin(w, s, addr, sym)
			return
		}
		if name == b.opts.Func {
			w.depth++
		}
	}
	if w.node == nil {
		return
	}
	kid, made := w.node.call(name, addr, sym)
	if made && isFork(sym) {
		w.tree.forks = append(w.tree.forks, kid)
	}
	w.node = kid
}

// begin starts to follow a call of the function that is asked for.
func (b *builder) begin(w *walker, s *play.Step, addr uint64, sym *uftrace.Symbol) {
	w.depth = 1
	w.node = &w.tree.root
	w.node.calls++
	w.node.addr, w.node.sym = addr, sym
	b.addrs, b.syms = b.addrs[:0], b.syms[:0]
	for _, f := range s.Task.Stack[:place(s)] {
		b.addrs, b.syms = append(b.addrs, f.Addr), append(b.syms, f.Sym)
	}
	b.addrs, b.syms = append(b.addrs, addr), append(b.syms, sym)
	w.trace = w.tree.trace(b.addrs, b.syms)
	w.trace.hits++
}

// place is the number of calls below the one that a step begins. The player may have opened hidden ones above it.
func place(s *play.Step) int {
	stack := s.Task.Stack
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].Start == s.Record.Time && stack[i].Addr == s.Entry.Addr {
			return i
		}
	}
	return 0
}

func (b *builder) leave(w *walker, f *play.Frame, name string) {
	if b.opts.Func != "" {
		if w.depth == 0 {
			return
		}
		if name == b.opts.Func {
			if w.depth--; w.depth == 0 {
				w.trace.time += f.Total
			}
		}
	}
	if w.node == nil {
		return
	}
	w.node.time += f.Total
	w.node.child += f.Child
	w.node = w.node.parent
}

// closeOpen ends the calls that are still open. Those without an address do not count.
func (b *builder) closeOpen(t *play.Task) {
	w := &b.walkers[t.Index]
	if w.tree == nil {
		return
	}
	for i := len(t.Stack) - 1; i >= 0; i-- {
		f := &t.Stack[i]
		if f.Start > t.Last || f.Addr == 0 {
			continue
		}
		f.Total = t.Last - f.Start
		if i > 0 {
			t.Stack[i-1].Child += f.Total
		}
		name := ""
		if !f.Event {
			name = b.names.of(f.Sym, f.Addr)
		}
		b.leave(w, f, name)
	}
}

var forkNames = []string{"fork", "vfork", "daemon"}

func isFork(sym *uftrace.Symbol) bool { return sym != nil && slices.Contains(forkNames, sym.Name) }

// isSchedule says whether an event takes the thread off its processor or back.
func isSchedule(id uint32) bool {
	return id == play.SchedIn || id == play.SchedOut || id == play.SchedOutPreempt
}

func scheduleName(id uint32) string {
	if id == play.SchedOutPreempt {
		return "linux:schedule (pre-empted)"
	}
	return "linux:schedule"
}
