package report

import (
	"fmt"
	"strings"
)

// ParseVersion reads the first two numbers of the version of a recorder, such as "3.1.6
// not-a-git-repo" or "v0.13 ( x86_64 dwarf )".
func ParseVersion(text string) (major, minor int, ok bool) {
	n, _ := fmt.Sscanf(strings.TrimPrefix(strings.TrimSpace(text), "v"), "%d.%d", &major, &minor)
	return major, minor, n == 2
}
