package metadata

// Kind is the kind of a field class.
type Kind uint8

// The kinds.
const (
	Int      Kind = iota // of Bits bits
	Varint               // LEB128, up to 64 bits
	Float                // IEEE 754 of Bits bits
	Bool                 // true if any of its Bits bits is set
	BitArray             // Bits bits without a meaning
	BitMap               // Bits bits with Labels
	String               // text up to a NUL
	Text                 // text in a number of bytes; it ends at a NUL if there is one
	Blob                 // a number of bytes
	Struct
	Array
	Variant  // one of Options, selected by an earlier field
	Optional // Element, if an earlier field selects it
)

// A Class describes a field. Each field of an event has its own Class, so that references can point
// to it.
type Class struct {
	Kind  Kind
	Bits  int   // of Int, Float, Bool, BitArray and BitMap
	Align int   // in bits from the start of the packet; a power of two
	Order Order // of the bits
	Number
	Encoding Encoding // of String and Text
	Media    string   // type of a Blob
	Roles    []Role
	Members  []Member // of a Struct
	Element  *Class   // of an Array or Optional
	// Length is the number of elements of an Array, or of bytes of a Text or Blob. If From is set,
	// the length is in an earlier field.
	Length  uint64
	From    *Reference // the length or the selector; may be nil
	Ranges  []Range    // of the selector of an Optional; nil means true
	Options []Option   // of a Variant
	// Attributes are the attributes of the class in version 2.
	Attributes []Attribute
	depth      int // levels of classes below it
}

// Order is the order of bytes and bits.
type Order struct {
	BigEndian bool
	// Reversed reports that bits within bytes are not in the default order of the byte order.
	Reversed bool
}

// Number holds the properties of an integer beyond its bits.
type Number struct {
	Signed bool
	Base   int     // base in which it is printed: 2, 8, 10 or 16
	Labels []Label // of an enumeration or a BitMap; nil for a plain number
	Clock  *Clock  // the clock whose time it sets; nil for others
	clock  *named  // name of the clock in TSDL, until all clocks are known
}

// named is a name with its place in the text.
type named struct {
	name string
	at   int
}

// A Label names ranges of values, or of the bits of a BitMap. Ranges of several labels may overlap.
type Label struct {
	Name   string
	Ranges []Range
}

// A Range includes both its ends. For signed classes, negative numbers are represented by their
// bits.
type Range struct{ First, Last uint64 }

// Has reports whether a value is in the range.
func (r Range) Has(value uint64, signed bool) bool {
	if signed {
		return int64(r.First) <= int64(value) && int64(value) <= int64(r.Last)
	}
	return r.First <= value && value <= r.Last
}

// A Member is a field of a structure.
type Member struct {
	Name  string // without the underscore that TSDL puts before it
	Class *Class
	// Attributes are attributes of the member. Its class has attributes of its own.
	Attributes []Attribute
	raw        string // as in TSDL
}

// An Option is one possible class of a variant.
type Option struct {
	Name   string
	Ranges []Range
	Class  *Class
	// Attributes are attributes of the option. Its class has attributes of its own.
	Attributes []Attribute
	raw        string
}

// Encoding is the encoding of a text.
type Encoding uint8

// The encodings. NoText is for numbers.
const (
	NoText Encoding = iota
	UTF8
	ASCII
	UTF16BE
	UTF16LE
	UTF32BE
	UTF32LE
)

// Unit returns the bytes of a code unit.
func (e Encoding) Unit() int {
	switch e {
	case UTF16BE, UTF16LE:
		return 2
	case UTF32BE, UTF32LE:
		return 4
	}
	return 1
}

// A Role is a meaning of a field for decoding. Its text is the name of the role in CTF 2.
type Role string

// The roles.
const (
	Magic          Role = "packet-magic-number"
	MetadataUUID   Role = "metadata-stream-uuid"
	StreamClassID  Role = "data-stream-class-id"
	StreamID       Role = "data-stream-id"
	PacketSize     Role = "packet-total-length"   // in bits
	ContentSize    Role = "packet-content-length" // in bits
	Timestamp      Role = "default-clock-timestamp"
	EndTimestamp   Role = "packet-end-default-clock-timestamp"
	SequenceNumber Role = "packet-sequence-number"
	Discarded      Role = "discarded-event-record-counter-snapshot"
	EventClassID   Role = "event-record-class-id"
)

// A Reference leads from a class to the fields that have its length or select it. There are several
// if options of a variant have fields of one name: the field that was read last counts.
type Reference struct {
	Scope  Scope
	Fields []*Class
	path   path
}

// path is a reference as written.
type path struct {
	names    []string
	absolute bool // from the root of scope; otherwise from the enclosing structures
	scope    Scope
	up       int  // in CTF 2: number of structures to leave before the path begins
	outward  bool // in TSDL: all enclosing structures are tried
	negative bool // ranges that select have negative ends
	at       int  // its place in the text
}

// clone returns a copy of a class and of all classes below it.
func (c *Class) clone(budget *int) *Class {
	*budget--
	if c == nil || *budget < 0 {
		return c
	}
	d := *c
	d.Members, d.Options = nil, nil
	for _, m := range c.Members {
		m.Class = m.Class.clone(budget)
		d.Members = append(d.Members, m)
	}
	for _, o := range c.Options {
		o.Class = o.Class.clone(budget)
		d.Options = append(d.Options, o)
	}
	if c.Element != nil {
		d.Element = c.Element.clone(budget)
	}
	if c.From != nil {
		d.From = &Reference{path: c.From.path}
	}
	return &d
}

// each calls fn for a class and all classes below it, in the order in which they are read.
func (c *Class) each(fn func(*Class)) {
	if c == nil {
		return
	}
	fn(c)
	for _, m := range c.Members {
		m.Class.each(fn)
	}
	for _, o := range c.Options {
		o.Class.each(fn)
	}
	c.Element.each(fn)
}
