// Package ust decodes a program's events from recordings of LTTng 2.13.
package ust

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -e zoo:* -pkg ust -o ust.go ../../../../testdata/ctf/lttng/lttng-2.13.ust-channels.tar.zst
