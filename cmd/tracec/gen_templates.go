package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/diag"
	compiler "github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/trcrpt"
)

// templates is gen for files of AIX templates, which are compiled as one. Templates with mistakes are left out.
func (o *genOptions) templates(cmd *cobra.Command, names []string) error {
	switch {
	case o.split || o.imports != "":
		return usagef("-split and -import are not for templates, which make one package")
	case o.word != 0 || o.bigEndian:
		return usagef("-word and -big-endian are not for templates, which are compiled for hooks of both word sizes")
	case o.dump != "" && o.dump != "ir":
		return usagef("-dump=%s: only ir can be dumped", o.dump)
	}
	match, err := trcrpt.Matcher(o.events)
	if err != nil {
		return usageError(err)
	}
	files, errs, err := trcrpt.ReadTemplates(names)
	if err != nil {
		return err
	}
	var stanzas []*grammar.Stanza
	for _, f := range files {
		stanzas = append(stanzas, f.Stanzas...)
	}
	if err := trcrpt.StanzaCatalog(strings.Join(names, " "), stanzas).CheckEvents("-events", o.events); err != nil {
		return err
	}
	var list diag.List
	for _, e := range errs {
		list = append(list, trcrpt.AsDiagnostic(e))
	}
	// As in reports, $DEFAULT without a template 008 of the user runs the built-in one. Built-in templates are not generated.
	files = append([]*grammar.File{compiler.Builtin()}, files...)
	result, diags := compiler.Compile(sourceName(names), compiler.Options{}, files...)
	list = append(list, diags...)
	chosen := result.Templates[:0:0]
	for _, t := range result.Templates {
		if !slices.Contains(names, t.Stanza.Pos.Filename) {
			continue
		}
		if match == nil || match(t.Stanza.Hook.Text, t.Label) {
			chosen = append(chosen, t)
			list = append(list, t.Clashes...)
		}
	}
	list.Sort()
	list = slices.Compact(list) // a function's mistakes are those of every template that calls it
	if o.dump == "ir" {
		err = o.dumpTemplates(cmd, result, chosen)
	} else {
		err = o.generateTemplates(cmd, result.Source, chosen)
	}
	if err != nil && len(list.Worst(diag.Error)) > 0 && !slices.ContainsFunc(chosen, generated) {
		err = report.ErrDamaged // not the command line is wrong but every template
	}
	o.tellTemplates(cmd, list, chosen)
	if err != nil {
		return err
	}
	if len(list.Worst(diag.Error)) > 0 {
		return report.ErrDamaged
	}
	return nil
}

// dumpTemplates prints what the compiler made of templates, in both word sizes.
func (o *genOptions) dumpTemplates(cmd *cobra.Command, result *compiler.Result, chosen []*compiler.Template) error {
	part := compiler.Result{Source: result.Source, Templates: chosen}
	for _, hook64 := range []bool{false, true} {
		if err := part.Unit(hook64).Dump(cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	return nil
}

// generated reports whether a template can be a struct.
func generated(t *compiler.Template) bool { return len(t.Clashes) == 0 && t.Events[0].HasText }

// generateTemplates writes the code of templates that can be structs.
func (o *genOptions) generateTemplates(cmd *cobra.Command, source string, chosen []*compiler.Template) error {
	o.text = true
	return o.generate(cmd, compiler.Hooks(source, slices.DeleteFunc(slices.Clone(chosen), func(t *compiler.Template) bool { return !generated(t) })))
}

// tellTemplates prints messages and, when asked for, the templates and how many of them have fixed offsets throughout.
func (o *genOptions) tellTemplates(cmd *cobra.Command, list diag.List, chosen []*compiler.Template) {
	w, least := cmd.ErrOrStderr(), diag.Warning
	if o.verbose {
		least = diag.Note
	}
	shown := list.Worst(least)
	for i, d := range shown {
		if i == maxMessages && !o.verbose {
			fmt.Fprintf(w, "tracec: %d more messages; -v shows all\n", len(shown)-i)
			break
		}
		fmt.Fprintln(w, d.Error())
	}
	if !o.verbose {
		return
	}
	resolved := 0
	for _, t := range chosen {
		how := "pointer at run time"
		if t.Resolved {
			resolved++
			how = "fixed offsets"
		}
		fmt.Fprintf(w, "%s %q: %s, %d values\n", t.Stanza.Hook.Text, t.Label, how, len(t.Events[0].Values))
	}
	fmt.Fprintf(w, "%d templates, %d resolved to fixed offsets\n", len(chosen), resolved)
}
