package render

import (
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"
	"testing/quick"
)

var bigEnd = &Env{BigEndian: true, WordSize: 8}

func TestMAC(t *testing.T) {
	mac := []byte{0x00, 0x11, 0x22, 0xaa, 0xbb, 0xcc, 0xdd}
	for s, want := range map[string]string{
		"":    "00:11:22:aa:bb:cc",
		"R":   "cc:bb:aa:22:11:00",
		"F":   "00-11-22-aa-bb-cc",
		"m":   "001122aabbcc",
		"mR":  "ccbbaa221100",
		"pmk": "00:11:22:aa:bb:cc", // cfg80211 6.1 has "%pMpmk": only the first letter counts
	} {
		if got := string(MAC(nil, nil, mac, s)); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
	if got := string(MAC(nil, nil, mac[:2], "R")); got != "11:00" {
		t.Errorf("short region: got %s", got)
	}
}

func TestIP4(t *testing.T) {
	a := []byte{127, 0, 0, 1}
	for _, c := range []struct {
		env     *Env
		s, want string
	}{
		{nil, "I4", "127.0.0.1"}, // inet_sock_set_state, 6.1
		{nil, "i4", "127.000.000.001"},
		{nil, "I4n", "127.0.0.1"},
		{nil, "I4b", "127.0.0.1"},
		{nil, "I4l", "1.0.0.127"},
		{nil, "I4h", "1.0.0.127"},
		{bigEnd, "I4h", "127.0.0.1"},
		{bigEnd, "i4l", "001.000.000.127"},
		{nil, "", "127.0.0.1"},
	} {
		if got := string(IP4(nil, c.env, a, c.s)); got != c.want {
			t.Errorf("%q: got %s, want %s", c.s, got, c.want)
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", ":", "").Replace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestIP6(t *testing.T) {
	for _, c := range []struct{ addr, s, want string }{
		{"00000000000000000000ffff7f000001", "I6c", "::ffff:127.0.0.1"}, // inet_sock_set_state, 6.1
		{"00000000000000000000ffff00000000", "I6c", "::ffff:0.0.0.0"},   // the same
		{"00010002000300040005000600070008", "I6", "0001:0002:0003:0004:0005:0006:0007:0008"},
		{"00010002000300040005000600070008", "i6", "00010002000300040005000600070008"},
		{"00010002000300040005000600070008", "I6c", "1:2:3:4:5:6:7:8"},
		{"20010db8000000000000000000000001", "I6c", "2001:db8::1"},
		{"00000000000000000000000000000000", "I6c", "::"},
		{"00000000000000000000000000000001", "I6c", "::1"},
		{"fe800000000000000000000000000000", "I6c", "fe80::"},
		{"20010db8000000010000000000000001", "I6c", "2001:db8:0:1::1"},
		{"20010000000100010001000100010001", "I6c", "2001:0:1:1:1:1:1:1"}, // one zero group stays
		{"00000000000100000000000100000001", "I6c", "::1:0:0:1:0:1"},
		{"fe8000000000000000005efec0a80001", "I6c", "fe80::5efe:192.168.0.1"}, // ISATAP
		{"20010db80000000002005efe0a000001", "I6c", "2001:db8::200:5efe:10.0.0.1"},
	} {
		if got := string(IP6(nil, nil, unhex(t, c.addr), c.s)); got != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.s, c.addr, got, c.want)
		}
	}
}

// Whatever the compression, the text must parse to the same address.
func TestIP6CompressedParses(t *testing.T) {
	back := func(a [16]byte, zero uint16) bool {
		for i := range 8 {
			if zero>>i&1 != 0 {
				a[2*i], a[2*i+1] = 0, 0
			}
		}
		got, err := netip.ParseAddr(string(IP6(nil, nil, a[:], "I6c")))
		return err == nil && got == netip.AddrFrom16(a)
	}
	if err := quick.Check(back, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestSockaddr(t *testing.T) {
	const (
		in4LE = "0200 15b3 7f000001 0000000000000000"
		in4BE = "0002 15b3 7f000001 0000000000000000"
		in6LE = "0a00 15b3 f0012345 20010db8000000000000000000000001 07000000"
		in6BE = "000a 15b3 f0012345 20010db8000000000000000000000001 00000007"
	)
	for _, c := range []struct {
		env          *Env
		raw, s, want string
	}{
		{nil, in4LE, "pc", "127.0.0.1:5555"}, // net events of 7.2: src=127.0.0.1:5555
		{nil, in4LE, "", "127.0.0.1"},
		{nil, in4LE, "psfc", "127.0.0.1:5555"},
		{nil, in4LE, "l", "1.0.0.127"},
		{nil, in4LE, "iSp", "127.000.000.001:5555"},
		{bigEnd, in4BE, "pc", "127.0.0.1:5555"},
		{nil, in6LE, "c", "2001:db8::1"},
		{nil, in6LE, "pc", "[2001:db8::1]:5555"},
		{nil, in6LE, "psfc", "[2001:db8::1]:5555/74565%7"},
		{nil, in6LE, "", "2001:0db8:0000:0000:0000:0000:0000:0001"},
		{nil, in6LE, "IS", "2001:0db8:0000:0000:0000:0000:0000:0001"},
		{nil, in6LE, "iSp", "[20010db8000000000000000000000001]:5555"},
		{bigEnd, in6BE, "sc", "[2001:db8::1]%7"},
		{bigEnd, in4LE, "pc", "(einval)"},
		{nil, "0100 2f746d70", "pc", "(einval)"},
		{nil, "02", "pc", "(einval)"},
		{nil, "", "pc", "(einval)"},
		{nil, "0200 15b3", "pc", "(einval)"},
	} {
		if got := string(Sockaddr(nil, c.env, unhex(t, c.raw), c.s)); got != c.want {
			t.Errorf("%q of %s: got %s, want %s", c.s, c.raw, got, c.want)
		}
	}
}

func TestUUID(t *testing.T) {
	raw := unhex(t, "00112233445566778899aabbccddeeff")
	for s, want := range map[string]string{
		"U":  "00112233-4455-6677-8899-aabbccddeeff",
		"Ub": "00112233-4455-6677-8899-aabbccddeeff",
		"UB": "00112233-4455-6677-8899-AABBCCDDEEFF",
		"Ul": "33221100-5544-7766-8899-aabbccddeeff",
		"UL": "33221100-5544-7766-8899-AABBCCDDEEFF",
		"":   "00112233-4455-6677-8899-aabbccddeeff",
	} {
		if got := string(UUID(nil, nil, raw, s)); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}
