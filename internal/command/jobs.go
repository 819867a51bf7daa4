package command

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const jobsHelp = "goroutines that work at the same time: `N`, 0 for as many as there are processors; the output does not depend on it"

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

// jobs returns the value of --jobs.
func jobs(cmd *cobra.Command) int {
	if f := cmd.Flag("jobs"); f != nil {
		if n, ok := f.Value.(*jobCount); ok {
			return int(*n)
		}
	}
	return 0
}
