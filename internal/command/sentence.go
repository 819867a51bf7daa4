package command

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// sentence returns the text of an error without names of system calls, such as stat, which mean
// nothing to the reader.
func sentence(err error) string {
	text := err.Error()
	each(err, func(err error) {
		name, cause := "", error(nil)
		switch e := err.(type) {
		case *fs.PathError:
			name, cause = e.Path, e.Err
		case *os.LinkError:
			name, cause = e.New, e.Err
		case *exec.Error:
			name, cause = e.Name, e.Err
		default:
			return
		}
		better := cause.Error()
		switch _, isCommand := err.(*exec.Error); {
		case isCommand && (errors.Is(cause, exec.ErrNotFound) || errors.Is(cause, fs.ErrNotExist)):
			better = "no such command"
		case errors.Is(cause, fs.ErrNotExist):
			better = "no such file"
		case errors.Is(cause, syscall.ENOSPC):
			better = "no space left"
		}
		if name != "" {
			better = name + ": " + better
		}
		text = strings.ReplaceAll(text, err.Error(), better)
		text = strings.ReplaceAll(text, name+": "+name+": ", name+": ") // the wrapping error also names the file
	})
	return strings.TrimSpace(text)
}

// each calls do for an error and all errors that it wraps.
func each(err error, do func(error)) {
	if err == nil {
		return
	}
	do(err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		each(e.Unwrap(), do)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			each(one, do)
		}
	}
}
