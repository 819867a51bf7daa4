package main

import "strings"

// The versions of trace-cmd whose texts may be saved in addition to those of 3.1.6.
// testdata/ftrace/README.md describes how they are made.
var newerVersions = []string{"3.3", "3.4"}

// reportModes are trace-cmd's texts of every version. Texts without a version in their name are
// from 3.1.6.
var reportModes = makeReportModes()

func makeReportModes() []mode {
	var list []mode
	for _, version := range append([]string{"3.1"}, newerVersions...) {
		suffix := ".report-" + version
		if version == "3.1" {
			suffix = ".report"
		}
		for _, option := range []string{"", "-N", "-R"} {
			m := mode{name: "report", suffix: suffix + option + ".txt.zst",
				args: []string{"trace-cmd", "report", "--like", version}}
			if option != "" {
				m.name = option[1:]
				m.args = append(m.args, option)
			}
			if version != "3.1" {
				m.name += "-" + version
			}
			list = append(list, m)
		}
	}
	return list
}

// base returns the mode's name without the version, which rules for all versions use.
func base(mode string) string {
	name, version, ok := strings.Cut(mode, "-")
	if ok && contains(newerVersions, version) {
		return name
	}
	return mode
}

// version returns the version in a mode's name, or "".
func version(mode string) string {
	return strings.TrimPrefix(strings.TrimPrefix(mode, base(mode)), "-")
}
