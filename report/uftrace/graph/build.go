package graph

import (
	"context"
	"slices"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// walker is where a thread is in the graph.
type walker struct {
	callstack.Place // whose Node is nil nowhere
	tree            *tree
	begun           bool
	// lost says that records are missing and that no exit followed: uftrace then takes no notice of
	// entries.
	lost    bool
	session *uftrace.Session
	// depth is the number of open calls of the function that is asked for.
	depth int
	trace *trace
}

// builder makes the graphs of a recording.
type builder struct {
	opts    *Options
	symbols *line.Names
	sums    callstack.Sums
	trees   []*tree
	walkers []walker
	quota   *quota.Quota

	// addrs and syms are the calls below the one that is passed to begin.
	addrs []uint64
	syms  []*uftrace.Symbol
}

// call is what a record says of a call: a function, or time off the processor.
type call struct {
	name string
	addr uint64
	sym  *uftrace.Symbol
}

func build(ctx context.Context, rec *uftrace.Recording, opts *Options) (*builder, error) {
	b := &builder{opts: opts, walkers: make([]walker, len(rec.Tasks()))}
	b.sums.Bounds = opts.Like19
	ctx, b.quota = quota.New(ctx, rec)
	b.symbols = line.NewNames(rec, opts.Name, b.quota)
	do := b.play
	if callstack.Plain(rec, &opts.Play) {
		do = b.follow
	}
	return b, b.quota.End(ctx, do(ctx, rec))
}

// nodeBytes is about what a node takes up, with its places among its siblings and its line.
const nodeBytes = 400

// name is the name of a function, or its address.
func (b *builder) name(sym *uftrace.Symbol, addr uint64) string {
	if sym == nil {
		return "<" + strconv.FormatUint(addr, 16) + ">"
	}
	return b.symbols.Name(sym)
}

// enterTree finds the graph of the program that a thread runs, and the place of a thread that is
// new there. A child of fork begins with the exit of fork: it goes on at the node that was made for
// fork last and that no other child took. exit is the name of the function that an exit leaves.
func (b *builder) enterTree(index int, task *uftrace.Task, time, addr uint64, exit string) *walker {
	w := &b.walkers[index]
	if w.begun && w.Holds(time) {
		return w
	}
	session, from, to := task.SessionSpan(time)
	w.From, w.Span = from, to-from
	if w.tree == nil || w.session != session {
		first := w.tree == nil
		w.tree, w.session = b.tree(session), session
		if first { // not by exec
			w.tree.root.AddThread()
		}
		w.Node = &w.tree.root
		if b.opts.Func != "" && w.depth == 0 { // else the function that is asked for called exec: it stays open
			w.Node = nil
		}
	}
	if w.begun {
		return w
	}
	w.begun = true
	if b.opts.Func == "" {
		t := w.tree
		t.root.Addr = addr
		for i := len(t.forks) - 1; i >= 0; i-- {
			if t.forks[i].Name == exit {
				w.Node = t.forks[i]
				t.forks = slices.Delete(t.forks, i, i+1)
				break
			}
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

// begins reports whether a call is an outermost one of the function that is asked for.
func (b *builder) begins(w *walker, c call) bool {
	return b.opts.Func != "" && w.depth == 0 && c.name == b.opts.Func
}

// begin starts to follow a call of the function that is asked for. The calls below it are in addrs
// and syms.
func (b *builder) begin(w *walker, c call) {
	w.depth = 1
	w.Node = &w.tree.root
	w.Node.Calls++
	w.Node.Addr, w.Node.Sym = c.addr, c.sym
	b.addrs, b.syms = append(b.addrs, c.addr), append(b.syms, c.sym)
	w.trace = w.tree.trace(b.addrs, b.syms)
	w.trace.hits++
}

func (b *builder) enter(w *walker, c call) {
	if b.opts.Func != "" {
		if w.depth == 0 {
			return
		}
		if c.name == b.opts.Func {
			w.depth++
		}
	}
	if w.Node == nil {
		return
	}
	kid := w.Node.Known(c.sym)
	if kid == nil {
		kid = b.kid(w, c)
	}
	kid.Calls++
	w.Node = kid
}

// kid returns the node of a call by its name. It is created on first use.
func (b *builder) kid(w *walker, c call) *node {
	kid, made := w.Node.Kid(c.name, c.addr, c.sym)
	if made {
		b.quota.Take(nodeBytes)
	}
	if made && callstack.IsFork(c.sym) {
		w.tree.forks = append(w.tree.forks, kid)
	}
	return kid
}

func (b *builder) leave(w *walker, name string, total, child uint64) {
	if b.opts.Func != "" {
		if w.depth == 0 {
			return
		}
		if name == b.opts.Func {
			if w.depth--; w.depth == 0 {
				w.trace.time += total
			}
		}
	}
	if w.Node != nil {
		b.sums.Ended(w.Node, total, child)
		w.Node = w.Node.Parent
	}
}
