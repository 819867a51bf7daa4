//go:build !linux

package command

import (
	"errors"

	"github.com/spf13/cobra"
)

// liveChild is the command that tracec live traces. Only Linux supports it.
type liveChild struct{}

func startChild(*cobra.Command, []string) (*liveChild, error) { return nil, errors.ErrUnsupported }

func (*liveChild) pid() int    { return 0 }
func (*liveChild) goOn() error { return nil }
func (*liveChild) wait() error { return nil }
func (*liveChild) terminate()  {}
func (*liveChild) kill()       {}
