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

// walker is the place of a thread in the graph.
type walker struct {
	callstack.Place // its Node is nil outside of the graph
	tree            *tree
	begun           bool
	// lost is set after lost records until the next exit. uftrace ignores entries in between.
	lost    bool
	session *uftrace.Session
	// depth is the number of open calls of Options.Func.
	depth int
	trace *trace
}

// builder builds the graphs of a recording.
type builder struct {
	opts    *Options
	symbols *line.Names
	sums    callstack.Sums
	trees   []*tree
	walkers []walker
	quota   *quota.Quota

	// addrs and syms are the callers of the call that is passed to begin.
	addrs []uint64
	syms  []*uftrace.Symbol
}

// call is a call in the graph: of a function, or time off the processor.
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

// nodeBytes is the approximate size of a node, including its places among its siblings and its
// line.
const nodeBytes = 400

// name returns the name of a function, or its address.
func (b *builder) name(sym *uftrace.Symbol, addr uint64) string {
	if sym == nil {
		return "<" + strconv.FormatUint(addr, 16) + ">"
	}
	return b.symbols.Name(sym)
}

// enterTree finds the graph of the program that a thread runs, and the place of a new thread in it.
// A child of fork begins with the exit of fork. Its place is the latest node of fork that no other
// child has used. exit is the name of the function that ends, or empty.
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
		if first { // a new thread, not a call of exec
			w.tree.root.AddThread()
		}
		w.Node = &w.tree.root
		if b.opts.Func != "" && w.depth == 0 { // otherwise Options.Func called exec and stays open
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

// begins reports whether a call is an outermost call of Options.Func.
func (b *builder) begins(w *walker, c call) bool {
	return b.opts.Func != "" && w.depth == 0 && c.name == b.opts.Func
}

// begin starts to follow a call of Options.Func. addrs and syms hold its callers.
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

// kid returns the node for a call by its name. It creates the node on first use.
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
