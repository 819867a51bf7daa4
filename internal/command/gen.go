package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
)

// genOptions are the flags of gen.
type genOptions struct {
	pkg, out, imports, dump, stem string
	into                          string
	format, failOn                string          // flags of vet
	unused                        map[string]bool // globs of -e that match no struct
	events                        []string
	inputs                        []string // inputs that are files
	text, split, verbose, check   bool
	bigEndian                     bool
	word                          int
}

func newGen() *cobra.Command {
	var o genOptions
	cmd := &cobra.Command{
		Use:  "gen",
		Args: Some("recording, format file or template file", "tracec gen --pkg NAME INPUT"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	eventFlag(f, &o.events)
	f.StringVarP(&o.out, "output", "o", "", "`FILE` file or directory to write (default NAME_gen.go)")
	f.StringVar(&o.pkg, "pkg", "", "`NAME` package name (default $GOPACKAGE, else the directory)")
	f.StringVar(&o.stem, "stem", "", "`PREFIX` prefix of all package-level names")
	f.BoolVar(&o.split, "split", false, "write a package for each subsystem, below --output")
	f.StringVar(&o.imports, "import", "", "`PATH` import path of the output (default from go.mod)")
	f.StringVar(&o.into, "into", "", "fill the structs of `PACKAGE` with a //tracec:event line")
	f.BoolVar(&o.text, "text", false, "also generate AppendText: the event as text")
	f.BoolVar(&o.check, "check", false, "write nothing, exit 1 if a file would change")
	f.Var(oneOf{&o.dump, []string{"ir"}}, "dump", "`FORM` print ir (the compiler's model), write nothing")
	f.BoolVar(&o.bigEndian, "big-endian", false, "format files come from a big-endian machine")
	f.IntVar(&o.word, "word", 0, "`N` format files: bytes of a long, 4 or 8")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "list events and notes")
	alias(f, "events", "event")
	alias(f, "o", "output")
	alias(f, "v", "verbose")
	OutputFlags(cmd)
	RecordingFlags(cmd)
	completeFrom(cmd, "event", ofList, (*selection.Catalog).Patterns)
	return cmd
}

// oneDash replaces -pkg by --pkg for the flags of gen, because go:generate lines look like commands
// of Go's own tools. Other words with one dash are unknown flags, not letters with a value.
func oneDash(args []string) []string {
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i < 0 ||
		args[i] != "gen" {
		return args
	}
	flags := newGen().Flags()
	out := slices.Clone(args)
	for i, a := range out {
		if a == "--" {
			break
		}
		name, _, _ := strings.Cut(a, "=")
		if len(name) > 2 && name[0] == '-' && name[1] != '-' &&
			(flags.Lookup(name[1:]) != nil || isFlagWord(name[1:])) {
			out[i] = "-" + a
		}
	}
	return out
}

// isFlagWord reports whether a text looks like the name of a flag.
func isFlagWord(text string) bool { return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-") == "" }

func (o *genOptions) run(cmd *cobra.Command, args []string) error {
	// In a directory, gen writes only over its own files.
	o.inputs = slices.DeleteFunc(slices.Clone(args), func(name string) bool {
		st, err := os.Stat(name)
		return err != nil || st.IsDir()
	})
	if o.into != "" {
		return o.intoStructs(cmd, args)
	}
	if templates, others := trcfiles.Divide(args); len(others) == 0 {
		rules, err := templateRules(cmd, args)
		if err != nil {
			return err
		}
		return o.templates(cmd, args, rules)
	} else if len(templates) > 0 {
		return templatesAlone(templates[0])
	}
	if len(args) == 1 {
		return Work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
			defer WatchSilent(cmd, job)()
			return o.one(ctx, cmd, job)
		})
	}
	d, err := descriptions(cmd, args)
	if err != nil {
		return err
	}
	return o.formats(cmd, args, d)
}

