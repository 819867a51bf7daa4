// Package pagecache reads files whose pages the system has in memory without giving up the
// processor.
//
// A system call that may block gives the processor of its goroutine (the P of the Go scheduler)
// back when it takes longer than some 20 µs, as to copy 128 KiB does. As long as no processor is
// idle the scheduler's monitor takes it away, looks again 20 µs later, and takes time from a worker
// each time that it looks (sysmon and retake in runtime/proc.go). With as many workers as
// processors that was a tenth to a fifth of what they did.
package pagecache

import (
	"io"
	"io/fs"
	"os"
)

// What is read so has at least as much as takes some µs to copy, and no more than the garbage
// collector may wait for.
const (
	least = 16 << 10
	most  = 1 << 20
)

// Reader returns r, or where r is a file of the system, what reads the same. It is for any
// goroutine, as r is.
func Reader(r io.ReaderAt) io.ReaderAt {
	if f, ok := r.(*os.File); ok {
		return open(f)
	}
	return r
}

// File is Reader for an open file, which what it returns closes.
func File(f fs.File) fs.File {
	if f, ok := f.(*os.File); ok {
		return open(f)
	}
	return f
}

// handle is what a file of the system can do.
type handle interface {
	fs.File
	io.ReaderAt
}
