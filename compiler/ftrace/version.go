package ftrace

import (
	"strconv"
	"strings"
)

// Version is the version of a kernel, major<<8 | minor: 0x60c is 6.12. 0 is unknown.
type Version uint32

// ParseVersion finds the version in the name of a system as recordings keep it, "Linux guest
// 6.12.107+deb13-amd64 x86_64", or in a release alone.
func ParseVersion(uname string) Version {
	for word := range strings.FieldsSeq(uname) {
		major, rest, found := strings.Cut(word, ".")
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		a, errA := strconv.ParseUint(major, 10, 8)
		b, errB := strconv.ParseUint(rest[:digits], 10, 8)
		if found && errA == nil && errB == nil {
			return Version(a<<8 | b)
		}
	}
	return 0
}
