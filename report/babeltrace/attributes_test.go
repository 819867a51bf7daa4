package babeltrace

import (
	"encoding/binary"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
)

// attributed describes a trace with attributes of all classes. X is an attribute, and INT the
// properties of an integer.
const attributed = `{"type": "preamble", "version": 2}
{"type": "trace-class", "attributes": {"tr": {"a": 1}}}
{"type": "clock-class", "id": "c", "name": "clk", "description": "desc", "frequency": 1000, "precision": 7,
 "attributes": {"ck": {"a": 1}}}
{"type": "data-stream-class", "default-clock-class-id": "c", "attributes": {"sc": {"a": 1}},
 "packet-context-field-class": {"type": "structure", "member-classes": [
  {"name": "p", "field-class": {INT64, "roles": ["packet-total-length"]}},
  {"name": "c", "field-class": {INT64, "roles": ["packet-content-length"]}}]},
 "event-record-common-context-field-class": {"type": "structure", "member-classes": [
  {"name": "c", "field-class": {"type": "fixed-length-boolean", BITS8, X}}]}}
{"type": "event-record-class", "name": "ev", "attributes": LONG,
 "payload-field-class": {"type": "structure", "attributes": {"st": {"a": 1}}, "member-classes": [
  {"name": "plain", "field-class": {INT32}},
  {"name": "fcattr", "field-class": {INT32, "attributes": {"fc": {"a": 1}}}},
  {"name": "memattr", "field-class": {INT32}, X},
  {"name": "both", "field-class": {"type": "fixed-length-signed-integer", BITS8, X}, "attributes": LONG},
  {"name": "enm", "field-class": {INT32, "mappings": {"x": [[1, 2]]}, "attributes": {"en": {"a": 1}}}, X},
  {"name": "inner", "field-class": {"type": "structure", "attributes": {"inner": {"a": 1}}, "member-classes": [
   {"name": "q", "field-class": {TEXT, X}, X}]}, X},
  {"name": "arr", "field-class": {"type": "static-length-array", "length": 3, X, "element-field-class":
   {"type": "fixed-length-floating-point-number", "length": 64, "byte-order": "little-endian", X}}, X},
  {"name": "sel", "field-class": {INT8}},
  {"name": "var", "field-class": {"type": "variant", "selector-field-location": {"path": ["sel"]}, X, "options": [
   {"name": "o1", "field-class": {TEXT, X}, "selector-field-ranges": [[1, 2]], "attributes": {"opt": {"z": 1}}},
   {"name": "o2", "field-class": {TEXT}, "selector-field-ranges": [[3, 3]]}]}, X},
  {"name": "emptystruct", "field-class": {"type": "structure", X}}]}}
`

// manyKinds are attributes of all kinds of JSON.
const manyKinds = `{"ns one": {"text": "a \"b\"", "int": 5, "neg": -5, "big": 123456, "real": 1.5, "yes": true,
 "no": false, "null": null, "list": [1, "x", {"k": 2}, [], [3, 4]], "empty": {}, "elist": []}, "plain": "str", "n2": {}}`

// attributedTrace returns the trace that attributed describes, with an empty packet.
func attributedTrace() fstest.MapFS {
	text := strings.NewReplacer(
		"INT64", `"type": "fixed-length-unsigned-integer", "length": 64, "byte-order": "little-endian"`,
		"INT32", `"type": "fixed-length-unsigned-integer", "length": 32, "byte-order": "little-endian"`,
		"INT8", `"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"`,
		"BITS8", `"length": 8, "byte-order": "little-endian"`, "TEXT", `"type": "null-terminated-string"`,
		"X", `"attributes": {"s": {"a": 1}}`, "LONG", manyKinds).Replace(attributed)
	text = "\x1e" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n{", "\n\x1e{") + "\n"
	data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 128), 128)
	return fstest.MapFS{"metadata": {Data: []byte(text)}, "s": {Data: data}}
}

// otherLines are lines about packets and clocks.
var otherLines = regexp.MustCompile("upport|snapshot|Offset|Origin")

