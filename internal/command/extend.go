package command

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// AddCommand gives a command of the table that tracec-gen does without.
func AddCommand(name string, new func() *cobra.Command) {
	i := slices.IndexFunc(commands, func(c lazyCommand) bool { return c.name == name })
	commands[i].new = new
}

// AddFormats adds formats of tracec export.
func AddFormats(formats ...ExportFormat) { exportFormats = append(exportFormats, formats...) }

// exportFormats are the formats of tracec export.
var exportFormats []ExportFormat

// What follows is what commands on recordings have in common, for those of other packages.

// ChooseFlags adds the flags of opening a recording and of choosing events.
func ChooseFlags(cmd *cobra.Command, o *report.Options) { chooseFlags(cmd, o) }

// OnlyWith says that a flag means something only with one of others.
func OnlyWith(f *pflag.FlagSet, name string, with ...string) { onlyWith(f, name, with...) }

// KeepInputs returns an error if what is to be written is one of the inputs.
func KeepInputs(cmd *cobra.Command, flag, output string, inputs ...string) error {
	return keepInputs(cmd, flag, output, inputs...)
}

// One asks for one argument of a kind; usage is an example.
func One(kind, usage string) cobra.PositionalArgs { return one(kind, usage) }

// Work does what a command does on one recording, and says what was damaged.
func Work(cmd *cobra.Command, path string, do func(context.Context, *report.Job) error) error {
	return work(cmd, path, do)
}

// NewJob returns the job of a recording, for commands that open several.
func NewJob(cmd *cobra.Command, path string) *report.Job { return newJob(cmd, path) }

// WatchSilent shows the progress of a job that prints nothing before its end.
func WatchSilent(cmd *cobra.Command, job *report.Job) (stop func()) { return watchSilent(cmd, job) }

// TellExport says what could not be read, and that nothing was chosen.
func TellExport(ctx context.Context, job *report.Job, rec record.Recording, r *dynamic.Reader, o *report.Options, err error) error {
	return tellExport(ctx, job, rec, r, o, err)
}

// SayWrote says that a file of the user was written, and what is in it.
func SayWrote(cmd *cobra.Command, name, what string) { sayWrote(cmd, name, what) }

// Amount returns a number with what it is of, of which noun is one.
func Amount(n int64, noun string) string { return amount(n, noun) }

// BytesText returns a size in the largest unit of which there is one.
func BytesText(n int64) string { return bytesText(n) }

// OutputFlags adds the flags of what a command says.
func OutputFlags(cmd *cobra.Command, parts ...string) { outputFlags(cmd, parts...) }
