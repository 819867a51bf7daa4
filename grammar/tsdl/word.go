package tsdl

// The types of containers may be enumerations with containers, and so on, without braces.
const mostDepth = 2 * MaxNesting

// words is Word+.
func (c *cursor) words() (list []*Word) {
	for c.isWord() {
		list = append(list, c.word())
	}
	if list == nil {
		c.fail()
	}
	return list
}

// isWord reports whether the next token begins a word.
func (c *cursor) isWord() bool {
	switch t := c.peek(0); t.Type {
	case tokWord, tokScalar:
		return true
	case tokMark:
		return t.Value == "*"
	case tokReserved:
		return t.Value == "struct" || t.Value == "enum" || t.Value == "variant"
	}
	return false
}

// word is Word | '*' | Scalar | 'struct' Struct | 'enum' Enum | 'variant' Variant.
func (c *cursor) word() *Word {
	if c.depth++; c.depth > mostDepth {
		c.fail()
	}
	defer func() { c.depth-- }()
	t := c.next()
	w := &Word{Pos: t.Pos}
	switch {
	case t.Type == tokScalar:
		w.Scalar = t.Value
	case t.Type == tokReserved && t.Value == "struct":
		w.Struct = &Struct{Name: c.name(), Body: c.bodyIf(), Align: c.alignment()}
	case t.Type == tokReserved && t.Value == "enum":
		w.Enum = &Enum{Name: c.name(), Container: c.container(), Labels: c.labels()}
	case t.Type == tokReserved:
		w.Variant = &Variant{Name: c.name(), Tag: c.tag(), Body: c.bodyIf()}
	default:
		w.Name = t.Value
	}
	return w
}

// name is Word?, and no part of an alignment.
func (c *cursor) name() string {
	if !c.is(tokWord) || c.isAlignment() {
		return ""
	}
	return c.next().Value
}

func (c *cursor) isAlignment() bool { return c.peek(0).Value == "align" && c.marks(1, "(") }

// alignment is ( 'align' '(' Value ')' )?.
func (c *cursor) alignment() *Value {
	if !c.isAlignment() {
		return nil
	}
	c.next()
	c.next()
	v := c.value()
	c.need(")")
	return v
}

// tag is ( '<' Value '>' )?.
func (c *cursor) tag() *Value {
	if !c.take("<") {
		return nil
	}
	v := c.value()
	c.need(">")
	return v
}

// container is ( ':' Word+ )?.
func (c *cursor) container() []*Word {
	if !c.take(":") {
		return nil
	}
	return c.words()
}

// labels is ( '{' ( Label ( ',' Label? )* )? '}' )?.
func (c *cursor) labels() *Labels {
	if !c.take("{") {
		return nil
	}
	b := &Labels{}
	for separate := true; c.failed < 0 && !c.take("}"); {
		switch {
		case len(b.List) > 0 && c.take(","):
			separate = true
		case separate:
			b.List, separate = append(b.List, c.label()), false
		default:
			c.fail()
		}
	}
	return b
}

// label is ( Word | String ) ( '=' Value ( '...' Value )? )?.
func (c *cursor) label() *Label {
	label := &Label{Pos: c.peek(0).Pos}
	switch {
	case c.is(tokWord):
		label.Name = c.next().Value
	case c.is(tokString):
		label.Text = textOf(c.next().Value)
	default:
		c.fail()
	}
	if c.take("=") {
		if label.First = c.value(); c.take("...") {
			label.Last = c.value()
		}
	}
	return label
}