// TestAttributes prints attributes of all classes. Babeltrace2 2.0.4 printed the expected text. A
// component in Python made the classes with these attributes. CTF 2 has more facts about packets
// and clocks.
func TestAttributes(t *testing.T) {
	job, out, said := sampleJob(&ctftest.Sample{Dir: attributedTrace()})
	o := DefaultDetails()
	o.Old, o.Data = true, false
	if err := job.Finish(PrintDetails(t.Context(), job, &o, &Graph{})); err != nil || said.Len() > 0 {
		t.Fatal(err, said)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if !otherLines.MatchString(line) {
			got = append(got, line)
		}
	}
	if d := cmp.Diff(attributesText, strings.Join(got, "")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// attributesText has no optional field, because 2.1 has changed the text of optional fields.
const attributesText = `Trace class:
  User attributes:
    tr:
      a: 1
  Stream class (ID 0):
    User attributes:
      sc:
        a: 1
    Default clock class:
      Name: clk
      User attributes:
        ck:
          a: 1
      Description: desc
      Frequency (Hz): 1000
      Precision (cycles): 7
    Event common context field class: Structure (1 member):
      c: Boolean:
        User attributes:
          s:
            a: 1
    Event class ` + "`" + `ev` + "`" + ` (ID 0):
      User attributes:
        n2: Empty
        ns one:
          big: 123,456
          elist: Empty
          empty: Empty
          int: 5
          list: Length 5:
            [0]: 1
            [1]: x
            [2]:
              k: 2
            [3]: Empty
            [4]: Length 2:
              [0]: 3
              [1]: 4
          neg: -5
          no: No
          null: Null
          real: 1.500000
          text: a "b"
          yes: Yes
        plain: str
      Payload field class: Structure (10 members):
        User attributes:
          st:
            a: 1
        Members:
          plain: Unsigned integer (32-bit, Base 10)
          fcattr: Unsigned integer (32-bit, Base 10):
            User attributes:
              fc:
                a: 1
          memattr:
            Field class: Unsigned integer (32-bit, Base 10)
            User attributes:
              s:
                a: 1
          both:
            Field class: Signed integer (8-bit, Base 10):
              User attributes:
                s:
                  a: 1
            User attributes:
              n2: Empty
              ns one:
                big: 123,456
                elist: Empty
                empty: Empty
                int: 5
                list: Length 5:
                  [0]: 1
                  [1]: x
                  [2]:
                    k: 2
                  [3]: Empty
                  [4]: Length 2:
                    [0]: 3
                    [1]: 4
                neg: -5
                no: No
                null: Null
                real: 1.500000
                text: a "b"
                yes: Yes
              plain: str
          enm:
            Field class: Unsigned enumeration (32-bit, Base 10, 1 mapping):
              User attributes:
                en:
                  a: 1
              Mappings:
                x: [1, 2]
            User attributes:
              s:
                a: 1
          inner:
            Field class: Structure (1 member):
              User attributes:
                inner:
                  a: 1
              Members:
                q:
                  Field class: String:
                    User attributes:
                      s:
                        a: 1
                  User attributes:
                    s:
                      a: 1
            User attributes:
              s:
                a: 1
          arr:
            Field class: Static array (Length 3):
              User attributes:
                s:
                  a: 1
              Element: Double-precision real:
                User attributes:
                  s:
                    a: 1
            User attributes:
              s:
                a: 1
          sel: Unsigned integer (8-bit, Base 10)
          var:
            Field class: Variant (unsigned integer selector) (2 options, Selector field path [Event payload: 7]):
              User attributes:
                s:
                  a: 1
              Options:
                o1: [1, 2]: 
                  Field class: String:
                    User attributes:
                      s:
                        a: 1
                  User attributes:
                    opt:
                      z: 1
                o2: [3]: String
            User attributes:
              s:
                a: 1
          emptystruct: Structure (0 members):
            User attributes:
              s:
                a: 1
`

// TestAttributesShown finds the attributes in the lists of events and in the facts about the trace.
func TestAttributesShown(t *testing.T) {
	job, _, _ := sampleJob(&ctftest.Sample{Dir: attributedTrace()})
	var lines strings.Builder
	var fields []facts.Field
	if err := list(t.Context(), job, &report.ListOptions{Fields: true, Each: func(e *facts.Event) error {
		lines.Write(e.Line)
		fields = e.Fields
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	both := fields[slices.IndexFunc(fields, func(f facts.Field) bool { return f.Name == "both" })]
	if !json.Valid(both.Attributes) || string(both.TypeAttributes) != `{"s": {"a": 1}}` {
		t.Errorf("%s, %s", both.Attributes, both.TypeAttributes)
	}
	if want := "         fcattr                   unsigned, 32 bits\n" +
		"           attributes of the type: {\"fc\": {\"a\": 1}}\n"; !strings.Contains(lines.String(), want) {
		t.Errorf("no %q in\n%s", want, &lines)
	}
	i, err := info(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"attributes of the trace: {\"tr\"", "attributes of clock c: {\"ck\"",
		"attributes of stream 0: {\"sc\"", "precision 7 cycles", "clock c: \"desc\""} {
		if !strings.Contains(string(i.Text), want) {
			t.Errorf("no %q in\n%s", want, i.Text)
		}
	}
}
