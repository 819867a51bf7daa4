// Package shell writes words of command lines that a message gives to type.
package shell

import "strings"

// plain are the characters that no shell treats in any way.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%"

// Quote quotes a word for a POSIX shell where that is needed.
func Quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
