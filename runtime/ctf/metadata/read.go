package metadata

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/tracec/tracec/grammar/diag"
)

// Read reads metadata of any version and form. The name is used for positions only; those of
// metadata in packets are places in the text without packet headers. The error is a [diag.List].
func Read(name string, data []byte) (*Trace, error) {
	if len(data) > 0 && data[0] == separator {
		return ReadJSON(name, data)
	}
	text, err := TextOf(data)
	t, wrong := ReadTSDL(name, string(text))
	if err != nil {
		list, _ := wrong.(diag.List)
		at := diag.Position{Filename: name, Line: 1, Column: 1}
		wrong = append(list, diag.New(at, diag.Error, CodeMetadata, "%v", err))
	}
	return t, wrong
}

// TextOf returns the text of metadata, without the headers of packets. After an error, it is the
// text of the packets before.
func TextOf(data []byte) ([]byte, error) {
	if order := packetOrder(data); order != nil {
		return unpack(data, order)
	}
	return data, nil
}

const (
	packetMagic  = 0x75d11d57
	packetHeader = 37 // bytes
)

// packetOrder returns the byte order of metadata in packets, or nil if there are none.
func packetOrder(data []byte) binary.ByteOrder {
	switch {
	case len(data) < 4:
	case binary.LittleEndian.Uint32(data) == packetMagic:
		return binary.LittleEndian
	case binary.BigEndian.Uint32(data) == packetMagic:
		return binary.BigEndian
	}
	return nil
}

// unpack returns the text in packets (docs/spec/ctf.md 1.2). After an error, the text is that of
// the packets before.
func unpack(data []byte, order binary.ByteOrder) ([]byte, error) {
	var text bytes.Buffer
	for at := 0; at < len(data); {
		p := data[at:]
		if len(p) < packetHeader || order.Uint32(p) != packetMagic {
			return text.Bytes(), fmt.Errorf("no packet of metadata begins at byte %d", at)
		}
		content, size := uint64(order.Uint32(p[24:])), uint64(order.Uint32(p[28:]))
		switch {
		case p[32] != 0 || p[33] != 0:
			return text.Bytes(), fmt.Errorf("the packet at byte %d is compressed or encrypted (%d, %d)", at, p[32], p[33])
		case content < packetHeader*8 || content > size || content%8 != 0 || size%8 != 0 || content/8 > uint64(len(p)):
			return text.Bytes(), fmt.Errorf("the packet at byte %d has %d bits of %d, in a file of %d bytes", at, content, size, len(data))
		}
		text.Write(p[packetHeader : content/8])
		if size/8 > uint64(len(p)) {
			return text.Bytes(), fmt.Errorf("the packet at byte %d has %d bits, in a file of %d bytes", at, size, len(data))
		}
		at += int(size / 8)
	}
	return text.Bytes(), nil
}
