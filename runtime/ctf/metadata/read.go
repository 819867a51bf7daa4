package metadata

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// Read reads metadata of any version and form. The name is used for positions only. For metadata in
// packets, positions have the offset in the file, and lines and columns of the text without packet
// headers. The error is a [diag.List].
func Read(name string, data []byte) (*Trace, error) {
	if len(data) > 0 && data[0] == separator {
		return ReadJSON(name, string(data))
	}
	p := unpack(name, data)
	if p == nil {
		return ReadTSDL(name, string(data))
	}
	t, err := ReadTSDL(name, p.text.String())
	list, _ := err.(diag.List)
	for i := range list {
		list[i].Pos.Offset = p.offset(list[i].Pos.Offset)
	}
	if list = append(p.errors, list...); len(list) == 0 {
		return t, nil
	}
	return t, list
}

// TextOf returns the text of metadata, without the headers of packets. The error is a [diag.List].
// If there is an error, the text ends before the damaged packet.
func TextOf(name string, data []byte) (string, error) {
	p := unpack(name, data)
	if p == nil {
		return string(data), nil
	}
	if bad := p.errors.Worst(diag.Error); len(bad) > 0 {
		return p.text.String(), bad
	}
	return p.text.String(), nil
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

// packets are a text in packets (docs/spec/ctf.md 1.2).
type packets struct {
	name   string
	order  binary.ByteOrder
	text   strings.Builder
	texts  []int // offsets in the text at which packets begin
	files  []int // offsets in the file at which these texts begin
	errors diag.List
}

// offset returns the offset in the file for an offset in the text.
func (p *packets) offset(at int) int {
	if i := sort.SearchInts(p.texts, at+1) - 1; i >= 0 {
		return p.files[i] + at - p.texts[i]
	}
	return at
}

func (p *packets) report(at int, code, format string, args ...any) {
	pos := diag.Position{Filename: p.name, Offset: at}
	p.errors = append(p.errors, diag.New(pos, diag.Error, code, "the packet of metadata at byte %d "+format,
		append([]any{at}, args...)...))
}

// unpack joins the texts of packets. An incomplete packet ends the text. It returns nil if the
// metadata are not in packets.
func unpack(name string, data []byte) *packets {
	order := packetOrder(data)
	if order == nil {
		return nil
	}
	p := &packets{name: name, order: order}
	for at := 0; at < len(data); {
		size := p.packet(data[at:], at)
		if size == 0 {
			break
		}
		at += size
	}
	return p
}

// compressions, encryptions and checksums are the names of schemes.
var (
	compressions = []string{"", "bzip2", "gzip", "xz"}
	encryptions  = []string{"", "AES"}
	checksums    = []string{"MD5", "SHA-1", "CRC-32"}
)

// scheme returns the name of a scheme.
func scheme(names []string, number byte) string {
	if int(number) < len(names) {
		return names[number]
	}
	return fmt.Sprintf("a scheme %d that has no known meaning", number)
}

// packet reads the packet at the begin of data. at is its offset in the file. It returns the size
// of the packet, or 0 if nothing after it can be read.
func (p *packets) packet(data []byte, at int) int {
	if len(data) < packetHeader {
		p.report(at, CodeCut, "is cut: %d bytes of a header of %d", len(data), packetHeader)
		return 0
	}
	content, size := uint64(p.order.Uint32(data[24:])), uint64(p.order.Uint32(data[28:]))
	switch {
	case p.order.Uint32(data) != packetMagic:
		p.report(at, CodeMetadata, "has no magic number of one")
		return 0
	case content < packetHeader*8 || content > size || content%8 != 0 || size%8 != 0:
		p.report(at, CodeMetadata, "has %d bits of %d", content, size)
		return 0
	case data[32] != 0:
		p.report(at, CodeMetadata, "is compressed by %s, which is not supported", scheme(compressions, data[32]))
	case data[33] != 0:
		p.report(at, CodeMetadata, "is encrypted by %s, which is not supported", scheme(encryptions, data[33]))
	case data[35] != 1 || data[36] != 8:
		p.report(at, CodeMetadata, "is of version %d.%d: 1.8 is read", data[35], data[36])
	default:
		p.take(data, at, content/8)
	}
	if size/8 > uint64(len(data)) {
		p.report(at, CodeCut, "is cut: %d bytes of %d", len(data), size/8)
		return 0
	}
	return int(size / 8)
}

// take adds the text of a packet.
func (p *packets) take(data []byte, at int, content uint64) {
	if sum := p.order.Uint32(data[20:]); sum != 0 {
		pos := diag.Position{Filename: p.name, Offset: at + 20}
		p.errors = append(p.errors, diag.New(pos, diag.Warning, CodeMetadata,
			"the packet of metadata at byte %d has a checksum (%#x, %s), which is not checked", at, sum,
			scheme(checksums, data[34])))
	}
	p.texts, p.files = append(p.texts, p.text.Len()), append(p.files, at+packetHeader)
	p.text.Write(data[packetHeader:min(content, uint64(len(data)))])
}
