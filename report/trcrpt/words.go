package trcrpt

import (
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/render"
)

// appendWords appends the data of an event as hexadecimal words of its environment. tracec report
// -R prints these instead of the text of a template.
func appendWords(dst, data []byte, env aix.Env) []byte {
	word := env.HeadSize()
	for at := 0; at < len(data); at += word {
		if at > 0 {
			dst = append(dst, ' ')
		}
		part := data[at:min(at+word, len(data))]
		dst = render.HexUpper(dst, nil, part, uint64(len(part)))
	}
	return dst
}
