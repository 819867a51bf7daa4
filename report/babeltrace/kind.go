package babeltrace

import (
	"fmt"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// kind describes a class in words.
func kind(c *metadata.Class) string {
	sign := "unsigned"
	if c.Signed {
		sign = "signed"
	}
	switch c.Kind {
	case metadata.Int:
		if c.Labels != nil {
			return fmt.Sprintf("%s enumeration, %d bits", sign, c.Bits)
		}
		return fmt.Sprintf("%s, %d bits", sign, c.Bits)
	case metadata.Varint:
		return sign + ", variable length"
	case metadata.Float:
		return fmt.Sprintf("float, %d bits", c.Bits)
	case metadata.Bool:
		return fmt.Sprintf("boolean, %d bits", c.Bits)
	case metadata.BitArray:
		return fmt.Sprintf("%d bits", c.Bits)
	case metadata.BitMap:
		return fmt.Sprintf("flags, %d bits", c.Bits)
	case metadata.String, metadata.Text:
		return "text"
	case metadata.Blob:
		return "blob"
	case metadata.Struct:
		return "structure"
	case metadata.Array:
		return "list of " + kind(c.Element)
	case metadata.Optional:
		return "optional " + kind(c.Element)
	}
	return "variant"
}
