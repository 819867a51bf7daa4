package filter

// phrase is a text that is put together when it is asked for, which is seldom: joined at once,
// those of a chain of thousands of conditions would take the square of its length.
type phrase func(dst []byte) []byte

func words(s string) phrase { return func(dst []byte) []byte { return append(dst, s...) } }

// joint is strings and phrases, one after the other.
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
