package command

import (
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
)

const jobsUsage = "use at most `N` CPUs (default all)"

// jobCount is the value of --jobs.
type jobCount int

// String implements pflag.Value. It is empty for all CPUs.
func (n *jobCount) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Type implements pflag.Value.
func (*jobCount) Type() string { return "int" }

// mostJobs is far above the number of processors of machines. It bounds memory, since each job
// takes some.
const mostJobs = 1024

// Set implements pflag.Value.
func (n *jobCount) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > mostJobs {
		return fmt.Errorf("want 1 to %d", mostJobs)
	}
	*n = jobCount(v)
	return nil
}

// jobs returns the value of --jobs, limited to the number of processors. More jobs would take
// memory and compete for caches: with four per processor, a tenth of the time is lost.
func jobs(cmd *cobra.Command) int {
	if f := cmd.Flag("jobs"); f != nil {
		if n, ok := f.Value.(*jobCount); ok {
			return min(int(*n), runtime.GOMAXPROCS(0))
		}
	}
	return 0
}
