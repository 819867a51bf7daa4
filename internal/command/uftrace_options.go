package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/google/shlex"
)

// maxOptFile limits the size of a file of options, since a device may be endless.
const maxOptFile = 1 << 20

// readOptFile inserts the options of a file at the position of --opt-file, so that later options
// take precedence.
func (u *uftraceFlags) readOptFile(name string) error {
	if u.words.inFile {
		return usagef("files of options cannot name each other")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxOptFile+1))
	if err != nil {
		return err
	}
	if len(text) > maxOptFile {
		return usagef("%s has more than %d bytes: it is not a file of options", name, maxOptFile)
	}
	words, err := shlex.Split(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	u.words.inFile = true
	defer func() { u.words.inFile = false }()
	return u.words.set.Parse(words)
}

// addDefaults adds the options in default.opts of a recording. A recorder writes only a filter on
// times there (uftrace.md 1; observed on 0.13 and 0.19). The user's own filter replaces it, and a
// range of times excludes it. uftrace accepts any options there, including files and other
// recordings. But a recording is only data, so any other option is an error, and has no effect.
func (u *uftraceFlags) addDefaults(words []string) error {
	time, rest := defaultTime(words)
	var refused error
	if len(rest) > 0 {
		refused = fmt.Errorf("%s is left out: a recording may ask for -t TIME only", excerpt(strings.Join(rest, " ")))
	}
	if time == "" || u.words.set.Changed("time-filter") || u.words.set.Changed("time-range") {
		return refused
	}
	ns, err := parseUnits(time)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", excerpt(time), err), refused)
	}
	u.play.Limits.Time, u.times.recorded = ns, time
	return refused
}

// excerpt quotes the beginning of text from a recording, which can be long.
func excerpt(s string) string {
	const most = 80
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q… (%d bytes)", s[:most], len(s))
}

// defaultTime returns the value of the last -t of the words, and the remaining words.
func defaultTime(words []string) (time string, rest []string) {
	for i := 0; i < len(words); i++ {
		value, long := strings.CutPrefix(words[i], "--time-filter=")
		short, attached := strings.CutPrefix(words[i], "-t")
		switch {
		case long:
			time = value
		case (words[i] == "-t" || words[i] == "--time-filter") && i+1 < len(words):
			i++
			time = words[i]
		case attached && short != "":
			time = short
		default:
			rest = append(rest, words[i])
		}
	}
	return time, rest
}
