package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/rewrite"
	"github.com/tracec/tracec/runtime/ftrace"
)

const traceCmdConvertHelp = `Write a recording in another version or with another compression, as trace-cmd convert does: version 7
with zstd unless the options say otherwise. Every sub-buffer stays as it was recorded. The output appears when it is whole.

Examples:
  tracec trace-cmd convert -i trace.dat -o packed.dat
  tracec trace-cmd convert --file-version 6 -i trace.dat old.dat
  tracec trace-cmd convert --compression zlib -i trace.dat -o packed.dat

Copies of a tracefs directory can be converted, too. Version 6 has no place for type information of the kernel, nor
for buffers with sub-buffers of several sizes.`

func newTraceCmdConvert() *cobra.Command {
	var in fileInput
	var o rewrite.ConvertOptions
	cmd := &cobra.Command{
		Use:   "convert [-i FILE] [-o] OUTPUT",
		Short: "Write a recording in another version: trace-cmd convert",
		Long:  traceCmdConvertHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Output == "" && len(args) > 0 {
				o.Output, args = args[0], args[1:]
			}
			if len(args) > 0 {
				return usagef("%q: only one output can be written", args[0])
			}
			if f := cmd.Flags(); f.Changed("file-version") && o.Version != 6 && o.Version != 7 {
				return usagef("--file-version: %d is neither 6 nor 7", o.Version)
			}
			if o.Output == "" {
				return usagef("convert: no output file is given: -o FILE")
			}
			if err := in.choose(nil); err != nil {
				return err
			}
			if err := checkOutput(cmd, "-o", o.Output, in.path); err != nil {
				return err
			}
			return in.run(cmd, watchSilent, func(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
				o.Places = cmd.ErrOrStderr()
				return rewrite.Convert(ctx, rec, o, job)
			})
		},
	}
	in.define(cmd)
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Output, "output", "o", "", "write this `FILE`")
	f.IntVar(&o.Version, "file-version", 0, "the `VERSION` to write: 6 or 7")
	f.StringVar(&o.Compression, "compression", "", "the `NAME` of the compression: none, zstd, zlib, or any for the best one")
	return cmd
}
