//go:build !linux

package folder

// KernelAt returns the name of the kernel's file system that a path is in. It is empty for other
// paths, and on systems without such file systems.
func KernelAt(string) string { return "" }
