package command

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/report"
)

// The exit codes, as `tracec help` documents them.
const (
	exitOK      = 0
	exitDamaged = 1 // data was damaged or could not be compiled; everything else was done
	exitUsage   = 2
	exitFailed  = 3 // a file cannot be opened, read or written; from 129 on: ended by a signal
)

// childExit is the exit code of a program that tracec has run. The program has already reported its
// error.
type childExit int

func (c childExit) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// usageError marks err as a mistake in the command line.
func usageError(err error) error { return &report.UsageError{Err: err} }

func usagef(format string, args ...any) error { return report.Usagef(format, args...) }

// run runs a command line of tracec and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return runRoot(newRootFor, statOfFile(args), stdin, stdout, stderr)
}

// runRoot runs a command line with the root command from newRoot.
func runRoot(newRoot func(args []string) *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout, stderr = report.ForTerminal(stdout), quoteNames(report.ForTerminal(stderr), args)
	if completes(args) {
		stderr = io.Discard
	}
	out := &output{Writer: stdout}
	ctx, release := untilSignal(out.written.Load)
	defer release()
	args = oneDash(args)
	root := newRoot(args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	if _, ok := report.TerminalFile(stdout); ok {
		root.SetOut(stdout)
	}
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var c concluded
	if errors.As(err, &c) {
		err = c.err
	} else if s, ok := signalled(ctx); ok {
		fmt.Fprintln(stderr, "tracec: "+s.Error())
		return s.code()
	}
	if err == nil || errors.Is(err, report.ErrDamaged) && out.err != nil {
		err = out.err
	}
	code := exitCode(err)
	var child childExit
	if errors.As(err, &child) {
		return int(child)
	}
	if code != exitOK && !errors.Is(err, report.ErrDamaged) {
		nameFilters(err)
		fmt.Fprintln(stderr, "tracec: "+sentence(err))
	}
	return code
}

// nameFilters adds the name of the filter option to messages about filters.
func nameFilters(err error) {
	each(err, func(err error) {
		if e, ok := err.(*filter.SyntaxError); ok {
			e.Option = "-F"
		}
	})
}

func exitCode(err error) int {
	var usage *report.UsageError
	var syntax *filter.SyntaxError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // the reader has closed the pipe
		return exitOK
	case errors.Is(err, report.ErrDamaged):
		return exitDamaged
	case errors.As(err, &usage), errors.As(err, &syntax), errors.Is(err, input.ErrChoose),
		errors.Is(err, input.ErrFollow):
		return exitUsage
	}
	return exitFailed
}
