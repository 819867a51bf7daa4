package tracecmd

import "encoding/binary"

// hostIsBig reports whether the machine that runs tracec is big-endian.
var hostIsBig = binary.NativeEndian.Uint16([]byte{0, 1}) == 1
