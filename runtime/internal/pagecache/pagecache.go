// Package pagecache reads files that are in the page cache without giving up the processor.
//
// A goroutine loses its processor (the P of the Go scheduler) in a system call that takes longer
// than about 20 µs. Copying 128 KiB takes that long. While no processor is idle, the scheduler's
// monitor retakes the P, looks again 20 µs later, and costs a worker time at each look (sysmon and
// retake in runtime/proc.go). With as many workers as processors, this cost a tenth to a fifth of
// their time.
package pagecache

import (
	"io"
	"io/fs"
	"os"
)

// Bounds of the size of a read without blocking. The lower one takes some µs to copy. The upper one
// bounds the time that the garbage collector may wait.
const (
	least = 16 << 10
	most  = 1 << 20
)

// Reader returns r. If r is a file of the system, it returns a reader of the same data that avoids
// blocking. Like r, it is safe for concurrent use.
func Reader(r io.ReaderAt) io.ReaderAt {
	if f, ok := r.(*os.File); ok {
		return open(f)
	}
	return r
}

// File is like Reader for an open file. Closing the result closes f.
func File(f fs.File) fs.File {
	if f, ok := f.(*os.File); ok {
		return open(f)
	}
	return f
}

// handle lists the methods of a file of the system.
type handle interface {
	fs.File
	io.ReaderAt
}
