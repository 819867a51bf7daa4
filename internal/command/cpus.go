package command

import (
	"strings"

	"github.com/tracec/tracec/internal/selection"
)

// cpuFlag is --cpu. If given several times, it selects the union.
type cpuFlag struct{ set *selection.CPUSet }

func (c cpuFlag) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmpty
	}
	more, err := selection.ParseCPUs(text)
	if err != nil {
		return err
	}
	if more == nil { // all CPUs
		*c.set = nil
		return nil
	}
	*c.set = append(*c.set, more...)
	return nil
}

func (c cpuFlag) String() string { return "" }
func (c cpuFlag) Type() string   { return "LIST" }
