package uftrace

// H2: delete this file when spec.go is there.
func evaluate(r *Recording) {}

func payloadSize(specs []Spec, data []byte, bigEndian bool) (n int, ok bool) { return 0, false }
func (s Spec) String() string                                                { return "" }
