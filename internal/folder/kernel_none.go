//go:build !linux

package folder

// KernelAt returns the name of the kernel's file system that a path is in; empty when it is in
// none, or the system has none.
func KernelAt(string) string { return "" }
