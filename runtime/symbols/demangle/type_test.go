package demangle

import "testing"

// The output of uftrace 0.13 with --demangle=full for C functions with these names.
func TestFullType(t *testing.T) {
	for name, want := range map[string]string{
		"v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
		"t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
		"y": "unsigned long long", "n": "__int128", "o": "unsigned __int128", "f": "float", "d": "double",
		"e": "long double", "g": "__float128", "z": "...", "Pi": "int*", "PKc": "char const*", "Ra": "signed char&",
		"FivE": "int ()", "A3_i": "int [3]", "Kc": "char const", "Oi": "int&&", "Di": "char32_t",
		"u": "u", "k": "k", "p": "p", "q": "q", "r": "r", "St": "St", "S1": "S1", "Fd": "Fd",
		"main": "main", "leaf": "leaf", "ab": "ab", "": "", "__monstartup": "__monstartup",
	} {
		if got := FullOrType(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if got := Full(name); got != name { // as 0.19
			t.Errorf("Full(%s) = %q", name, got)
		}
	}
}
