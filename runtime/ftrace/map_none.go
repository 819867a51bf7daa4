//go:build !unix || aix || solaris || illumos

package ftrace

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapFile([]byte) error { return nil }

func release([]byte, int, int) {}

func prefault([]byte, int, int) {}
