package command

import (
	"strings"

	"github.com/tracec/tracec/report"
)

// cpuFlag is --cpu. If given several times, it selects all CPUs that are named.
type cpuFlag struct{ set *report.CPUSet }

func (c cpuFlag) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmpty
	}
	more, err := report.ParseCPUs(text)
	if err != nil {
		return err
	}
	if more == nil { // all
		*c.set = nil
		return nil
	}
	*c.set = append(*c.set, more...)
	return nil
}

func (c cpuFlag) String() string { return "" }
func (c cpuFlag) Type() string   { return "LIST" }
