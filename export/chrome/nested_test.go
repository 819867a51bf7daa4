package chrome_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/chrome"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// TestNested: structures are objects. Members that a record lacks are omitted.
func TestNested(t *testing.T) {
	r, err := tracec.NewReader(lttngtest.Nested(t), tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := chrome.Write(&out, r, chrome.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"a":{"x":-2,"s":"a\"b"},"b":[{"n":1,"tags":[5,6]},{"n":2,"tags":[7,8]}],"c":{"u":0,"f":2.5},"d":[["p","q"]]`,
		`"a":{"x":-2,"s":"a\"b"},"b":[{"n":1,"tags":[5,6]},{"n":2,"tags":[7]}]`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in:\n%s", want, out.String())
		}
	}
}
