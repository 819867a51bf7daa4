//go:build !linux

package tracefs

import (
	"errors"
	"time"
)

const supported = false

type pollFd struct {
	fd      int32
	events  int16
	revents int16
}

const pollIn = 1

func poll([]pollFd, time.Duration) error { return errors.ErrUnsupported }

func again(error) bool { return false }

func openRaw(string) (int, error) { return -1, errors.ErrUnsupported }

func readRaw(int, []byte) (int, error) { return 0, errors.ErrUnsupported }

func closeRaw(int) error { return nil }

func uname() string { return "" }

func openPipe(*[2]int) error { return errors.ErrUnsupported }

func spliceRaw(int, int, int) (int64, error) { return 0, errors.ErrUnsupported }
