package command

import (
	"errors"
	"io/fs"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
)

// liveChild is the command that tracec live traces. It waits after the system call execve, before
// its first instruction, until goOn. So its whole run is recorded, and tracec itself is not traced.
type liveChild struct {
	cmd   *exec.Cmd
	gone  atomic.Bool
	steps chan func() error // steps for the thread that traces the child
	done  chan error
}

// startChild starts a command.
func startChild(cmd *cobra.Command, args []string) (*liveChild, error) {
	c := &liveChild{cmd: exec.Command(args[0], args[1:]...), steps: make(chan func() error), done: make(chan error)}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if o, ok := cmd.OutOrStdout().(*output); ok {
		c.cmd.Stdout = o.Writer
	}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	go func() {
		runtime.LockOSThread() // only the tracing thread may control the child; it ends with the goroutine
		for step := range c.steps {
			c.done <- step()
		}
	}()
	err := c.do(func() error {
		if err := c.cmd.Start(); err != nil {
			return err
		}
		var status syscall.WaitStatus
		_, err := syscall.Wait4(c.pid(), &status, 0, nil)
		return err
	})
	if err != nil {
		close(c.steps)
		if errors.Is(err, fs.ErrNotExist) {
			err = &exec.Error{Name: args[0], Err: exec.ErrNotFound}
		}
		return nil, err
	}
	return c, nil
}

// do runs a step on the tracing thread.
func (c *liveChild) do(step func() error) error {
	c.steps <- step
	return <-c.done
}

func (c *liveChild) pid() int { return c.cmd.Process.Pid }

// goOn starts the command.
func (c *liveChild) goOn() error {
	err := c.do(func() error { return syscall.PtraceDetach(c.pid()) })
	close(c.steps)
	return err
}

// wait waits for the end of the command. It returns nil, or its exit code.
func (c *liveChild) wait() error {
	err := c.cmd.Wait()
	c.gone.Store(true)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return childExit(128 + int(status.Signal()))
		}
		return childExit(exit.ExitCode())
	}
	return err
}

// terminate sends a signal to end a running command.
func (c *liveChild) terminate() {
	if !c.gone.Load() {
		c.cmd.Process.Signal(syscall.SIGTERM)
	}
}

// kill ends a command for which wait was not called.
func (c *liveChild) kill() {
	if !c.gone.Load() {
		c.cmd.Process.Kill()
	}
}
