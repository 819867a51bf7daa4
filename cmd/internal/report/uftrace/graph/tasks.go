package graph

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/color"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/stacks"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/units"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// life is a thread or a process in the tree of --task.
type life struct {
	task   *uftrace.Task
	comm   string
	first  uint64 // time of the first record that is shown; 0: none is
	last   uint64
	off    uint64 // off the processor
	out    uint64 // when it left it; 0: it is on
	kids   []*life
	parent *life
}

func (l *life) isProcess() bool { return l.task.TID == l.task.PID }

func (l *life) total() uint64 {
	if l.last < l.first {
		return 0
	}
	return l.last - l.first
}

func (l *life) self() uint64 {
	if t := l.total(); t > l.off {
		return t - l.off
	}
	return 0
}

// runTasks prints the tree of processes and threads. A time filter hides those that lived shorter, and not their
// calls; calls to libraries always count.
func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	fields, err := chooseTaskFields(opts)
	if err != nil {
		return err
	}
	lives, err := live(ctx, rec, opts)
	if err != nil {
		return err
	}
	p := &taskPrinter{fields: fields, colors: opts.Color, shortest: opts.Play.Time}
	p.out = append(p.out, "========== TASK GRAPH ==========\n"...)
	p.titles()
	for _, l := range plant(rec, lives) {
		p.tree(l)
	}
	p.out = append(p.out, '\n')
	_, err = w.Write(p.out)
	return err
}

// live finds how long the threads lived, in the order of Recording.Tasks.
func live(ctx context.Context, rec *uftrace.Recording, opts *Options) ([]*life, error) {
	lives := make([]*life, len(rec.Tasks()))
	for i, t := range rec.Tasks() {
		lives[i] = &life{task: t, comm: t.Comm}
	}
	played := opts.Play
	played.Time, played.NoLibcall, played.Single = 0, false, played.Range == (play.Range{})
	if stacks.Plain(rec, &played) {
		ts := stacks.New(rec)
		err := ts.Each(ctx, rec, &watcher{lives, &played, stacks.NewSpecials(rec.Symbols())})
		for i := range ts.List {
			lives[i].comm = ts.List[i].Comm
		}
		return lives, err
	}
	return lives, watch(ctx, rec, played, lives)
}

// see notes that a record is shown.
func (l *life) see(time uint64) {
	l.last = time
	if l.first == 0 {
		l.first = time
	}
}

// schedule notes that a schedule event is shown.
func (l *life) schedule(id uint32, time uint64) {
	if id != play.SchedIn {
		l.out = time
	} else if l.out != 0 {
		l.off += time - l.out
		l.out = 0
	}
}

// watcher follows the threads of everything that was recorded.
type watcher struct {
	lives    []*life
	opts     *play.Options
	specials *stacks.Specials
}

// Calls implements stacks.Visitor.
func (w *watcher) Calls(t *stacks.Thread, recs []record.Record, ents []uftrace.Entry) {
	l := w.lives[t.Index]
	for i := range recs {
		r, e := &recs[i], &ents[i]
		if t.Unsettled {
			t.Settle(r, e)
		}
		switch e.Kind {
		case uftrace.Enter:
			t.Push(e.Addr, r.Time, e.Sym)
			w.specials.Entered(t, e.Sym)
			l.see(r.Time)
		case uftrace.Leave:
			t.Pop(r.Time)
			w.specials.Left(t, e.Sym)
			l.see(r.Time)
		case uftrace.Lost:
			t.Lose()
		case uftrace.Event:
			w.Event(t, r)
		}
	}
}

// Event implements stacks.Visitor.
func (w *watcher) Event(t *stacks.Thread, r *record.Record) {
	shown := t.ShowsEvent(w.opts, r.ID)
	switch r.ID {
	case play.SchedOut, play.SchedOutPreempt:
		t.Off(r, shown)
	case play.SchedIn:
		shown = t.ShowsOn(w.opts, t.On(r))
	}
	if !shown {
		return
	}
	l := w.lives[t.Index]
	l.see(r.Time)
	if stacks.IsSchedule(r.ID) {
		l.schedule(r.ID, r.Time)
	}
}

// watch follows the threads of what the player shows.
func watch(ctx context.Context, rec *uftrace.Recording, opts play.Options, lives []*life) error {
	p, err := play.New(rec, opts)
	if err != nil {
		return err
	}
	err = p.Each(ctx, func(s *play.Step) {
		if s.Entry.Kind == uftrace.Lost || s.Entry.Source == uftrace.Extern {
			return
		}
		l := lives[s.Task.Index]
		l.see(s.Record.Time)
		if s.Entry.Kind == uftrace.Event && stacks.IsSchedule(s.Record.ID) {
			l.schedule(s.Record.ID, s.Record.Time)
		}
	})
	if err != nil {
		return err
	}
	for i, t := range p.Tasks() {
		lives[i].comm = t.Comm
	}
	return nil
}

