package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tracec/tracec/grammar/diag"

	"github.com/tracec/tracec/internal/command/trcfile"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
)

type updateOptions struct {
	override, older, verbose bool
	templates, extract       string
}

func newUpdate() *cobra.Command {
	var o updateOptions
	cmd := &cobra.Command{
		Use:     "trcupdate",
		Aliases: []string{"update"},
		Args:    atMostOne("update file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.extract != "" && len(args) > 0:
				return usagef("-x prints templates and takes no update file")
			case o.extract != "":
				return o.print(cmd)
			case len(args) == 0:
				return usagef("which update file?\n  tracec trcupdate NAME (without .trc)")
			}
			return o.update(cmd, args[0])
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&o.override, "override", "o", false, "replace templates of any version")
	f.BoolVar(&o.older, "only-later", false, "replace only templates of an older version")
	f.StringVarP(&o.templates, "template", "t", "/etc/trcfmt", "`FILE` file to change")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print file names and changes")
	f.StringVarP(&o.extract, "extract", "x", "", "`IDS` print these templates as an update file")
	OutputFlags(cmd)
	return cmd
}

func (o *updateOptions) read(cmd *cobra.Command, name string) (*trcfile.Source, error) {
	o.tell(cmd, "reading "+name)
	text, err := trcfiles.ReadPlainTemplates(name)
	if err != nil {
		return nil, err
	}
	return trcfile.Parse(name, text), nil
}

func (o *updateOptions) tell(cmd *cobra.Command, text string) {
	if o.verbose {
		fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+text)
	}
}

func (o *updateOptions) update(cmd *cobra.Command, name string) error {
	name = strings.TrimSuffix(name, ".trc")
	undo := name + ".undo.trc"
	if err := KeepInputs(cmd, "trcupdate:", undo, name+".trc", o.templates); err != nil {
		return err
	}
	tellParts(cmd, undo)
	tellParts(cmd, o.templates)
	if st, err := os.Stat(o.templates); err == nil && isSame(name+".trc", st) {
		return usagef("-t %s: is also the update file; give another file", o.templates)
	}
	templates, err := o.read(cmd, o.templates)
	if err != nil {
		return err
	}
	ops, err := o.read(cmd, name+".trc")
	if err != nil {
		return err
	}
	rule := trcfile.SameOrLater
	switch {
	case o.override:
		rule = trcfile.AnyVersion
	case o.older:
		rule = trcfile.Later
	}
	result, err := trcfile.Update(templates, ops, rule)
	var mistakes diag.List
	if errors.As(err, &mistakes) {
		for _, e := range mistakes {
			fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+e.Error())
		}
		return report.ErrDamaged
	}
	if err != nil {
		return err
	}
	o.explain(cmd, result)
	if result.Undo == nil {
		return nil
	}
	o.tell(cmd, "writing "+undo)
	o.tell(cmd, "writing "+o.templates)
	var both fileset.Set // neither file is useful without the other
	both.Write(undo, result.Undo)
	both.Write(o.templates, result.Text)
	if _, err = both.Commit(cmd.Context()); err != nil {
		return err
	}
	SayWrote(cmd, undo, BytesText(int64(len(result.Undo)))+"; tracec trcupdate -t "+shellWord(o.templates)+" -o "+
		shellWord(name+".undo")+" takes the change back")
	return nil
}

// explain prints the parts that were left unchanged and, with -v, all changes.
func (o *updateOptions) explain(cmd *cobra.Command, r *trcfile.Result) {
	for _, c := range r.Changes {
		switch {
		case c.Skipped != "":
			fmt.Fprintf(cmd.ErrOrStderr(), "tracec: %s: hook %s is unchanged: %s\n", c.Pos, c.Hook, c.Skipped)
		case c.New == nil:
			o.tell(cmd, "hook "+c.Hook+": removed")
		case c.Old == nil:
			o.tell(cmd, "hook "+c.Hook+": added")
		default:
			o.tell(cmd, fmt.Sprintf("hook %s: version %d.%d replaces %d.%d", c.Hook,
				c.New.Version, c.New.Release, c.Old.Version, c.Old.Release))
		}
	}
}

// print implements -x.
func (o *updateOptions) print(cmd *cobra.Command) error {
	set, err := trcfiles.ParseHooks(nil, o.extract)
	if err != nil {
		return usageError(err)
	}
	templates, err := o.read(cmd, o.templates)
	if err != nil {
		return err
	}
	var ids []uint16
	for id := range set {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	text, missing := templates.Extract(ids)
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return err
	}
	for _, id := range missing {
		fmt.Fprintf(cmd.ErrOrStderr(), "tracec: %s: hook %s has no template\n", o.templates, aix.HookName(id))
	}
	if len(missing) > 0 {
		return report.ErrDamaged
	}
	return nil
}
