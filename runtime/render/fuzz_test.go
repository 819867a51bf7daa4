package render

import "testing"

func FuzzBinPrintf(f *testing.F) {
	f.Add("%s: %d of %lu at %pS\n", sampleBin, true, true)
	f.Add("%*.*s%c%hd%hhx%-+ #020llX%pI4%*ph%%", sampleBytes, false, false)
	f.Add("%99999999999999999999d%.*d%", []byte{0xff, 0xff, 0xff, 0x7f}, false, true)
	f.Fuzz(func(t *testing.T, format string, args []byte, big, narrow bool) {
		env := &Env{BigEndian: big, WordSize: 8, Strings: table{1: format}}
		if narrow {
			env.WordSize = 4
		}
		got := BinPrintf([]byte(">"), env, 1, args)
		if len(got) < 1 || got[0] != '>' || len(got) > 1+MaxWidth {
			t.Fatalf("%d bytes, first %q", len(got), got[:1])
		}
	})
}

func FuzzHexDump(f *testing.F) {
	f.Add("x", uint64(2), uint64(16), uint64(4), sampleBytes, uint64(28), uint64(1))
	f.Add("", uint64(1), uint64(32), uint64(8), sampleBytes, ^uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, prefix string, kind, row, group uint64, b []byte, n, ascii uint64) {
		got := HexDump(nil, nil, prefix, kind, row, group, b, n, ascii)
		if limit := 1 + (len(b)/16+1)*(len(prefix)+128); len(got) > limit {
			t.Fatalf("%d bytes for %d", len(got), len(b))
		}
	})
}

// FuzzRegions calls every function that reads a region with unexpected lengths and letters.
func FuzzRegions(f *testing.F) {
	f.Add(sampleBytes, "pfsc", uint64(4), uint64(4), false)
	f.Add([]byte{0, 10}, "iSp", ^uint64(0), uint64(3), true)
	f.Add([]byte{}, "U", uint64(1)<<63, uint64(0), true)
	f.Fuzz(func(t *testing.T, b []byte, s string, n, size uint64, big bool) {
		env := &Env{BigEndian: big, WordSize: int(size)}
		var dst []byte
		dst = Sockaddr(dst[:0], env, b, s)
		dst = IP4(dst[:0], env, b, s)
		dst = IP6(dst[:0], env, b, s)
		dst = MAC(dst[:0], env, b, s)
		dst = UUID(dst[:0], env, b, s)
		dst = HexBytes(dst[:0], env, b, n, s)
		dst = Escaped(dst[:0], env, b, n, s)
		dst = Hex(dst[:0], env, b, n)
		dst = Bitmap(dst[:0], env, b, big, n)
		dst = BitList(dst[:0], env, b, big, n)
		dst = Bitmask(dst[:0], env, b, big)
		dst = StackTrace(dst[:0], env, b, big)
		if dst = Array(dst[:0], env, b, big, n, size); len(dst) > 2+len(b)*64 {
			t.Fatalf("Array: %d bytes for %d", len(dst), len(b))
		}
	})
}

// FuzzAIXCodes calls the functions of AIX templates with places, counts and values that do not
// occur in templates.
func FuzzAIXCodes(f *testing.F) {
	f.Add([]byte{0xa0, 0x12, 0x34}, uint64(3), uint64(19))
	f.Add([]byte{}, ^uint64(0), uint64(1)<<63)
	f.Add([]byte("hello\x00"), uint64(1)<<62, uint64(64))
	f.Fuzz(func(t *testing.T, b []byte, v, n uint64) {
		dst := HexUpper([]byte(">"), nil, b, n)
		dst = BinaryValue(dst, nil, v, n)
		dst = MacroHex(dst, nil, v)
		dst = Float(dst, nil, v, n)
		dst = CTime(dst, nil, v)
		dst = AIXErrno(dst, nil, v)
		dst = ProcessPath(dst, nil, v)
		if limit := 1 + 2*len(b) + 64 + 16 + 16 + 32 + 24 + 24; len(dst) > limit || dst[0] != '>' {
			t.Fatalf("%d bytes: %q", len(dst), dst)
		}
		if dst = Binary(nil, nil, b, v, n); len(dst) > maxBinary {
			t.Fatalf("%d binary digits", len(dst))
		}
		if int64(n) > 0 && n <= 64 { // two ways to the same bits
			got := string(BinaryValue(nil, nil, Bits(b, int64(v&0xffff), int64(n)), n))
			if want := string(Binary(nil, nil, b, v&0xffff, n)); got != want {
				t.Fatalf("bits %s, digits %s", got, want)
			}
		}
	})
}
