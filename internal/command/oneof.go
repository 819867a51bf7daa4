package command

import (
	"github.com/spf13/pflag"

	"fmt"
	"slices"
	"strings"
)

// oneOf is a flag with a closed list of values. The first is the default.
type oneOf struct {
	value *string
	words []string
}

// OneOf returns the value of a flag that takes one of some words.
func OneOf(value *string, words []string) pflag.Value { return oneOf{value, words} }

// Set implements pflag.Value.
func (f oneOf) Set(text string) error {
	if !slices.Contains(f.words, text) {
		return fmt.Errorf("want %s", oneWord(f.words))
	}
	*f.value = text
	return nil
}

// String implements pflag.Value.
func (f oneOf) String() string {
	if f.value == nil || *f.value == "" {
		return ""
	}
	return *f.value
}

// Type implements pflag.Value.
func (f oneOf) Type() string { return "word" }

// oneWord lists words for a message that expects one of them.
func oneWord(words []string) string {
	n := len(words)
	if n == 1 {
		return words[0]
	}
	return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
}
