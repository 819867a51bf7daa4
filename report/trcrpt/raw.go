package trcrpt

import (
	"encoding/binary"
	"fmt"

	"github.com/tracec/tracec/runtime/aix"
)

// rawCopy writes selected events as the raw stream of trace -o - (aix.md 2.6). trcrpt -r does the
// same with a log file or with the set of files of trace -C. Entries keep the layout of their
// kernel, so 32- and 64-bit recordings cannot be combined.
type rawCopy struct {
	begun bool
	is64  bool
}

func (c *rawCopy) append(p *printer, e *aix.Entry) error {
	is64 := e.Has(aix.Trace64)
	if !c.begun {
		c.begun, c.is64 = true, is64
		if is64 {
			p.out.buf = binary.BigEndian.AppendUint32(p.out.buf, aix.MagicStream64)
		}
	}
	if is64 != c.is64 {
		return fmt.Errorf("%s: recordings of 32- and 64-bit systems cannot be in one raw file", p.facts.File)
	}
	p.out.buf = append(p.out.buf, e.Raw...)
	return nil
}
