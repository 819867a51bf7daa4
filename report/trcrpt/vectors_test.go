package trcrpt

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The vectors of aix.md 8 as recordings, printed.
func TestVectors(t *testing.T) {
	const stream64 = "EFDF1114"
	for _, c := range []struct {
		name, templates, bytes string
		o                      Options
		want                   string
	}{
		{
			name: "V1",
			templates: `010 1.0 L=APPL "USER EVENT - HKWD_USER1" O2.0 \n "The # of loop iterations =" U4\n \
				"The elapsed time of the last loop = " endtimer(0x010,0x010) starttimer(0x010,0x010)`,
			bytes: "010A0000 00000001 00003A5B 0001A5E3",
			o:     Options{Settings: Settings{NoIDs: true, Timestamp: timeNone}},
			want:  "USER EVENT - HKWD_USER1\nThe # of loop iterations =1\nThe elapsed time of the last loop =\n",
		},
		{
			name: "V2 in the columns of KERN", templates: `500 1.0 "five" $HD%X2 X2 X4`,
			bytes: "500E0005 00000001 00000002 00000003 00000004 00000005 00003A5B 0001A600",
			o:     Options{Settings: Settings{TID: true, Timestamp: timeNone}},
			want:  "500 14939                    five 0005 0005 00000001\n",
		},
		{
			name: "V3", templates: `020 1.0 L=APPL "" X4 A6`,
			bytes: "02080006 00000001 68656C6C 6F000000 00003A5B 0001A700",
			o:     Options{Settings: Settings{NoIDs: true, Timestamp: timeNone}},
			want:  "00000001 hello\n",
		},
		{
			name: "V4 and V5, which are V10", templates: `500 1.0 L=APPL "" $HOOKENV $TRACEENV $HL%U W1 UW UW UW UW UW`,
			bytes: stream64 + "8000002850000005 0000000000000001 0000000000000002 0000000000000003 0000000000000004" +
				"0000000000000005 00000000001F0035 0000000000001000" +
				"A000001450000005 0000000100000002 0000000300000004 0000000500000000 00000000001F0035 0000000000001100",
			o:    Options{Settings: Settings{TID: true, Timestamp: timeShort}},
			want: "500 2031669     0.000000   64 64 40 1 2 3 4 5\n500 2031669     0.000000   32 64 20 1 2 3 4 5\n",
		},
		{
			name: "V6", templates: `500 1.0 L=APPL "" $HOOKENV $TRACEENV W1 U8 U8 U8 U8 U8`,
			bytes: "00B8002C 80000028 50000005 0000000000000001 0000000000000002 0000000000000003 0000000000000004" +
				"0000000000000005 00003A5B 0001A800",
			o:    Options{Settings: Settings{NoIDs: true, Timestamp: timeNone}},
			want: "64 32 1 2 3 4 5\n",
		},
		{
			name: "V8", templates: `500 1.0 L=APPL "" X8 "` + "`" + `" A6`,
			bytes: stream64 + "C000000650000005 0000000000000001 68656C6C6F00 0000 00000000001F0035 0000000000001200",
			o:     Options{Settings: Settings{NoIDs: true, Timestamp: timeNone}},
			want:  "0000000000000001 `hello\n",
		},
		{
			name: "V11", templates: `100 1.0 L=APPL "" {{ $dog = 7 + 6 }} {{ $cat = $dog * 2 }} $dog $cat`,
			bytes: "10090000 00003A5B 0001A5E3", o: Options{Settings: Settings{NoIDs: true, Timestamp: timeNone}},
			want: "000D 001A\n",
		},
		{
			name: "V12",
			templates: `900 1.0 L=APPL "ESDI STRATEGY" {{ $rv = 0 }} {{ $stat = X2 }} $90F \n \
				special_esdi_status=$stat for minor device $rv
90F 1.0 L=APPL "" {{ $return }} G4 block number X4 \n byte count X4 \n \
				B0.1, 1 B_FLAG0 \
				B0.1, 1 B_FLAG1 \
				B0.1, 1 B_FLAG2 \
				G16 {{ $return = X2 }}`,
			bytes: "900E0003 00000010 00001000 A0000000 00070000 00000000 00003A5B 0001A800",
			o:     Options{Settings: Settings{NoIDs: true, Timestamp: timeNone}},
			want: "ESDI STRATEGY block number 00000010\nbyte count 00001000\nB_FLAG0 B_FLAG2\n" +
				"special_esdi_status=0003 for minor device 0007\n",
		},
		{
			name: "the published line of 006 from its event",
			templates: `006 1.0 L=KERN "TRACEBUFFER WRAPAROUND" $D1 $D2 "missed entries"
010 1.0 L=APPL "loop"`,
			bytes: stream64 + "8000000001000000 00000000001D70A1 0000000000000000" +
				"8000000001000000 00000000001D70A1 00000001AACA25F4" +
				"8000001000600000 0000000000005D88 000000000000C77A 00000000001D70A1 00000001AACA292E",
			o: Options{Settings: Settings{TID: true}},
			want: "010 1929377     0.000000000       0.000000   loop\n" +
				"010 1929377     7.160342004    7160.342004   loop\n" +
				"006 1929377     7.160342830       0.000826                   TRACEBUFFER WRAPAROUND 5D88 C77A missed entries\n",
		},
	} {
		c.o.Templates = templateFile(t, c.templates)
		c.o.NoHeading = true
		data, err := hex.DecodeString(strings.Join(strings.Fields(c.bytes), ""))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := testReport(t, c.o, data, &out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, out.String()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
