package command

import (
	"errors"

	"github.com/spf13/pflag"
)

// once is a value that an option gives one time.
type once struct {
	pflag.Value
	given bool
}

// Set implements pflag.Value.
func (o *once) Set(text string) error {
	if o.given {
		return errors.New("given twice")
	}
	o.given = true
	return o.Value.Set(text)
}

// onlyOnce has options refuse to be given twice, as their tool does. Otherwise the last one counts.
func onlyOnce(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		flag.Value = &once{Value: flag.Value}
	}
}
