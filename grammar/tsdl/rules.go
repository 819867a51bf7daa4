package tsdl

import "slices"

// blocks are the words that begin blocks.
var blocks = []string{"trace", "env", "clock", "stream", "event", "callsite"}

// declaration is Block | Entry.
func (c *cursor) declaration() *Declaration {
	t := c.peek(0)
	d := &Declaration{Pos: t.Pos}
	if t.Type == tokWord && slices.Contains(blocks, t.Value) && c.marks(1, "{") {
		d.Block = &Block{Pos: t.Pos, Kind: c.next().Value, Body: c.body()}
		c.need(";")
	} else {
		d.Entry = c.entry()
	}
	if c.at < len(c.tokens) {
		c.fail()
	}
	return d
}

// body is '{' Entry* '}'.
func (c *cursor) body() *Body {
	b := &Body{}
	for c.need("{"); c.failed < 0 && !c.take("}"); {
		b.Entries = append(b.Entries, c.entry())
	}
	return b
}

// bodyIf is a body, or nil.
func (c *cursor) bodyIf() *Body {
	if !c.marks(0, "{") {
		return nil
	}
	return c.body()
}

// entry is ( Setting | Fields | 'typealias' Alias | 'typedef' Fields ) ';'.
func (c *cursor) entry() *Entry {
	t := c.peek(0)
	e := &Entry{Pos: t.Pos}
	switch {
	case t.Type == tokReserved && t.Value == "typealias":
		c.next()
		e.Alias = &Alias{Type: c.words()}
		c.need(":=")
		e.Alias.Name = c.declarator()
	case t.Type == tokReserved && t.Value == "typedef":
		c.next()
		e.Typedef = c.fields()
	case c.isSetting():
		e.Setting = c.setting()
	default:
		e.Fields = c.fields()
	}
	c.need(";")
	return e
}

// isSetting reports whether a path is next that is no field: one with several words, or with = or
// := after it.
func (c *cursor) isSetting() bool {
	return c.is(tokWord) && (c.marks(1, "=") || c.marks(1, ":=") || c.marks(1, ".") || c.marks(1, "->"))
}

// setting is Word ( ( '.' | '->' ) Word )* ( '=' Value | ':=' Word+ ).
func (c *cursor) setting() *Setting {
	s := &Setting{Pos: c.peek(0).Pos}
	for {
		if !c.is(tokWord) {
			c.fail()
			return s
		}
		s.Target.Path = append(s.Target.Path, c.next().Value)
		if !c.take(".") && !c.take("->") {
			break
		}
	}
	switch {
	case c.take("="):
		s.Value = c.value()
	case c.take(":="):
		s.Type = c.words()
	default:
		c.fail()
	}
	return s
}

// fields is Declarator ( ',' Declarator )*.
func (c *cursor) fields() *Fields {
	f := &Fields{First: c.declarator()}
	for c.take(",") {
		f.Rest = append(f.Rest, c.declarator())
	}
	return f
}

// declarator is Word+ ( '[' Value ']' )* ( ':' Value )?.
func (c *cursor) declarator() *Declarator {
	d := &Declarator{Pos: c.peek(0).Pos, Words: c.words()}
	for c.take("[") {
		d.Lengths = append(d.Lengths, c.value())
		c.need("]")
	}
	if c.take(":") {
		d.BitField = c.value()
	}
	return d
}

// value is ( '+' | '-' )? ( Integer | String | Char | PATH ). Keywords may be parts of a path.
func (c *cursor) value() *Value {
	v := &Value{Pos: c.peek(0).Pos}
	if c.marks(0, "+") || c.marks(0, "-") {
		v.Sign = c.next().Value
	}
	switch {
	case c.is(tokInteger):
		v.Number = c.next().Value
		return v
	case c.is(tokString, tokChar):
		v.Text = textOf(c.next().Value)
		return v
	}
	for {
		if !c.is(tokWord, tokReserved, tokScalar) {
			c.fail()
			return v
		}
		v.Path = append(v.Path, c.next().Value)
		if !c.take(".") && !c.take("->") {
			return v
		}
	}
}

// textOf returns the text of a token. Tokens keep their quotes, so that none equals a mark.
func textOf(token string) *Text {
	t := Text(unquote(token))
	return &t
}

// scalar is Scalar ( '{' ( Setting ';' )* '}' )?.
func (c *cursor) scalar() *Scalar {
	s := &Scalar{Pos: c.peek(0).Pos}
	if !c.is(tokScalar) {
		c.fail()
	}
	if s.Kind = c.next().Value; c.take("{") {
		for c.failed < 0 && !c.take("}") {
			s.Attributes = append(s.Attributes, c.setting())
			c.need(";")
		}
	}
	if c.at < len(c.tokens) && !c.tokens[c.at].EOF() {
		c.fail()
	}
	return s
}
