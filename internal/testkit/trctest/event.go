package trctest

import (
	"encoding/binary"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/trcfmt"
)

// Event draws an event as seen by a template: hook word and data, with at least the minimum that
// every event of env has. It is often shorter than its template requires.
func Event(env trcfmt.Env) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		head := 4
		if env.Hook64 {
			head = 8
		}
		if env.Generic {
			head *= 2
		}
		n := rapid.IntRange(0, 80).Draw(t, "length")
		data := make([]byte, head+n)
		for i := 0; i < len(data); {
			part := []byte{byte(rapid.IntRange(0, 255).Draw(t, "byte"))}
			switch rapid.IntRange(0, 5).Draw(t, "part") {
			case 0:
				part = []byte("abc\x00")
			case 1:
				part = []byte{0, 0, 0, byte(rapid.IntRange(0, 9).Draw(t, "small"))}
			case 2:
				part = []byte("hello world\x00")
			case 3:
				part = []byte{byte(rapid.IntRange(0, 5).Draw(t, "count"))}
			case 4:
				part = []byte{0xff, 0xff}
			}
			i += copy(data[i:], part)
		}
		sub := uint16(rapid.IntRange(0, 20).Draw(t, "subhook"))
		if env.Hook64 {
			flags := uint16(0x8000)
			if env.Generic {
				flags |= 0x4000
			}
			binary.BigEndian.PutUint16(data, flags)
			binary.BigEndian.PutUint16(data[2:], uint16(n))
			binary.BigEndian.PutUint16(data[4:], Hook)
			binary.BigEndian.PutUint16(data[6:], sub)
			return data
		}
		words := uint16(1 + min(n/4, 5))
		if env.Generic {
			words, sub = 0, uint16(n)
		}
		binary.BigEndian.PutUint16(data, Hook|8|words)
		binary.BigEndian.PutUint16(data[2:], sub)
		return data
	})
}