// one generates code for one input of any kind.
func (o *genOptions) one(ctx context.Context, cmd *cobra.Command, job *report.Job) error {
	_, sys, err := job.Input(ctx)
	switch {
	case err != nil:
		return err
	case sys.DescribesItself():
		return o.recorded(ctx, cmd, job, sys)
	}
	if names, rules, err := trcrpt.Described(job, sys); names != nil {
		if err != nil {
			return err
		}
		return o.templates(cmd, names, rules)
	}
	d := tracecmd.NewDescriptions()
	if err := d.Add(ctx, job); err != nil {
		return err
	}
	return o.formats(cmd, []string{job.Path}, d)
}

// formats generates code for format files.
func (o *genOptions) formats(cmd *cobra.Command, args []string, d *tracecmd.Descriptions) error {
	if err := o.target(d); err != nil {
		return err
	}
	if err := o.choose("-e", strings.Join(args, " "), d); err != nil {
		return err
	}
	described := d.Describe(sourceName(args))
	damaged := o.tell(cmd.ErrOrStderr(), d, described)
	unit := described.Unit
	write := o.generate
	if o.dump == "ir" {
		write = func(cmd *cobra.Command, unit *ir.Unit) error { return unit.Dump(cmd.OutOrStdout()) }
	}
	if err := write(cmd, unit); err != nil {
		return err
	}
	if damaged {
		return report.ErrDamaged
	}
	return nil
}

// target applies the flags that describe the machine.
func (o *genOptions) target(d *tracecmd.Descriptions) error {
	switch {
	case o.word != 0 && o.word != 4 && o.word != 8:
		return usagef("--word %d: want 4 or 8", o.word)
	case d.Told && (o.word != 0 && o.word != d.Target.WordSize || o.bigEndian && !d.Target.BigEndian):
		return usagef("--word, --big-endian: the recording has other values")
	case o.word != 0:
		d.Target.WordSize = o.word
	}
	d.Target.BigEndian = d.Target.BigEndian || o.bigEndian
	return nil
}

// choose keeps the events that option, such as -e, selects. Of several events with the same name it
// keeps the first.
func (o *genOptions) choose(option, inputs string, d *tracecmd.Descriptions) error {
	c := d.Catalog(inputs)
	if err := c.CheckEvents(option, o.events); err != nil {
		return err
	}
	match, err := c.Matcher(o.events)
	if err != nil {
		return err
	}
	d.Choose(match)
	return nil
}

// sourceName returns the source to name in generated files. It is never an absolute path.
func sourceName(args []string) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = filepath.ToSlash(a)
		if filepath.IsAbs(a) {
			names[i] = filepath.Base(a)
		}
	}
	return strings.Join(names, " ")
}

// maxMessages limits the number of printed messages. More of them do not help.
const maxMessages = 50

// tell prints damage and messages, and reports whether anything was omitted.
func (o *genOptions) tell(w io.Writer, d *tracecmd.Descriptions, described *sources.Description) (damaged bool) {
	if o.verbose {
		for _, f := range d.Files {
			fmt.Fprintf(w, "%s:%s\n", f.System, sources.FormatName(f.Text))
		}
	}
	for _, err := range described.LeftOut {
		fmt.Fprintln(w, "tracec: "+err.Error())
	}
	o.messages(w, described.Messages)
	return len(described.LeftOut) > 0 || described.Messages.Err() != nil
}

// messages prints the messages of the compiler.
func (o *genOptions) messages(w io.Writer, list diag.List) {
	shown := list.Worst(o.least())
	for i, x := range shown {
		if i == maxMessages && !o.verbose {
			fmt.Fprintf(w, "tracec: %d more messages; -v shows all\n", len(shown)-i)
			break
		}
		fmt.Fprintln(w, x.Error())
	}
}

