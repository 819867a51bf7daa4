package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// filled is the value of an option that must not be empty. In scripts, an unset variable would
// otherwise select everything.
type filled struct{ pflag.Value }

func (v filled) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmpty
	}
	return v.Value.Set(text)
}

// neverEmpty makes options reject empty values.
func neverEmpty(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		flag.Value, flag.DefValue = filled{flag.Value}, "" // otherwise help would show [] as the default
	}
}

// once is the value of an option that may be given once.
type once struct {
	pflag.Value
	given bool
}

func (v *once) Set(text string) error {
	if v.given {
		return errTwice
	}
	v.given = true
	return v.Value.Set(text)
}

// listed returns the words of a closed list, for completion.
func (v *once) listed() []string {
	if l, ok := v.Value.(listed); ok {
		return l.listed()
	}
	return nil
}

// atMostOnce makes options reject a second value.
func atMostOnce(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		flag.Value = &once{Value: flag.Value}
	}
}
