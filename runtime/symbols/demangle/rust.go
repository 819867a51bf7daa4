package demangle

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// hashLength is the length of h0123456789abcdef, the last part of the legacy names of Rust. Apart
// from that, these are mangled like names of C++.
const hashLength = 17

func isHash(name string) bool {
	if len(name) != hashLength || name[0] != 'h' {
		return false
	}
	for i := 1; i < len(name); i++ {
		if c := name[i]; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}

// escapes are the characters that legacy names of Rust write as words. uftrace 0.13 knows these.
var escapes = strings.NewReplacer("$SP$", "@", "$BP$", "*", "$RF$", "&", "$LT$", "<", "$GT$", ">", "$LP$", "(", "$RP$",
	")",
	"$C$", ",", "$u20$", " ", "$u22$", `"`, "$u27$", "'", "$u2b$", "+", "$u3b$", ";", "$u3d$", "=", "$u5b$", "[",
	"$u5d$", "]",
	"$u7b$", "{", "$u7d$", "}", "$u7e$", "~")

// maxEscape is the length of the longest escape.
const maxEscape = 5

// unescape replaces the escapes of a name. If a dollar sign is not the beginning of an escape,
// uftrace 0.13 writes the text since the last escape twice, and replaces no more: C++ names may
// contain dollar signs.
func (w *simpleWriter) unescape(name string) {
	for {
		i := strings.IndexByte(name, '$')
		if i < 0 || name == "$" {
			w.put(name)
			return
		}
		if end := strings.IndexByte(name[i+1:min(len(name), i+maxEscape)], '$'); end > 0 {
			code := name[i : i+end+2]
			if plain := escapes.Replace(code); plain != code {
				w.put(name[:i])
				w.put(plain)
				name = name[i+len(code):]
				continue
			}
		}
		w.put(name[:i])
		w.put(name)
		return
	}
}

// simpleRust returns the path of a name of Rust's second scheme (v0). uftrace keeps generic
// arguments, without the colons before them: parse<u8> instead of rustc's parse::<u8>.
func simpleRust(name string) string {
	text, err := demangle.ToString(name, demangle.NoParams, demangle.MaxLength(16))
	if err != nil {
		return name
	}
	return strings.ReplaceAll(text, "::<", "<")
}
