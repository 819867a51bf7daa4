package aix_test

import (
	"bytes"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
)

// An exact magic number with a good first entry is a stream, whatever comes later. One byte of
// difference from another magic number does not make it a log file.
func TestDetectDamagedStream(t *testing.T) {
	entry := []byte{
		0x80, 0x00, 0x00, 0x08, 0x50, 0x00, 0x00, 0x05, 0, 0, 0, 0, 0, 0, 0, 1,
		0, 0, 0, 0, 0, 0x1f, 0x00, 0x35, 0, 0, 0, 0, 0, 0, 0x10, 0x00,
	}
	good := bytes.Repeat(entry, 4)
	stream := append([]byte{0xef, 0xdf, 0x11, 0x14}, good...)
	stream = append(stream, bytes.Repeat([]byte{0xff}, 16)...)
	stream = append(stream, good...)
	if got := aix.Detect(stream); got != aix.Stream64 {
		t.Errorf("detected %v", got)
	}
}
