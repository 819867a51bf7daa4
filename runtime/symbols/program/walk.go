package program

import "debug/dwarf"

// walk reads the functions of a unit.
type walk struct {
	info   *dwarfInfo
	unit   *unit
	reader *dwarf.Reader
	other  *dwarf.Reader // at entries to which others refer
	files  []*dwarf.LineFile
	named  map[dwarf.Offset]origin
	open   []scope
	taken  int // scopes for which memory is taken
	work   int // number of fields of entries
}

// scope is an entry that contains others.
type scope struct {
	from, to int  // its functions in the unit: the ranges of one function
	inside   bool // it is inside a function with code
	dead     bool // it has no code
}

// origin holds the facts of an entry about a function.
type origin struct {
	name  string
	start int
}

// mostFields limits the number of fields of entries per byte of a unit's section. Fields of a
// hostile file may need no bytes.
const mostFields = 64

// all reads the entries within the first one.
func (w *walk) all(first *dwarf.Entry) error {
	if !first.Children {
		return nil
	}
	w.other = w.info.data.Reader()
	w.open = append(w.open, scope{})
	begin := first.Offset
	for len(w.open) > 0 {
		e, err := w.reader.Next()
		switch {
		case err != nil:
			return err
		case e == nil:
			return nil
		case e.Tag == 0:
			w.close()
			continue
		}
		w.work += len(e.Field)
		if w.work > mostFields*(int(e.Offset-begin)+1<<10) || len(w.open) > mostNested {
			return errDwarf
		}
		if err := w.entry(e); err != nil {
			return err
		}
	}
	return nil
}

// close ends the innermost scope.
func (w *walk) close() {
	s := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	for i := s.from; i < s.to; i++ {
		w.unit.functions[i].last = len(w.unit.calls)
	}
}

// entry reads an entry.
func (w *walk) entry(e *dwarf.Entry) (err error) {
	around := &w.open[len(w.open)-1]
	s := scope{inside: around.inside, dead: around.dead}
	switch {
	case s.dead:
	case e.Tag == dwarf.TagSubprogram:
		s.from = len(w.unit.functions)
		err = w.function(e)
		s.to = len(w.unit.functions)
		s.inside = s.to > s.from
	case e.Tag == dwarf.TagInlinedSubroutine && s.inside:
		err = w.call(e)
	case !holdsCode[e.Tag]:
		s.dead = true
	}
	if !e.Children {
		return err
	}
	if at, ok := e.Val(dwarf.AttrSibling).(dwarf.Offset); ok && s.dead && at > e.Offset {
		w.reader.Seek(at)
		return err
	}
	w.open = append(w.open, s)
	return err
}

// holdsCode are the entries that may contain functions or inlined calls.
var holdsCode = map[dwarf.Tag]bool{
	dwarf.TagInlinedSubroutine: true, dwarf.TagLexDwarfBlock: true, dwarf.TagNamespace: true, dwarf.TagModule: true,
	dwarf.TagClassType: true, dwarf.TagStructType: true, dwarf.TagUnionType: true, dwarf.TagEnumerationType: true,
}

// room takes memory for more ranges.
func (w *walk) room(more int) error {
	n := len(w.unit.functions) + len(w.unit.calls) + more
	if n > mostScopes {
		return errRanges
	}
	if n > w.taken {
		step := max(64, n)
		if err := w.info.memory.Take(int64(step) * scopeSize); err != nil {
			return err
		}
		w.taken += step
	}
	return nil
}

// function adds the code of a function, which may have no code.
func (w *walk) function(e *dwarf.Entry) error {
	list, err := w.info.data.Ranges(e)
	if err != nil || len(list) == 0 {
		return err
	}
	if err := w.room(len(list)); err != nil {
		return err
	}
	start := w.origin(e, 0).start
	for _, x := range list {
		f := function{low: x[0], high: x[1], start: start, first: len(w.unit.calls), last: len(w.unit.calls)}
		w.unit.functions = append(w.unit.functions, f)
	}
	return nil
}

// call adds the code of an inlined call.
func (w *walk) call(e *dwarf.Entry) error {
	list, err := w.info.data.Ranges(e)
	if err != nil {
		return err
	}
	if err := w.room(len(list)); err != nil {
		return err
	}
	o := w.origin(e, 0)
	c := inlined{name: o.name, start: o.start}
	if n, ok := e.Val(dwarf.AttrCallFile).(int64); ok && n >= 0 && n < int64(len(w.files)) && w.files[n] != nil {
		c.file = w.files[n].Name
	}
	if n, ok := e.Val(dwarf.AttrCallLine).(int64); ok && n >= 0 && n < 1<<31 {
		c.line = int(n)
	}
	for _, x := range list {
		c.low, c.high = x[0], x[1]
		w.unit.calls = append(w.unit.calls, c)
	}
	return nil
}

// origin returns the name and the line of a function. They may be at the entry of which the
// function is an instance, or at the entry that declares it.
func (w *walk) origin(e *dwarf.Entry, depth int) (o origin) {
	if n, ok := e.Val(dwarf.AttrDeclLine).(int64); ok && n > 0 && n < 1<<31 {
		o.start = int(n)
	}
	for _, a := range []dwarf.Attr{dwarf.AttrLinkageName, mipsLinkageName, dwarf.AttrName} {
		if s, ok := e.Val(a).(string); ok && s != "" {
			o.name = s
			if a != dwarf.AttrName {
				return o.or(w.referred(e, depth))
			}
			break
		}
	}
	from := w.referred(e, depth)
	if from.name != "" { // the name may be mangled
		o.name = from.name
	}
	return o.or(from)
}

// or returns the parts of an origin, or else of another one.
func (o origin) or(other origin) origin {
	if o.name == "" {
		o.name = other.name
	}
	if o.start == 0 {
		o.start = other.start
	}
	return o
}

// mipsLinkageName is the attribute that compilers used before DWARF 4 (DW_AT_MIPS_linkage_name).
const mipsLinkageName dwarf.Attr = 0x2007

// referred returns the origin to which an entry refers.
func (w *walk) referred(e *dwarf.Entry, depth int) origin {
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		at, ok := e.Val(a).(dwarf.Offset)
		if !ok || depth == mostOrigins {
			continue
		}
		o, ok := w.named[at]
		if !ok {
			w.other.Seek(at)
			if x, err := w.other.Next(); err == nil && x != nil {
				w.work += len(x.Field)
				o = w.origin(x, depth+1)
			}
			w.named[at] = o
		}
		return o
	}
	return origin{}
}
