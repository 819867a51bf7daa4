package main

// target is a system that README promises.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "-" + t.arch }

// targets are built for every release, in this order.
var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"linux", "386"}, {"linux", "s390x"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
	{"freebsd", "amd64"}, {"freebsd", "arm64"},
	{"aix", "ppc64"},
}
