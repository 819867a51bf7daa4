package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
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

// dumpPayloads prints what the compiler made of payloads; nil ones are left out.
func dumpPayloads(cmd *cobra.Command, lang, source string, target ir.Target, payloads []*gen.Payload) error {
	u := &ir.Unit{Lang: lang, Source: source, Target: target}
	for _, p := range payloads {
		if p != nil {
			u.Events = append(u.Events, p.Event)
		}
	}
	return u.Dump(cmd.OutOrStdout())
}

// tellRecorded prints what was left out and what could not be read of a recording.
func (o *genOptions) tellRecorded(w io.Writer, rec record.Recording, errs []error) {
	o.leftOut(w, errs)
	report.EachDamage(rec, func(err error) { fmt.Fprintln(w, "tracec: "+err.Error()) })
}
