package gencode

import "unsafe"

// View returns a payload as the event that it is. Both have the same layout, and data is long enough.
func View[T any](data []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(data))) }
