//go:build !unix

package folder

import "io/fs"

const nonblocking = 0

type device struct{}

func deviceOf(fs.FileInfo) (device, bool) { return device{}, false }
