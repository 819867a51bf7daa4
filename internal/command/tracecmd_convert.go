package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/rewrite"
	"github.com/tracec/tracec/runtime/ftrace"
)

func newTraceCmdConvert() *cobra.Command {
	var in fileInput
	var o rewrite.ConvertOptions
	cmd := &cobra.Command{
		Use: "convert",
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
				return usagef("convert: missing output file: -o FILE")
			}
			if err := in.choose(nil); err != nil {
				return err
			}
			if err := checkOutput(cmd, "-o", o.Output, in.path); err != nil {
				return err
			}
			return in.run(cmd, WatchSilent, func(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
				o.Places = cmd.ErrOrStderr()
				return rewrite.Convert(ctx, rec, o, job)
			})
		},
	}
	in.define(cmd)
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Output, "output", "o", "", "write `FILE`")
	f.IntVar(&o.Version, "file-version", 0, "`N` version to write: 6 or 7")
	f.StringVar(&o.Compression, "compression", "", "`NAME` none, zstd, zlib, or any for the best one")
	return cmd
}
