package mutate

import (
	"bytes"
	"testing"
)

// TestReduce: of many changes, the two essential ones remain, and the part of the input that they
// need.
func TestReduce(t *testing.T) {
	intact := Tree{"a": bytes.Repeat([]byte("intact "), 100), "b": []byte("also"), "c": []byte("other")}
	damaged := intact.Clone()
	damaged["a"] = bytes.Clone(intact["a"])
	for i := 0; i < 700; i += 35 {
		damaged["a"][i] = 'X'
	}
	damaged["a"][350], damaged["a"][420] = 'Y', 'Z'
	delete(damaged, "b")
	fails := func(t Tree) bool {
		y, z := bytes.IndexByte(t["a"], 'Y'), bytes.IndexByte(t["a"], 'Z')
		return y >= 0 && z > y
	}
	edits := Reduce(intact, damaged, false, 1000, fails)
	if n := bytes.Count(edits["a"], []byte("X")); n != 0 || len(edits) != 3 || len(edits["a"]) != 700 || !fails(edits) {
		t.Errorf("%d changes too many, %d files", n, len(edits))
	}
	small := Reduce(intact, damaged, true, 1000, fails)
	if len(small) != 1 || string(small["a"]) != "YZ" {
		t.Errorf("%q", small)
	}
	if got := Reduce(intact, damaged, true, 3, fails); !fails(got) {
		t.Error("what is left after few tries does not fail")
	}
}

// TestDifference: the changes, applied to the intact input, give the damaged input.
func TestDifference(t *testing.T) {
	intact := Tree{"": []byte("0123456789abcdefghijklmnopqrstuvwxyz"), "x": []byte("x"), "y": nil}
	for _, damaged := range []Tree{
		{"": []byte("0123456789abcdefghijklmnopqrstuvwxyz"), "x": []byte("x"), "y": nil},
		{"": []byte("0123X56789abcdefghijklmnopqrstuvXXyz"), "x": []byte("x"), "y": []byte("new")},
		{"": []byte("0123456ghijklmnopqrstuvwxyz"), "z": []byte("z")},
		{"": []byte("0123456789abcabcdefghijklmnopqrstuvwxyz")},
		{"": nil},
	} {
		if got := apply(intact, difference(intact, damaged)); !equal(got, damaged) {
			t.Errorf("%q, want %q", got, damaged)
		}
	}
}
