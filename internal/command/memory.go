package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/runtime/record"
)

// memorySize is the value of --memory: bytes, or a number with K, M, G or T. The units are powers
// of 1024, as in KiB.
type memorySize int64

// String implements pflag.Value.
func (m *memorySize) String() string {
	n, unit := int64(*m), ""
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if n%1024 != 0 || n == 0 {
			break
		}
		n, unit = n/1024, u
	}
	return strconv.FormatInt(n, 10) + unit
}

// Type implements pflag.Value.
func (*memorySize) Type() string { return "size" }

// Set implements pflag.Value.
func (m *memorySize) Set(text string) error {
	n, err := parseSize(text)
	if err == nil && n < record.MinMemory {
		least := memorySize(record.MinMemory)
		err = fmt.Errorf("want at least %s", least.String())
	}
	if err == nil {
		*m = memorySize(n)
	}
	return err
}

// parseSize parses a number of bytes.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "kmgtibKMGTIB")
	unit := strings.ToUpper(text[len(digits):])
	shift, ok := map[string]int{
		"": 0, "B": 0, "K": 10, "KB": 10, "KIB": 10, "M": 20, "MB": 20, "MIB": 20, "G": 30, "GB": 30, "GIB": 30,
		"T": 40, "TB": 40, "TIB": 40,
	}[unit]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 0 || n > (1<<62)>>shift {
		return 0, errors.New("want a size such as 64M or 1GiB")
	}
	return n << shift, nil
}

const memoryUsage = "use at most `SIZE` for a recording"

// newMemorySize returns the value of --memory with its default.
func newMemorySize() *memorySize {
	size := memorySize(record.DefaultMemory)
	return &size
}

// memory returns the value of --memory in bytes.
func memory(cmd *cobra.Command) int64 {
	if f := cmd.Flag("memory"); f != nil {
		if size, ok := f.Value.(*memorySize); ok {
			return int64(*size)
		}
	}
	return record.DefaultMemory
}
