package gencode

import "unsafe"

// View returns a payload as an event in place, a *T. The struct has the layout of the payload. data
// must be long enough.
func View[T any](_ *T, data []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(data))) }
