package command

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/module"
)

// release and commit are the version that tools/release builds, and its commit. The linker sets
// them.
var release, commit string

// Version returns the version of the release. If tracec was built from a module, by go install or
// as a tool of another module, it is the version of the module. A build in a checkout has no
// version, since it and every generated file would change with every commit.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return develop
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return develop
		}
	}
	return info.Main.Version
}

// develop is the version of a build in a checkout.
const develop = "(devel)"

// revision returns the commit that tracec was built from, if the build records it. The go command
// records it in builds in a checkout, and in the version of a module without a tag.
func revision() string {
	if commit != "" {
		return shortCommit(commit)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	if rev, err := module.PseudoVersionRev(info.Main.Version); err == nil && Version() != develop {
		return shortCommit(rev)
	}
	rev, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = shortCommit(s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " and changes"
		}
	}
	if rev == "" {
		return ""
	}
	return rev + changed
}

func shortCommit(rev string) string { return rev[:min(len(rev), 8)] }

// versionLine is the output of tracec version: tracec 0.1.0 (commit 1a2b3c4d, go1.25.3,
// linux/amd64).
func versionLine(program string) string {
	var of []string
	if rev := revision(); rev != "" {
		of = append(of, "commit "+rev)
	}
	of = append(of, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	number, _ := strings.CutPrefix(Version(), "v")
	return fmt.Sprintf("%s %s (%s)", program, cmp.Or(number, develop), strings.Join(of, ", "))
}
