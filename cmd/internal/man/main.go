// Command man writes the manual of tracec, with a page of mdoc(7) for each command and each topic
// of help, and completions for shells. All are made from the tree of commands:
//
//	go run ./cmd/internal/man -o DIR [-version V] [-date YYYY-MM-DD]
//
// It writes DIR/man/man1/*.1, DIR/man/man7/*.7 and DIR/completions/{bash,zsh,fish}. The same tree,
// version and date give the same bytes. The default date is the date of the last commit. Without
// git it is the date of the file CHANGELOG.md.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/command/exports"
)

func init() { exports.Add() }

func main() {
	dir := flag.String("o", "", "write to `DIR`")
	version := flag.String("version", "", "the `VERSION` that the pages are of")
	day := flag.String("date", "", "the `DATE` of the pages, as 2026-12-31")
	flag.Parse()
	if err := run(*dir, *version, *day); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func run(dir, version, day string) error {
	if dir == "" {
		return fmt.Errorf("-o names the directory to write to")
	}
	date, err := dateOf(day)
	if err != nil {
		return err
	}
	root := command.Tree()
	files := map[string][]byte{}
	for _, c := range commands(root) {
		files["man/man1/"+pageName(c)+".1"] = page(c, version, date)
	}
	for _, topic := range command.Topics {
		files["man/man7/"+topicName(topic)+".7"] = topicPage(topic, version, date)
	}
	for shell, write := range map[string]func(*bytes.Buffer) error{
		"bash/tracec":      func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) },
		"zsh/_tracec":      func(b *bytes.Buffer) error { return root.GenZshCompletion(b) },
		"fish/tracec.fish": func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		files["completions/"+shell] = b.Bytes()
	}
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// dateOf returns the date of the pages.
func dateOf(day string) (time.Time, error) {
	if day == "" {
		if out, err := exec.Command("git", "log", "-1", "--format=%cs").Output(); err == nil {
			day = strings.TrimSpace(string(out))
		}
	}
	if day == "" {
		info, err := os.Stat("CHANGELOG.md")
		if err != nil {
			return time.Time{}, fmt.Errorf("neither git nor CHANGELOG.md has a date, -date does: %w", err)
		}
		return info.ModTime().UTC(), nil
	}
	return time.Parse(time.DateOnly, day)
}

// commands returns a command and all its subcommands that help lists, in the order of help.
func commands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Deprecated == "" {
			all = append(all, commands(sub)...)
		}
	}
	return all
}

// pageName returns the name of a command's page, such as tracec-trace-cmd-report.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }
