package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// filled is the value of an option that is not empty. Scripts have variables that are not set, and
// an empty choice would choose everything.
type filled struct{ pflag.Value }

func (v filled) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmpty
	}
	return v.Value.Set(text)
}

// neverEmpty has options refuse empty values.
func neverEmpty(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		flag.Value, flag.DefValue = filled{flag.Value}, "" // otherwise help would show [] as the default
	}
}

// once is the value of an option that is given once.
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

// atMostOnce has options refuse to be given again.
func atMostOnce(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		flag.Value = &once{Value: flag.Value}
	}
}
