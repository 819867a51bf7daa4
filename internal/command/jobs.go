package command

import (
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const jobsHelp = "goroutines that work at the same time: `N`, at most as many as there are processors, which is the default; the output does not depend on it"

// jobCount is the value of --jobs.
type jobCount int

// String implements pflag.Value.
func (n *jobCount) String() string { return strconv.Itoa(int(*n)) }

// Type implements pflag.Value.
func (*jobCount) Type() string { return "int" }

// mostJobs is far above what machines have; each takes memory.
const mostJobs = 1024

// Set implements pflag.Value.
func (n *jobCount) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > mostJobs {
		return fmt.Errorf("%q is not a number of goroutines, from 0 to %d", text, mostJobs)
	}
	*n = jobCount(v)
	return nil
}

// defineJobs adds --jobs to all commands. Native ones have their own meaning of -j.
func defineJobs(root *cobra.Command) { root.PersistentFlags().Var(new(jobCount), "jobs", jobsHelp) }

// shortJobs adds -j to a command.
func shortJobs(f *pflag.FlagSet) { f.VarP(new(jobCount), "jobs", "j", jobsHelp) }

// jobs returns the value of --jobs. More than there are processors would only take memory, and the caches from each other: a tenth of the time with
// four on each processor.
func jobs(cmd *cobra.Command) int {
	if f := cmd.Flag("jobs"); f != nil {
		if n, ok := f.Value.(*jobCount); ok {
			return min(int(*n), runtime.GOMAXPROCS(0))
		}
	}
	return 0
}
