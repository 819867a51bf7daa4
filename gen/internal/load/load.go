// Package load finds Go packages, and explains why the go command does not find them.
package load

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Dir returns the absolute directory of a package. pattern names the package by its directory or
// import path.
func Dir(ctx context.Context, pattern string) (string, error) {
	st, err := os.Stat(pattern)
	switch {
	case err == nil && st.IsDir():
		return filepath.Abs(pattern)
	case err != nil && (build.IsLocalImport(pattern) || filepath.IsAbs(pattern)):
		return "", noPackage(pattern)
	}
	list, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.NeedName | packages.NeedFiles}, pattern)
	switch {
	case err != nil:
		return "", Error(pattern, err)
	case len(list) != 1:
		return "", fmt.Errorf("%s: names %d packages, want one", pattern, len(list))
	case len(list[0].GoFiles) == 0:
		return "", noPackage(pattern)
	}
	return filepath.Dir(list[0].GoFiles[0]), nil
}

// noPackage is the path of a directory or a package that does not exist.
type noPackage string

func (p noPackage) Error() string {
	return string(p) + ": no such directory, and no package of this import path with Go files"
}

// Is makes noPackage match [fs.ErrNotExist] in errors.Is.
func (noPackage) Is(target error) bool { return target == fs.ErrNotExist }

// One loads the package of a directory. The error is about the package as a whole. Errors of
// go/types are in the package.
func One(c *packages.Config, place func(packages.Error) error) (*packages.Package, error) {
	list, err := packages.Load(c, ".")
	if err != nil {
		return nil, Error(c.Dir, err)
	}
	if len(list) != 1 { // the go command has reported nothing
		if !inModule(c.Dir) {
			return nil, fmt.Errorf("%s: %s", c.Dir, notInModule)
		}
		return nil, fmt.Errorf("%s: the go command finds no package; go mod tidy there may help", c.Dir)
	}
	var errs []error
	for _, e := range list[0].Errors {
		if !OfTypes(e) {
			errs = append(errs, place(e))
		}
	}
	if errs == nil && list[0].Types == nil {
		return nil, fmt.Errorf("%s: no Go package", c.Dir)
	}
	return list[0], errors.Join(errs...)
}

const notInModule = "not in a Go module (no go.mod above)"

// inModule reports whether a directory, or one above it, has a go.mod.
func inModule(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// OfTypes reports whether an error only means that a package does not compile. If export data are
// requested, the go command reports this in lines after "# PACKAGE", without a place. The errors of
// go/types report the same.
func OfTypes(e packages.Error) bool {
	return e.Kind == packages.TypeError || e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "# ")
}

// Error returns the message of go/packages without the words that the go command adds.
func Error(what string, err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "go.mod file not found"),
		strings.Contains(text, "directory prefix") && strings.Contains(text, "does not contain main module"),
		strings.Contains(text, "outside main module"), strings.Contains(text, "outside available modules"),
		strings.Contains(text, "cannot find main module"):
		return fmt.Errorf("%s: %s", what, notInModule)
	case strings.Contains(text, `"go": executable file not found`):
		return fmt.Errorf("%s: the go command is needed, and is not there", what)
	}
	if _, after, ok := strings.Cut(text, "stderr: "); ok {
		text = after
	}
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "go: ")), "\n")
	text = strings.TrimSpace(lines[0])
	if strings.HasPrefix(text, what) {
		return errors.New(text)
	}
	return fmt.Errorf("%s: %s", what, text)
}
