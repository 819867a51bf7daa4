package filter

// phrase is a text that is built on request, which is rare. Building the texts of a chain of n
// conditions eagerly would take memory in the square of n.
type phrase func(dst []byte) []byte

func words(s string) phrase { return func(dst []byte) []byte { return append(dst, s...) } }

// joint returns the concatenation of parts, which are strings and phrases.
func joint(parts ...any) phrase {
	return func(dst []byte) []byte {
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				dst = append(dst, p...)
			case phrase:
				dst = p(dst)
			}
		}
		return dst
	}
}
