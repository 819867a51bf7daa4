// Package shell quotes words of command lines in messages.
package shell

import "strings"

// plain are the characters without a special meaning in shells.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%"

// Quote quotes a word for a POSIX shell if needed.
func Quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
