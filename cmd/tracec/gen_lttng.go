package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/lttng"
)

// isLTTng reports whether a directory is a trace of LTTng.
func isLTTng(dir string) bool {
	st, err := os.Stat(dir)
	return err == nil && st.IsDir() && lttng.IsTrace(os.DirFS(dir))
}

// markers is gen for a trace of LTTng: all events that it describes.
func (o *genOptions) markers(cmd *cobra.Command, dir string) error {
	switch {
	case o.split || o.imports != "":
		return usagef("-split and -import are not for markers, which make one package")
	case o.word != 0 || o.bigEndian:
		return usagef("-word and -big-endian are not for traces of LTTng, which tell both")
	case o.dump != "" && o.dump != "ir":
		return usagef("-dump=%s: only ir can be dumped", o.dump)
	}
	rec, err := lttng.Open(dir)
	if err != nil {
		return err
	}
	defer rec.Close()
	match, err := markerMatcher(o.events)
	if err != nil {
		return err
	}
	markers, errs := gen.RecordedMarkers(rec, match)
	o.tellMarkers(cmd, rec, markers, errs)
	if len(markers) == 0 {
		if len(o.events) > 0 {
			return usagef("no marker matches -events %s", strings.Join(o.events, ","))
		}
		return fmt.Errorf("%s: the trace describes no marker", dir)
	}
	target := recorded.Target(rec.Info())
	if o.dump == "ir" {
		err = dumpMarkers(cmd, sourceName([]string{dir}), target, markers)
	} else {
		err = o.generateMarkers(cmd, sourceName([]string{dir}), target, markers)
	}
	if err == nil && (len(errs) > 0 || rec.DamageStats().Count > 0) {
		err = report.ErrDamaged
	}
	return err
}

// markerMatcher selects markers by globs of CHANNEL.MARKER or MARKER; without any, all.
func markerMatcher(globs []string) (func(channel, name string) bool, error) {
	for _, g := range globs {
		if _, err := path.Match(g, ""); err != nil {
			return nil, usagef("-events %s: %v", g, err)
		}
	}
	return func(channel, name string) bool {
		for _, g := range globs {
			short, _ := path.Match(g, name)
			whole, _ := path.Match(g, channel+"."+name)
			if short || whole {
				return true
			}
		}
		return len(globs) == 0
	}, nil
}

func (o *genOptions) generateMarkers(cmd *cobra.Command, source string, target ir.Target, markers []gen.Marker) error {
	dir, opts, err := o.output()
	if err != nil {
		return err
	}
	files, err := gen.GenerateMarkers(source, target, markers, opts)
	if err != nil {
		return usageError(err)
	}
	return o.write(cmd, dir, files)
}

// dumpMarkers prints what the compiler made of the formats.
func dumpMarkers(cmd *cobra.Command, source string, target ir.Target, markers []gen.Marker) error {
	u := &ir.Unit{Lang: "lttng", Source: source, Target: target}
	for _, m := range markers {
		if m.Payload != nil {
			u.Events = append(u.Events, m.Payload.Event)
		}
	}
	return u.Dump(cmd.OutOrStdout())
}

// tellMarkers prints what was left out and, when asked for, the markers.
func (o *genOptions) tellMarkers(cmd *cobra.Command, rec *lttng.Recording, markers []gen.Marker, errs []error) {
	w := cmd.ErrOrStderr()
	o.leftOut(w, errs)
	for _, d := range rec.Damage() {
		fmt.Fprintln(w, "tracec: "+d.Error())
	}
	if !o.verbose {
		return
	}
	fields := 0
	for _, m := range markers {
		n := 0
		if m.Payload != nil {
			n = len(m.Payload.Event.Values)
		}
		fields += n
		name := m.Name
		if m.Channel != "" {
			name = m.Channel + "." + m.Name
		}
		fmt.Fprintf(w, "%s: %d fields\n", name, n)
	}
	fmt.Fprintf(w, "%d markers, %d fields\n", len(markers), fields)
}
