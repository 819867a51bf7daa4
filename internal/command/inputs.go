package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/shell"
)

// KeepInputs rejects an output that is also an input, under any name. Inputs are the files that a
// command reads, including files of its opening options. All commands that write files call it
// before they write.
func KeepInputs(cmd *cobra.Command, option, output string, inputs ...string) error {
	out, err := os.Stat(output)
	// a missing file, a terminal or /dev/null cannot lose data
	if err != nil || out.Mode()&fs.ModeCharDevice != 0 {
		return nil
	}
	o := openOptions(cmd)
	inputs = append(append(inputs, o.Templates...), o.Layouts, o.EventDefs, o.Formats)
	for _, in := range inputs {
		switch {
		case in == "-" && isStdin(cmd, out), isSame(in, out), isOfCPU(in, out):
			return usagef("%s %s: is also read; give another file", option, output)
		case !isExport(output) && isBelow(in, output, out):
			return usagef("%s %s: is in %s, which is read; give another file", option, output, in)
		}
	}
	return nil
}

// checkOutput is KeepInputs for a file whose directory must exist.
func checkOutput(cmd *cobra.Command, option, output string, inputs ...string) error {
	dir := filepath.Dir(output)
	if st, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir() {
		return fmt.Errorf("%s %s: no directory %s", option, output, dir)
	}
	tellParts(cmd, output)
	return KeepInputs(cmd, option, output, inputs...)
}

// tellParts reports parts of an output that killed runs have left.
func tellParts(cmd *cobra.Command, output string) {
	left, _ := fileset.Left(output) // an error is reported when the output is written
	for _, name := range left {
		NewJob(cmd, output).Note("a run that was killed, or one that writes now, has left %s; rm %s removes it", name,
			shell.Quote(name))
	}
}

// isSame reports whether a path refers to a file.
func isSame(name string, file fs.FileInfo) bool {
	st, err := os.Stat(name)
	return err == nil && os.SameFile(st, file)
}

// isStdin reports whether standard input is a file.
func isStdin(cmd *cobra.Command, file fs.FileInfo) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok {
		return false
	}
	st, err := in.Stat()
	return err == nil && os.SameFile(st, file)
}

// isOfCPU reports whether a file belongs to one CPU of an AIX recording: NAME-0 and so on are read
// together with NAME.
func isOfCPU(name string, file fs.FileInfo) bool {
	if !file.Mode().IsRegular() || name == "" {
		return false
	}
	list, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return false
	}
	for _, e := range list {
		digits, ok := strings.CutPrefix(e.Name(), filepath.Base(name)+"-")
		if _, err := strconv.ParseUint(digits, 10, 16); ok && err == nil &&
			isSame(filepath.Join(filepath.Dir(name), e.Name()), file) {
			return true
		}
	}
	return false
}

// isExport reports whether a file has a name as exports have. No recording contains such files, so
// an export into the directory of a recording can be repeated.
func isExport(name string) bool {
	return slices.ContainsFunc(exportFormats, func(f ExportFormat) bool {
		return f.Ext != "" &&
			strings.HasSuffix(name, f.Ext)
	})
}

// isBelow reports whether a file is in an input directory.
func isBelow(dir, output string, file fs.FileInfo) bool {
	in, err := os.Stat(dir)
	if err != nil || !in.IsDir() || !file.Mode().IsRegular() {
		return false
	}
	path, err := filepath.EvalSymlinks(output)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	for err == nil {
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		if path = parent; isSame(path, in) {
			return true
		}
	}
	return false
}
