package demangle

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// hashLength is the length of ::h0123456789abcdef.
const hashLength = 19

// dropHash removes the hash that ends the legacy names of Rust; they are mangled as those of C++ otherwise.
func dropHash(text []byte, name string) []byte {
	if len(text) <= hashLength || !strings.Contains(name, "17h") {
		return text
	}
	tail := text[len(text)-hashLength:]
	if string(tail[:3]) != "::h" {
		return text
	}
	for _, c := range tail[3:] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return text
		}
	}
	return text[:len(text)-hashLength]
}

// simpleRust is the path of a name of Rust's second scheme (v0), without generic arguments.
func simpleRust(name string) string {
	text, err := demangle.ToString(name, demangle.NoTemplateParams, demangle.NoParams, demangle.MaxLength(16))
	if err != nil {
		return name
	}
	return text
}
