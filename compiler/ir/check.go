package ir

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bounds of an event. They are far above the events of any kernel. They limit the memory and the
// time that a hostile description can cost.
const (
	maxRecord = 1 << 24 // bytes: ring buffers do not have longer records
	maxLoop   = 1 << 16 // turns of a loop
	maxTurns  = 1 << 20 // turns of nested loops in total
	maxBudget = 1 << 30 // of a loop that counts the cost of its turns; see WithBudget
	maxPad    = 1 << 16 // characters, width or precision
	maxLocals = 1 << 16 // slots or buffers
)

// MaxDepth bounds the nesting of nodes: back ends recurse.
const MaxDepth = 1 << 10

// ErrDeep is the error of nodes nested too deep for the back ends, which recurse. Descriptions can
// cause this. A lowering calls CheckEvent and drops the text.
var ErrDeep = errors.New("nested too deep")

// Check verifies the assumptions of both back ends: every invariant in the comments of the nodes.
// It returns one violation per event, joined. A violation is a bug of the lowering or of a pass,
// never of the description.
func Check(u *Unit) error {
	if u.Target.WordSize != 4 && u.Target.WordSize != 8 {
		return fmt.Errorf("ir: word size %d of unit %q", u.Target.WordSize, u.Source)
	}
	var errs []error
	for _, ev := range u.Events {
		if err := CheckEvent(ev); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// CheckEvent is like [Check] for one event. The error is its first violation.
func CheckEvent(ev *Event) error {
	if ev == nil {
		return errors.New("ir: nil event")
	}
	for _, v := range ev.Variants {
		if err := CheckEvent(v); err != nil {
			return err
		}
	}
	c := checker{
		ev: ev, turns: 1,
		fields: make(map[*Field]bool, len(ev.Fields)), within: make(map[*Field]*Field), open: make(map[*Field]bool),
	}
	c.layout()
	if ev.HasText {
		c.slots = make(map[int]Type, max(0, min(ev.Slots, maxLocals)))
		c.stmts(ev.Text)
	} else if ev.Text != nil {
		c.fail("a text though HasText is false")
	}
	c.decode()
	if c.err != nil {
		return fmt.Errorf("ir: event %s:%s: %w", ev.Group, ev.Name, c.err)
	}
	return nil
}

// decode checks the program that yields values. It must not print.
func (c *checker) decode() {
	c.slots = make(map[int]Type, max(0, min(c.ev.Slots, maxLocals)))
	c.silent = true
	c.stmts(c.ev.Decode)
	c.silent = false
}

type checker struct {
	ev     *Event
	fields map[*Field]bool   // the fields that programs read
	within map[*Field]*Field // the structure or list of which each value that Decode yields is a part
	open   map[*Field]bool   // the structures that enclosing statements have kept
	known  []*Field          // the earlier integers of the structure of a value, and of those around it
	slots  map[int]Type      // type of each slot used so far
	depth  int
	turns  int64 // product of the limits of the enclosing loops
	apart  int   // depth of enclosing texts whose characters do not go straight to the output
	pure   int   // depth of enclosing texts that may be rendered needlessly
	silent bool  // printing is not allowed here
	err    error // the first error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// enter counts nesting. The caller must call leave only if it returns true.
func (c *checker) enter() bool {
	c.depth++
	if c.depth > MaxDepth {
		c.fail("%w: more than %d nodes", ErrDeep, MaxDepth)
		c.depth--
		return false
	}
	return c.err == nil || c.leave()
}

// leave returns false so that enter can undo itself.
func (c *checker) leave() bool {
	c.depth--
	return false
}

func (c *checker) layout() {
	ev := c.ev
	if ev.Size < 0 || ev.Size > maxRecord {
		c.fail("size %d", ev.Size)
	}
	if ev.Slots < 0 || ev.Slots > maxLocals || ev.Buffers < 0 || ev.Buffers > maxLocals {
		c.fail("%d slots and %d buffers", ev.Slots, ev.Buffers)
	}
	for i, f := range ev.Fields {
		if f == nil {
			c.fail("field %d is nil", i)
			continue
		}
		if !f.Decoded() {
			c.fields[f] = true
		}
		if why := c.field(f); why != "" {
			c.fail("field %s: %s", f, why)
		}
	}
	if c.err == nil {
		c.values(ev.Values(), nil)
	}
}

// values checks fields that Decode yields, and notes the structure or list around each.
func (c *checker) values(fields []*Field, in *Field) {
	known := len(c.known)
	defer func() { c.known = c.known[:known] }()
	for i, f := range fields {
		if !c.enter() {
			return
		}
		switch _, twice := c.within[f]; {
		case f == nil:
			c.fail("a nil member")
		case twice:
			c.fail("field %s occurs twice", f)
		case !f.Decoded():
			c.fail("field %s has a fixed place after values without one", f)
		case in != nil && f.Offset != in.Offset:
			c.fail("field %s is not found as part of its parent", f)
		case in != nil:
			if why := c.field(f); why != "" {
				c.fail("field %s: %s", f, why)
			}
		}
		if c.err == nil {
			c.within[f] = in
			c.refers(fields, i, in)
			c.values(f.Fields, f)
			c.known = append(c.known, f)
		}
		c.leave()
	}
}

// refers checks the references of field i to earlier fields: From, When and Overlap.
func (c *checker) refers(fields []*Field, i int, in *Field) {
	f := fields[i]
	arm := in != nil && in.Kind == Variant
	switch {
	case f.From != nil && (f.From.Kind != Int || !slices.Contains(c.known, f.From)):
		c.fail("field %s refers to something that is not an integer before it", f)
	case arm && !f.Optional:
		c.fail("arm %s of a variant is not optional", f)
	case f.When != nil && !arm:
		c.fail("field %s is not an arm of a variant", f)
	case f.Bits.Overlap != 0 && (i == 0 || arm || fields[i-1].Bits.Count == 0 || f.Bits.Overlap > fields[i-1].Size):
		c.fail("field %s overlaps something that is not a bit field before it", f)
	}
}

// field returns an error message about the shape of f, or "".
func (c *checker) field(f *Field) string {
	if f.Decoded() {
		return c.decoded(f)
	}
	if f.Offset < 0 || f.Size < 0 || f.Offset > maxRecord || f.Size > maxRecord {
		return "offset or size out of bounds"
	}
	if f.Kind != Tail && f.Offset+f.Size > c.ev.Size {
		return fmt.Sprintf("ends after the record's %d bytes", c.ev.Size)
	}
	if f.Rel && f.Kind != Dynamic {
		return "rel, but not dynamic"
	}
	switch f.Kind {
	case Int:
		if !(Type{Size: int8(min(f.Size, 127))}).Valid() {
			return "an integer of that size"
		}
	case Array:
		if f.Elem <= 0 || f.Size%f.Elem != 0 {
			return "size is not a multiple of elem"
		}
	case Dynamic:
		if f.Size != 4 {
			return "the word has 4 bytes"
		}
		if f.Elem <= 0 {
			return "elem"
		}
	case Tail:
		if f.Size != 0 || f.Elem <= 0 {
			return "size is not 0 or elem not positive"
		}
	case Bytes:
	default:
		return "unknown kind"
	}
	return ""
}

// decoded is field for a field that Decode yields.
func (c *checker) decoded(f *Field) string {
	power := func(n int) bool { return n >= 0 && n&(n-1) == 0 }
	sizes, ok := decodedSizes[f.Kind]
	switch {
	case c.ev.Fields[0] == nil || c.ev.Fields[0].Kind != Tail || c.ev.Fields[0].Offset != 0:
		return "decoded, but the first field is not the payload"
	case f.Offset != Sequential && f.Offset != Computed:
		return "an offset"
	case f.Size < 0 || f.Count < 0: // a description may give a field more bytes than any record has
		return "a negative size"
	case !power(f.Align) || !power(f.PadAfter):
		return "its place is not a multiple of a power of two"
	case !ok:
		return "it cannot be decoded"
	case sizes != nil && f.Bits.Count == 0 && !slices.Contains(sizes, f.Size):
		return "a value of that size"
	case f.Bits != BitField{} && !f.Bits.fits(f):
		return "bits that it does not have"
	case f.Type() != Type{} && !f.Type().Valid():
		return "a number of that type"
	}
	return parts(f)
}

// fits reports whether the number of f has the bits.
func (b BitField) fits(f *Field) bool {
	return f.Kind == Int && f.Size <= 8 && b.Count > 0 &&
		b.At >= 0 && b.At <= 8*f.Size-b.Count && b.Overlap >= 0 && b.Overlap <= f.Size
}

// parts returns an error message about the members of f, or "".
func parts(f *Field) string {
	switch {
	case f.Kind == List && len(f.Fields) != 1:
		return "a list has one element"
	case f.From != nil && (f.Size > 0 || f.Count > 0), f.Count > 0 && f.Size > 0:
		return "a list with two lengths"
	case f.From != nil && f.Kind != List && f.Kind != Counted && f.Kind != Variant:
		return "its kind does not depend on another field"
	case f.From == nil && f.Offset == Sequential && (f.Kind == Variant || f.Kind == Counted && f.Size == 0 &&
		f.Count == 0):
		return "its selector or length is missing"
	case f.Kind == List && f.Fields[0] != nil && f.Fields[0].Optional:
		return "an element cannot be optional"
	case !f.Kind.HasParts() && f.Fields != nil:
		return "members of something that is not a structure"
	}
	return ""
}

// decodedSizes are the sizes of the kinds that can be Sequential or Computed. Nil means any size.
var decodedSizes = map[Kind][]int{
	Int: {1, 2, 4, 8}, Float: nil, Bytes: nil, Counted: {0, 1, 2, 4}, Terminated: {0},
	Struct: {0}, Union: nil, List: {0, 1, 2, 4, 8}, Variant: {0},
}

func (c *checker) stmts(body []Stmt) {
	outside := maps.Clone(c.open)
	defer func() {
		maps.DeleteFunc(outside, func(f *Field, _ bool) bool { return !c.open[f] })
		c.open = outside
	}()
	for _, s := range body {
		if !c.enter() {
			return
		}
		c.stmt(s)
		c.leave()
	}
}

func (c *checker) stmt(s Stmt) {
	if isNil(s) {
		c.fail("nil statement")
		return
	}
	switch s := s.(type) {
	case *Lit:
		c.prints()
	case *PutInt:
		c.prints()
		c.value(s.V)
		if s.Spec.Verb == 0 || !strings.ContainsRune("dxXoc", rune(s.Spec.Verb)) {
			c.fail("verb %q of an integer", s.Spec.Verb)
		}
		c.spec(s.Spec)
	case *PutText:
		c.prints()
		if s.Spec.Plain() {
			c.text(s.T)
		} else {
			c.textApart(s.T)
		}
		c.spec(s.Spec)
	case *Let:
		c.effect("a local value")
		if t, ok := c.value(s.V); ok {
			c.slot(s.Slot, t)
		}
	case *LetBytes:
		c.effect("a local text")
		c.region(s.V)
		c.buffer(s.Slot)
	case *If:
		c.value(s.Cond)
		c.stmts(s.Then)
		c.stmts(s.Else)
	case *Switch:
		c.switchStmt(s)
	case *Loop:
		c.loop(s)
	case *Require:
		c.region(s.Of)
		c.value(s.Bytes)
		c.exit(Short)
	case *Exit:
		if s.At != nil {
			c.value(s.At)
		}
		c.exit(s.Reason)
	case *Keep:
		c.effect("a value kept")
		c.keep(s)
	default:
		c.fail("unknown statement %T", s)
	}
}

// effect rejects effects in a text that may be rendered needlessly.
func (c *checker) effect(what string) {
	if c.pure > 0 {
		c.fail("%s in a text that is compared", what)
	}
}

func (c *checker) prints() {
	if c.silent && c.apart == 0 {
		c.fail("a program that prints keeps values")
	}
}

func (c *checker) keep(s *Keep) {
	in, known := c.within[s.Field]
	if !known {
		c.fail("a value is kept that the event does not have")
		return
	}
	if in != nil && in.Kind == List && (c.within[in] == nil || c.within[in].Kind != List) {
		in = c.within[in] // an element may begin the list
	}
	if in != nil && !c.open[in] {
		c.fail("value %q is kept before its parent", s.Field.Name)
	}
	switch t := s.Field.Type(); {
	case s.V == nil && s.Of != nil && IsNumbers(s.Field):
		if in := c.within[s.Field]; in != nil && in.Kind == List && !c.open[s.Field] {
			c.fail("elements of %q are kept before it", s.Field.Name)
		}
		c.region(s.Of)
	case s.Field.Kind.HasParts():
		if s.V != nil || s.Of != nil {
			c.fail("a value is kept of %q, which has members", s.Field.Name)
		}
		c.begin(s.Field)
		c.open[s.Field] = true
	case t == Type{}:
		c.region(s.Of)
	default:
		if v, ok := c.value(s.V); ok && v != t {
			c.fail("value %q is %s and %s", s.Field.Name, t, v)
		}
	}
}

// begun calls begin for all values that a statement begins.
func (c *checker) begun(n any) {
	if k, ok := n.(*Keep); ok && k.Field != nil {
		c.begin(k.Field)
	}
	if _, ok := n.(Stmt); ok {
		Parts(n, c.begun)
	}
}

// begin ends the open structures within f, which are parts of an earlier value.
func (c *checker) begin(f *Field) {
	for _, m := range f.Fields {
		delete(c.open, m)
		c.begin(m)
	}
}

func (c *checker) exit(r ExitReason) {
	if r == Ended || r > Short {
		c.fail("exit for reason %d", r)
	}
	if c.apart > 0 {
		c.fail("exit in a text that does not go straight to the output")
	}
}

func (c *checker) loop(s *Loop) {
	c.value(s.Cond)
	if s.Limit < 1 || s.Limit > maxLoop {
		c.fail("loop limit %d", s.Limit)
		return
	}
	around := c.turns
	if !hasBudget(s) {
		c.turns *= int64(s.Limit)
	}
	if c.turns > maxTurns {
		c.fail("loops within loops turn %d times", c.turns)
	}
	for _, inner := range s.Body { // of an earlier turn
		c.begun(inner)
	}
	c.stmts(s.Body)
	c.turns = around
}

func (c *checker) switchStmt(s *Switch) {
	t, ok := c.value(s.X)
	if !ok {
		return
	}
	for _, arm := range s.Cases {
		if len(arm.Values) == 0 {
			c.fail("a case without values")
		}
		for _, v := range arm.Values {
			if t.Extend(v) != v {
				c.fail("case %#x of a switch over %s", v, t)
			}
		}
		c.stmts(arm.Body)
	}
	c.stmts(s.Default)
}

func (c *checker) spec(s Spec) {
	if s.Width < 0 || s.Width > maxPad || s.Prec < -1 || s.Prec > maxPad {
		c.fail("width %d or precision %d", s.Width, s.Prec)
	}
	if s.WidthArg != nil {
		c.value(s.WidthArg)
	}
	if s.PrecArg != nil {
		c.value(s.PrecArg)
	}
}

func (c *checker) slot(n int, t Type) {
	if n < 0 || n >= c.ev.Slots {
		c.fail("slot %d of %d", n, c.ev.Slots)
	}
	if was, ok := c.slots[n]; ok && was != t {
		c.fail("slot %d is %s and %s", n, was, t)
	}
	c.slots[n] = t
}

func (c *checker) buffer(n int) {
	if n < 0 || n >= c.ev.Buffers {
		c.fail("buffer %d of %d", n, c.ev.Buffers)
	}
}

// Valid reports whether t is one of the eight types.
func (t Type) Valid() bool { return t.Size == 1 || t.Size == 2 || t.Size == 4 || t.Size == 8 }

// Plain reports whether s does not cut or pad.
func (s Spec) Plain() bool {
	return s.Width == 0 && s.Prec < 0 && s.WidthArg == nil && s.PrecArg == nil
}
