package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/trcrpt"
)

// templateRules returns the rules for compiling files of templates.
func templateRules(cmd *cobra.Command, names []string) (trcfmt.Options, error) {
	opening := openOptions(cmd)
	return trcrpt.TemplateRules(names[0], &opening)
}

// templatesAlone returns the error for a template file among other inputs.
func templatesAlone(name string) error {
	return usagef("%s: a template file; templates make a separate package", name)
}

// templates generates code for files of AIX templates. It compiles them together and omits
// templates with mistakes.
func (o *genOptions) templates(cmd *cobra.Command, names []string, rules trcfmt.Options) error {
	switch {
	case o.split || o.imports != "":
		return usagef("--split, --import: not supported for templates, which make one package")
	case o.word != 0 || o.bigEndian:
		return usagef("--word, --big-endian: not supported for templates, which are compiled for both word sizes")
	}
	if err := generates(rules); err != nil {
		return err
	}
	t, err := trcrpt.DescribeTemplates(sourceName(names), names, rules, "-e", o.events)
	if err != nil {
		return err
	}
	if o.dump == "ir" {
		err = t.Dump(cmd.OutOrStdout())
	} else {
		o.text = true
		err = o.generate(cmd, t.Unit())
	}
	if err != nil && len(t.Messages.Worst(diag.Error)) > 0 && !t.Usable() {
		err = report.ErrDamaged // the command line is correct, but every template has mistakes
	}
	o.messages(cmd.ErrOrStderr(), t.Messages)
	if o.verbose {
		fmt.Fprintln(cmd.ErrOrStderr(), strings.Join(t.Summary(), "\n"))
	}
	if err == nil && len(t.Messages.Worst(diag.Error)) > 0 {
		err = report.ErrDamaged
	}
	return err
}

// generates returns an error for rules that generated code does not support.
func generates(rules trcfmt.Options) error {
	if rules.Squeeze {
		return usagef("--rule squeeze=on: generated code prints texts as the templates have them")
	}
	return nil
}
