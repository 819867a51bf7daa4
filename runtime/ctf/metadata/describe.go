package metadata

import "fmt"

// Describe describes a class in words: "unsigned, 16 bits".
func (c *Class) Describe() string {
	sign := "unsigned"
	if c.Signed {
		sign = "signed"
	}
	switch c.Kind {
	case Int:
		if c.Labels != nil {
			return fmt.Sprintf("%s enumeration, %d bits", sign, c.Bits)
		}
		return fmt.Sprintf("%s, %d bits", sign, c.Bits)
	case Varint:
		return sign + ", variable length"
	case Float:
		return fmt.Sprintf("float, %d bits", c.Bits)
	case Bool:
		return fmt.Sprintf("boolean, %d bits", c.Bits)
	case BitArray:
		return fmt.Sprintf("%d bits", c.Bits)
	case BitMap:
		return fmt.Sprintf("flags, %d bits", c.Bits)
	case String, Text:
		return "text"
	case Blob:
		return "blob"
	case Struct:
		return "structure"
	case Array:
		return "list of " + c.Element.Describe()
	case Optional:
		return "optional " + c.Element.Describe()
	}
	return "variant"
}
