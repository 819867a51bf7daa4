package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Annotations of flags that require or exclude another flag.
const (
	needsFlag   = "needs"   // at least one of these flags; NAME=VALUE requires that value
	excludeFlag = "exclude" // flags that exclude it
)

// OnlyWith notes that a flag has an effect only with one of others.
func OnlyWith(f *pflag.FlagSet, name string, others ...string) {
	f.SetAnnotation(name, needsFlag, others)
}

// excludes notes that flags cannot be given together.
func excludes(f *pflag.FlagSet, names ...string) {
	for i, name := range names {
		f.SetAnnotation(name, excludeFlag, slices.Concat(names[:i], names[i+1:]))
	}
}

// checkPartners returns an error for flags without a required flag, and for flags that exclude each
// other.
func checkPartners(c *cobra.Command) error {
	f := c.Flags()
	var wrong error
	f.Visit(func(flag *pflag.Flag) {
		if wrong != nil {
			return
		}
		for _, other := range flag.Annotations[excludeFlag] {
			if f.Changed(other) && f.Changed(flag.Name) {
				wrong = usagef("%s and %s exclude each other", flagName(flag), flagName(f.Lookup(other)))
				return
			}
		}
		needs := flag.Annotations[needsFlag]
		if len(needs) > 0 && !slices.ContainsFunc(needs, func(need string) bool { return isGiven(f, need) }) {
			wrong = usagef("%s: only with %s", flagName(flag), partnerNames(f, needs))
		}
	})
	return wrong
}

// isGiven reports whether a flag was given: NAME, or NAME=VALUE.
func isGiven(f *pflag.FlagSet, need string) bool {
	name, value, fixed := strings.Cut(need, "=")
	given := false
	f.Visit(func(flag *pflag.Flag) {
		is := flag.Name == name || slices.Contains(flag.Annotations[aliasOf], name)
		given = given || is && (!fixed || flag.Value.String() == value) && flag.Value.String() != "false"
	})
	return given
}

// partnerNames lists flags for messages: "--follow", "--to ndjson or csv".
func partnerNames(f *pflag.FlagSet, needs []string) string {
	var words []string
	last := ""
	for _, need := range needs {
		name, value, fixed := strings.Cut(need, "=")
		word := value
		if name != last {
			if word = flagName(f.Lookup(name)); fixed {
				word += " " + value
			}
		}
		last, words = name, append(words, word)
	}
	n := len(words)
	if n == 1 {
		return words[0]
	}
	return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
}
