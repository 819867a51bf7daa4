package gen_test

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// other writes a recording in the form that a 32-bit program of the given byte order would have.
// Numbers whose specs give no size have 4 bytes. All numbers have this byte order.
func other(t *testing.T, from, to string, big bool) string {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	info := filepath.Join(to, "info")
	head, err := os.ReadFile(info)
	if err != nil {
		t.Fatal(err)
	}
	head[15] = 1 // ELFCLASS32
	var order binary.AppendByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
		head[14] = 2 // ELFDATA2MSB
		swap := func(at, n int) {
			for i, j := at, at+n-1; i < j; i, j = i+1, j-1 {
				head[i], head[j] = head[j], head[i]
			}
		}
		for _, f := range [][2]int{{8, 4}, {12, 2}, {16, 8}, {24, 8}, {32, 2}} {
			swap(f[0], f[1])
		}
	}
	if err := os.WriteFile(info, head, 0o644); err != nil {
		t.Fatal(err)
	}
	rec := openUftrace(t, from)
	for i, s := range rec.Streams(record.Options{}) {
		var out []byte
		for {
			batch, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for j := range batch.Records {
				x := &batch.Entries[j]
				word := uint64(x.Kind) | 5<<3 | uint64(x.Depth)<<6 | x.Addr<<16
				if x.More {
					word |= 4
				}
				out = order.AppendUint64(order.AppendUint64(out, batch.Records[j].Time), word)
				if x.More {
					out = narrowed(out, x, batch.Records[j].Data, order)
				}
			}
		}
		if err := os.WriteFile(filepath.Join(to, rec.Tasks()[i].File), out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// narrowed appends a payload.
func narrowed(out []byte, x *uftrace.Entry, data []byte, order binary.AppendByteOrder) []byte {
	specs := x.Sym.Args
	if x.Kind == uftrace.Leave {
		specs = x.Sym.Results
	}
	pad := func(to int) {
		for len(out)%to != 0 {
			out = append(out, 0xee)
		}
	}
	for _, s := range specs {
		switch n := s.Size; {
		case s.Format == 's':
			length := binary.LittleEndian.Uint16(data)
			out = order.AppendUint16(out, length)
			n = 2 + int(length)
			out = append(out, data[2:n]...)
			data = data[min((n+3)&^3, len(data)):]
		case n == 8 && (s.Format == 'd' || s.Format == 'p' || s.Format == 'e'): // numbers as wide as a word
			out = order.AppendUint32(out, binary.LittleEndian.Uint32(data))
			data = data[8:]
		default:
			value := data[:n]
			for i := range value {
				at := i
				if order == binary.AppendByteOrder(binary.BigEndian) && s.Format != 't' {
					at = n - 1 - i
				}
				out = append(out, value[at])
			}
			data = data[min((n+3)&^3, len(data)):]
		}
		pad(4)
	}
	pad(8)
	return out
}
