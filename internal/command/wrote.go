package command

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
)

// SayWrote reports that a file was written, and its contents.
func SayWrote(cmd *cobra.Command, name, what string) {
	if !quiet(cmd) {
		fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s: %s\n", name, what)
	}
}

// sizeOnDisk returns the size of a file, as text after a name in a list. It is empty if name is not
// a file, such as a device.
func sizeOnDisk(name string) string {
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return ", " + BytesText(st.Size())
}

// BytesText returns a size with three digits, in the largest unit that does not exceed it.
func BytesText(n int64) string {
	if n < 1<<10 {
		return Amount(n, "byte")
	}
	size, unit := float64(n), 0
	for size >= 1<<10 && unit < 4 {
		size /= 1 << 10
		unit++
	}
	digits := 1
	if size >= 9.95 {
		digits = 0
	}
	return strconv.FormatFloat(size, 'f', digits, 64) + " " + [...]string{"", "KiB", "MiB", "GiB", "TiB"}[unit]
}

// Amount returns a number with the noun that it counts. noun is the singular.
func Amount(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped returns a number with a comma before each three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// shellWord quotes a name for a shell.
func shellWord(name string) string {
	plain := func(r rune) bool {
		return r >= 0x80 || strings.ContainsRune("%+,-./:=@_", r) || '0' <= r && r <= '9' ||
			'a' <= r|0x20 && r|0x20 <= 'z'
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// sayExported reports the result of an export, and the command that shows it.
func sayExported(cmd *cobra.Command, job *report.Job, f *ExportFormat, target string, events int64) {
	what := Amount(events, "event") + sizeOnDisk(target)
	if f.Shows != "" && job.Path != "-" {
		what += "; " + strings.NewReplacer("FILE", shellWord(job.Path), "OUTPUT", shellWord(target)).Replace(f.Shows)
	}
	SayWrote(cmd, target, what)
}
