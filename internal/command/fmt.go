package command

import (
	"bytes"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"github.com/tracec/tracec/grammar/diag"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
)

type fmtOptions struct{ write, list, diff, check bool }

func newFmt() *cobra.Command {
	var o fmtOptions
	cmd := &cobra.Command{
		Use: "fmt",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if o.write {
					return usagef("-w needs a file")
				}
				args = []string{"-"}
			}
			if o.check && o.write {
				return usagef("--check and --write exclude each other")
			}
			damaged := false
			for _, name := range args {
				bad, err := o.file(cmd, name)
				if err != nil {
					return err
				}
				damaged = damaged || bad
			}
			if damaged {
				return report.ErrDamaged
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&o.write, "write", "w", false, "write the files")
	f.BoolVarP(&o.list, "list", "l", false, "print names of files that would change")
	f.BoolVarP(&o.diff, "diff", "d", false, "print differences")
	f.BoolVar(&o.check, "check", false, "list as -l, exit 1 if a file would change")
	return cmd
}

// file formats one file. bad is set if the file has mistakes, or if --check finds another layout.
func (o *fmtOptions) file(cmd *cobra.Command, name string) (bad bool, err error) {
	var before []byte
	if name == "-" {
		before, err = io.ReadAll(io.LimitReader(cmd.InOrStdin(), grammar.MaxFileBytes+1))
		name = "stdin"
	} else {
		before, err = trcfiles.ReadPlainTemplates(name)
	}
	if err != nil {
		return false, err
	}
	if len(before) > grammar.MaxFileBytes {
		return false, fmt.Errorf("%s: more than %d bytes", name, grammar.MaxFileBytes)
	}
	f, errs := grammar.Parse(name, before)
	fails := errs.Worst(diag.Error)
	if len(fails) > 0 && !trcfiles.HoldsTemplates(before) {
		return false, o.notTemplates(cmd, name, before, fails[0].Pos.Line)
	}
	for _, e := range fails {
		fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+e.Error())
	}
	var after bytes.Buffer
	if err := grammar.Format(&after, f); err != nil {
		return false, err
	}
	bad = len(fails) > 0 || o.check && !bytes.Equal(before, after.Bytes())
	if o.write {
		tellParts(cmd, name)
	}
	return bad, o.result(cmd.OutOrStdout(), name, before, after.Bytes())
}

// notTemplates returns the error for a file without templates. It names the kind of file, or the
// line that does not look like a template.
func (o *fmtOptions) notTemplates(cmd *cobra.Command, name string, text []byte, line int) error {
	what := ""
	if name != "stdin" {
		job := NewJob(cmd, name)
		in, sys, err := job.Input(cmd.Context())
		switch {
		case err != nil:
		case sys != nil && !sys.Guess:
			what = "a recording of " + sys.Title
		case !in.IsText():
			what = in.What()
		}
		job.Finish(nil)
	}
	lines := bytes.Split(text, []byte("\n"))
	if word := bytes.Fields(lines[min(max(line, 1), len(lines))-1]); what == "" && len(word) > 0 {
		what = fmt.Sprintf("line %d begins with %q", line, shown(string(word[0])))
	}
	return fmt.Errorf("%s: not a template file: %s", name, what)
}

func (o *fmtOptions) result(out io.Writer, name string, before, after []byte) error {
	changed := !bytes.Equal(before, after)
	if (o.list || o.check) && changed {
		if _, err := fmt.Fprintln(out, name); err != nil {
			return err
		}
	}
	if o.diff && changed {
		if _, err := out.Write(diff.Diff(name+".orig", before, name, after)); err != nil {
			return err
		}
	}
	if o.write && changed {
		return fileset.Replace(name, after)
	}
	if o.list || o.diff || o.write || o.check {
		return nil
	}
	_, err := out.Write(after)
	return err
}
