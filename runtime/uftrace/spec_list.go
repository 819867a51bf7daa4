package uftrace

// SpecList is the list as a description: arg1/i32,arg2/s. It is what compilers get.
func SpecList(specs []Spec) string {
	var b []byte
	for i, s := range specs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, s.String()...)
	}
	return string(b)
}
