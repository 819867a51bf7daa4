package report

import "testing"

func TestParseVersion(t *testing.T) {
	for _, tt := range []struct {
		text         string
		major, minor int
		ok           bool
	}{
		{"3.1.6 not-a-git-repo", 3, 1, true},
		{"3.4.0\n", 3, 4, true},
		{"3.10", 3, 10, true},
		{"v0.13 ( x86_64 dwarf python3 )", 0, 13, true},
		{" 0.19", 0, 19, true},
		{"", 0, 0, false},
		{"3", 0, 0, false},
		{"new", 0, 0, false},
	} {
		major, minor, ok := ParseVersion(tt.text)
		if ok != tt.ok || ok && (major != tt.major || minor != tt.minor) {
			t.Errorf("%q: %d.%d, %t", tt.text, major, minor, ok)
		}
	}
}
