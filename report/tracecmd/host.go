package tracecmd

import "encoding/binary"

// hostIsBig is the byte order of the machine that tracec runs on.
var hostIsBig = binary.NativeEndian.Uint16([]byte{0, 1}) == 1
