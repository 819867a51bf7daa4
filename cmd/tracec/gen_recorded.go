package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// What gen does alike for recordings that describe themselves and make one package: those of uftrace and of LTTng.

// checkRecorded refuses the options that make no sense for them; things are what they describe.
func (o *genOptions) checkRecorded(things, recordings string) error {
	switch {
	case o.split || o.imports != "":
		return usagef("-split and -import are not for %s, which make one package", things)
	case o.word != 0 || o.bigEndian:
		return usagef("-word and -big-endian are not for %s, which tell both", recordings)
	case o.dump != "" && o.dump != "ir":
		return usagef("-dump=%s: only ir can be dumped", o.dump)
	}
	return nil
}

// generateRecorded writes or dumps what was compiled of a recording; errs are what was left out.
func (o *genOptions) generateRecorded(cmd *cobra.Command, rec record.Recording, name string, unit *ir.Unit, errs []error) error {
	unit.Source = sourceName([]string{name})
	var err error
	if o.dump == "ir" {
		err = unit.Dump(cmd.OutOrStdout())
	} else {
		err = o.generate(cmd, unit)
	}
	if err == nil && (len(errs) > 0 || rec.DamageStats().Count > 0) {
		err = report.ErrDamaged
	}
	return err
}

// tellRecorded prints what was left out and what could not be read of a recording.
func (o *genOptions) tellRecorded(w io.Writer, rec record.Recording, errs []error) {
	o.leftOut(w, errs)
	report.EachDamage(rec, func(err error) { fmt.Fprintln(w, "tracec: "+err.Error()) })
}
