package command

import (
	"context"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/rewrite"
	"github.com/tracec/tracec/runtime/ftrace"
)

// splitFlags are the options of trace-cmd split. Some apply to the preceding one: -t to -B, -b to
// --top.
type splitFlags struct {
	o      rewrite.SplitOptions
	length string // the option that set the length
}

func newTraceCmdSplit() *cobra.Command {
	var in fileInput
	flags := &splitFlags{o: rewrite.SplitOptions{CPU: -1}}
	cmd := &cobra.Command{
		Use: "split",
		RunE: func(cmd *cobra.Command, args []string) error {
			o := flags.o
			for i, at := range []*string{&o.Start, &o.End} {
				if i < len(args) {
					*at = args[i]
				}
			}
			if len(args) > 2 {
				return usagef("%q: split takes a start and an end", args[2])
			}
			if err := in.choose(nil); err != nil {
				return err
			}
			if o.Output == "" {
				o.Output = in.path
			}
			return in.run(cmd, WatchSilent, func(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
				o.Places = cmd.ErrOrStderr()
				o.Check = func(name string) error { return checkOutput(cmd, "-o", name, in.path) }
				return rewrite.Split(ctx, rec, o, job)
			})
		},
	}
	in.define(cmd)
	flags.define(cmd.Flags())
	return cmd
}

func (s *splitFlags) define(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVarP(&s.o.Output, "output", "o", "", "begin names of files with `NAME` (default that of -i)")
	for _, l := range []struct {
		short, name, usage string
		unit               rewrite.Unit
		scale              uint64
	}{
		{"s", "seconds", "end a file after `N` seconds", rewrite.Nanos, 1e9},
		{"m", "milliseconds", "end a file after `N` milliseconds", rewrite.Nanos, 1e6},
		{"u", "microseconds", "end a file after `N` microseconds", rewrite.Nanos, 1e3},
		{"e", "events", "end a file after `N` events of each buffer", rewrite.Events, 1},
		{"p", "pages", "end a file after `N` sub-buffers of each CPU", rewrite.Pages, 1},
	} {
		f.VarP(&action{do: func(text string) error { return s.setLength(l.short, text, l.unit, l.scale) }, kind: "N"},
			l.name, l.short, l.usage)
	}
	f.BoolVarP(&s.o.Repeat, "repeat", "r", false, "write more files until END")
	f.BoolVarP(&s.o.PerCPU, "per-cpu", "c", false, "take the length for each CPU")
	f.VarP(&action{do: s.setCPU, kind: "N"}, "cpu", "C", "`N` only this CPU")
	f.VarP(&action{kind: "NAME", do: func(name string) error {
		s.o.Keep = append(s.o.Keep, rewrite.Keep{Name: name, As: name})
		return nil
	}}, "buffer", "B", "`NAME` keep this buffer; may be given more than once")
	set := func(name, short, usage string, do func() error) {
		f.VarPF(&action{do: func(string) error { return do() }, kind: "bool"}, name, short, usage).NoOptDefVal = "true"
	}
	set("promote", "t", "make the buffer of the -B before it the top buffer", func() error {
		n := len(s.o.Keep)
		if n == 0 || s.o.Keep[n-1].Name == "" {
			return usagef("-t must come after -B")
		}
		s.o.Keep[n-1].As = ""
		return nil
	})
	set("top", "", "keep the top buffer", func() error {
		s.o.Keep = append(s.o.Keep, rewrite.Keep{})
		return nil
	})
	f.VarP(&action{do: s.rename, kind: "NAME"}, "rename", "b", "after --top: give the top buffer this `NAME`")
}

func (s *splitFlags) setLength(option, text string, unit rewrite.Unit, scale uint64) error {
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case err != nil || n == 0 || n > math.MaxUint64/scale:
		return usagef("-%s %s: want a number above 0", option, shown(text))
	case s.length != "":
		return usagef("-%s and -%s exclude each other", s.length, option)
	}
	s.length, s.o.Unit, s.o.Length = option, unit, n*scale
	return nil
}

func (s *splitFlags) setCPU(text string) error {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return usagef("-C %s: want the number of a CPU", shown(text))
	}
	s.o.CPU = int(n)
	return nil
}

func (s *splitFlags) rename(name string) error {
	n := len(s.o.Keep)
	if n == 0 || s.o.Keep[n-1].Name != "" || name == "" {
		return usagef("-b must come after --top")
	}
	s.o.Keep[n-1].As = name
	return nil
}