// leftOut prints why parts of a recording are not generated.
func (o *genOptions) leftOut(w io.Writer, errs []error) {
	for i, err := range errs {
		if i == maxMessages && !o.verbose {
			fmt.Fprintf(w, "tracec: %d more messages; -v shows all\n", len(errs)-i)
			break
		}
		fmt.Fprintln(w, "tracec: left out: "+err.Error())
	}
}

func (o *genOptions) generate(cmd *cobra.Command, unit *ir.Unit) error {
	return o.emit(cmd, func(opts gen.Options) ([]gen.File, error) { return gen.Generate(unit, opts) })
}

// emit writes the files that generate returns. Errors of generate are about the user's options.
func (o *genOptions) emit(cmd *cobra.Command, generate func(gen.Options) ([]gen.File, error)) error {
	dir, opts, err := o.output()
	if err != nil {
		return err
	}
	files, err := generate(opts)
	if err != nil {
		return usageError(err)
	}
	return o.write(cmd, dir, opts, files)
}

// output returns the directory of the code and the options of gen.
func (o *genOptions) output() (dir string, opts gen.Options, err error) {
	if o.out == "-" { // several files cannot be written to standard output
		return "", opts, usagef("-o -: standard output cannot take the files; give a file or a directory")
	}
	dir, base := filepath.Split(o.out)
	if o.split || !strings.HasSuffix(base, ".go") {
		dir, base = o.out, ""
	}
	if dir == "" {
		dir = "."
	}
	pkg, err := o.packageName(dir)
	if err != nil {
		return dir, opts, err
	}
	if base == "" && !o.split {
		base = pkg + "_gen.go"
	}
	opts = gen.Options{
		Package: pkg, Base: cmp.Or(strings.TrimSuffix(base, ".go"), pkg), Text: o.text, Version: Version(),
		Split: o.split, ImportPath: o.imports, Stem: o.stem, Shared: !o.split && shared(dir),
	}
	if o.split && opts.ImportPath == "" {
		opts.ImportPath, err = importPath(dir)
	}
	return dir, opts, err
}

// packageName returns the value of --pkg, or the package of go generate, or the name of the
// directory.
func (o *genOptions) packageName(dir string) (string, error) {
	name := o.pkg
	if name == "" && filepath.Clean(dir) == "." {
		name = os.Getenv("GOPACKAGE")
	}
	if name == "" {
		full, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		name = filepath.Base(full)
	}
	// The go command does not build files of a package documentation (go/build).
	if !token.IsIdentifier(name) || name == "documentation" {
		return "", notPackage(o.pkg, name)
	}
	return name, nil
}

// notPackage returns the error for an invalid package name. If given is empty, the name is from a
// directory.
func notPackage(given, name string) error {
	if given != "" {
		return usagef("--pkg %s: not the name of a Go package", shown(given))
	}
	return usagef("%s: not the name of a Go package; give one by --pkg", shown(name))
}

// importPath finds the import path of a directory from the go.mod above it.
func importPath(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for root := full; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			for line := range strings.Lines(string(text)) {
				if module, ok := strings.CutPrefix(line, "module "); ok {
					rel, err := filepath.Rel(root, full)
					return path.Join(strings.Trim(strings.TrimSpace(module), `"`), filepath.ToSlash(rel)), err
				}
			}
		}
		if !errors.Is(err, os.ErrNotExist) && err != nil {
			return "", err
		}
		if root == filepath.Dir(root) {
			return "", usagef("--split: no go.mod above %s; give the import path by --import", dir)
		}
	}
}

// descriptions reads the format files that arguments name, and the formats in recordings.
func descriptions(cmd *cobra.Command, args []string) (*tracecmd.Descriptions, error) {
	d := tracecmd.NewDescriptions()
	for _, a := range args {
		err := d.Finish(NewJob(cmd, a), func(job *report.Job) error {
			defer WatchSilent(cmd, job)()
			return d.Add(cmd.Context(), job)
		})
		if err != nil {
			return d, err
		}
	}
	return d, nil
}
