package demangle

import "github.com/ianlancetaylor/demangle"

// Full is the whole name with template arguments and parameters, as uftrace's --demangle=full. A name that is not
// mangled, or that cannot be parsed, is returned as it is. Legacy names of Rust are shown as those of C++, with their
// hash: uftrace takes the C++ library's demangler.
func Full(name string) string {
	if !Mangled(name) || len(name) > maxName {
		return name
	}
	text, err := demangle.ToString(name, demangle.NoRust, demangle.MaxLength(20))
	if err != nil {
		return name
	}
	return text
}
