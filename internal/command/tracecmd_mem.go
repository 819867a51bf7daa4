package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/mem"
	"github.com/tracec/tracec/runtime/ftrace"
)

const traceCmdMemHelp = `Print what the kernel allocated and freed by the function that asked for it, as trace-cmd mem does: from the
events kmalloc, kmalloc_node, kfree, kmem_cache_alloc, kmem_cache_alloc_node and kmem_cache_free of the top buffer.

Waste is what was allocated and not asked for. Functions that waste the same are listed by name.`

func newTraceCmdMem() *cobra.Command {
	var in fileInput
	cmd := &cobra.Command{
		Use:   "mem [-i FILE] [FILE]",
		Short: "Print the memory that the kernel's functions asked for: trace-cmd mem",
		Long:  traceCmdMemHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.choose(args); err != nil {
				return err
			}
			return in.run(cmd, watchSilent, func(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
				return mem.Run(ctx, rec, job)
			})
		},
	}
	in.define(cmd)
	return cmd
}