// plant makes the tree: threads below the first thread of their process, processes below the one that forked them, in
// the order in which the recording names them. It returns the roots.
func plant(rec *uftrace.Recording, lives []*life) []*life {
	byTID := make(map[int32]*life, len(lives))
	order := make([]*life, 0, len(lives))
	for _, l := range lives {
		byTID[l.task.TID] = l
	}
	seen := make(map[*life]bool, len(lives))
	add := func(l *life) {
		if l != nil && !seen[l] {
			seen[l] = true
			order = append(order, l)
		}
	}
	for _, e := range rec.TaskEvents() {
		switch e.Type {
		case "TASK":
			add(byTID[e.TID])
		case "FORK":
			add(byTID[e.PID])
		}
	}
	for _, l := range lives {
		add(l)
	}
	var roots []*life
	for _, l := range order {
		parent := l.task.PPID
		if !l.isProcess() {
			parent = l.task.PID
		}
		if up := byTID[parent]; up != nil && up != l && !up.below(l) {
			l.parent = up
			up.kids = append(up.kids, l)
		} else {
			roots = append(roots, l)
		}
	}
	return roots
}

// below says whether a life descends from another one, which damaged recordings may ask for in a circle.
func (l *life) below(other *life) bool {
	for ; l != nil; l = l.parent {
		if l == other {
			return true
		}
	}
	return false
}

// taskField is a column in front of the tree.
type taskField struct {
	name  string // as -f names it
	title string
	width int
	text  func(dst []byte, l *life) []byte
}

func chooseTaskFields(opts *Options) ([]taskField, error) {
	tidWidth, tidTitle := 6, "   TID  "
	if opts.Like19 {
		tidWidth, tidTitle = 7, "   TID   "
	}
	all := []taskField{
		{"total", "TOTAL TIME", units.Width, func(dst []byte, l *life) []byte { return opts.Color.AppendDuration(dst, l.total()) }},
		{"self", " SELF TIME", units.Width, func(dst []byte, l *life) []byte { return opts.Color.AppendDuration(dst, l.self()) }},
		{"tid", tidTitle, tidWidth + 2, func(dst []byte, l *life) []byte {
			text := strconv.Itoa(int(l.task.TID))
			return append(append(appendBlanks(append(dst, '['), tidWidth-len(text)), text...), ']')
		}},
	}
	names := []field{{names: []string{"total-time", "total"}}, {names: []string{"self-time", "self"}}, {names: []string{"tid"}}}
	chosen, err := chooseFields(names, opts.Fields, "total,self,tid")
	if err != nil {
		return nil, err
	}
	var fields []taskField
	for i := range all {
		if slices.ContainsFunc(chosen, func(f field) bool { return f.names[0] == names[i].names[0] }) {
			fields = append(fields, all[i])
		}
	}
	return fields, nil
}

// taskPrinter writes the tree of tasks.
type taskPrinter struct {
	out      []byte
	fields   []taskField
	colors   *color.Palette
	prefix   []byte
	shortest uint64 // lives shorter than this are left out
}

func (p *taskPrinter) titles() {
	for i := range p.fields {
		if i == 0 {
			p.out = append(p.out, "# "...)
		} else {
			p.out = append(p.out, "  "...)
		}
		p.out = append(p.out, p.fields[i].title...)
	}
	if len(p.fields) > 0 {
		p.out = append(p.out, "   TASK NAME\n"...)
	}
}

// line writes the fields of a life, or blanks for nil, and what is drawn behind them.
func (p *taskPrinter) line(l *life, drawn, name string) {
	p.begin(l)
	p.out = append(append(append(append(p.out, p.prefix...), drawn...), name...), '\n')
}

// thread writes the line of a thread, which is no process of its own.
func (p *taskPrinter) thread(l *life, drawn string) {
	p.begin(l)
	p.out = p.colors.AppendTask(append(append(p.out, p.prefix...), drawn...), l.comm)
}

func (p *taskPrinter) begin(l *life) {
	for i := range p.fields {
		p.out = append(p.out, "  "...)
		if l == nil {
			p.out = appendBlanks(p.out, p.fields[i].width)
		} else {
			p.out = p.fields[i].text(p.out, l)
		}
	}
	if len(p.fields) > 0 {
		p.out = append(p.out, " : "...)
	}
}

// tree writes a root and all below it. A chain of forks may be long, so this follows a list of its own.
func (p *taskPrinter) tree(root *life) {
	if root.total() < p.shortest {
		return
	}
	p.line(root, "", root.comm)
	type level struct {
		kids []*life
		next int
		had  int // length of the prefix
	}
	levels := []level{{kids: p.shown(root)}}
	for len(levels) > 0 {
		l := &levels[len(levels)-1]
		p.prefix = p.prefix[:l.had]
		if l.next == len(l.kids) {
			levels = levels[:len(levels)-1]
			continue
		}
		kid := l.kids[l.next]
		drawn, deeper := " +-", ""
		if kid.isProcess() {
			p.line(nil, " |    ", "")
			drawn, deeper = " +----", "   "
		} else if l.next > 0 && l.kids[l.next-1].isProcess() {
			p.line(nil, " | ", "")
		}
		if kid.isProcess() {
			p.line(kid, drawn, kid.comm)
		} else {
			p.thread(kid, drawn)
		}
		l.next++
		bar := " | "
		if l.next == len(l.kids) {
			bar = "   "
		}
		p.prefix = append(append(p.prefix, bar...), deeper...)
		levels = append(levels, level{kids: p.shown(kid), had: len(p.prefix)})
	}
}

// shown are the kids that lived long enough.
func (p *taskPrinter) shown(l *life) []*life {
	if p.shortest == 0 {
		return l.kids
	}
	return slices.DeleteFunc(slices.Clone(l.kids), func(k *life) bool { return k.total() < p.shortest })
}
