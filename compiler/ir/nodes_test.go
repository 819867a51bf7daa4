package ir

import "testing"

// asked is a value that counts the calls of its Type method.
type asked struct {
	*Local
	n *int
}

func (a asked) Type() Type {
	*a.n++
	return a.Local.Type()
}

// TestTypeOfChains checks that the type of a sum is not computed from its first operand again and
// again.
func TestTypeOfChains(t *testing.T) {
	n := 0
	var sum Value = asked{&Local{T: U32}, &n}
	for range 1000 {
		sum = NewBinary(OpAdd, sum, &Const{T: U32, V: 1})
		if got := sum.Type(); got != U32 {
			t.Fatalf("a sum of U32 is %v", got)
		}
	}
	if n != 1 {
		t.Errorf("the first operand was asked %d times", n)
	}
	if got := NewBinary(OpLt, sum, sum).Type(); got != I32 {
		t.Errorf("a comparison is %v", got)
	}
}
