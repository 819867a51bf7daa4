package render

import (
	"math"
	"testing"
)

// TestDetails has numbers in the form of sink.text.details.
func TestDetails(t *testing.T) {
	minus := func(n uint64) uint64 { return -n }
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{BtNumber(nil, nil, 0, 10), "0"}, {BtNumber(nil, nil, 9999, 10), "9999"},
		{BtNumber(nil, nil, 43981, 10), "43,981"}, {BtNumber(nil, nil, 1<<63, 10), "9,223,372,036,854,775,808"},
		{BtNumber(nil, nil, 1<<63, 10|BtSigned), "-9,223,372,036,854,775,808"},
		{BtNumber(nil, nil, minus(1), 10|BtSigned), "-1"},
		{BtNumber(nil, nil, 0x7fff12345678, 16), "0x7fff:1234:5678"}, {BtNumber(nil, nil, 0xabcd, 16), "0xabcd"},
		{BtNumber(nil, nil, minus(0x433), 16|BtSigned), "-0x433"},
		{BtNumber(nil, nil, 0, 8), "00"}, {BtNumber(nil, nil, 0o125715, 8), "0125:715"},
		{BtNumber(nil, nil, minus(0o63), 8|BtSigned), "-063"}, {BtNumber(nil, nil, 0xabcd, 2), "0xabcd"},
		{BtFixed(nil, nil, math.Float64bits(-0.25), 8), "-0.250000"},
		{BtFixed(nil, nil, uint64(math.Float32bits(1.5)), 4), "1.500000"},
		{BtFixed(nil, nil, math.Float64bits(math.Inf(-1)), 8), "-inf"},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
