package ftrace

import "testing"

func TestParseVersion(t *testing.T) {
	for uname, want := range map[string]Version{
		"": 0,
		"Linux guest 6.12.107+deb13-amd64 x86_64": 0x60c,
		"Linux guest 6.1.0-50-rt-amd64 x86_64":    0x601,
		"Linux node.7 4.19.0 armv7l":              0x413,
		"3.10":                                    0x30a,
		"6.13-rc2":                                0x60d,
		"Linux guest unknown":                     0,
		"999.1":                                   0,
	} {
		if got := ParseVersion(uname); got != want {
			t.Errorf("%q: %#x, want %#x", uname, uint32(got), uint32(want))
		}
	}
}
