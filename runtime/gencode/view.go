package gencode

import "unsafe"

// View returns a payload as the event that it is, a *T. The struct has the layout of the payload,
// which is long enough.
func View[T any](_ *T, data []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(data))) }
