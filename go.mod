module github.com/tracec/tracec

go 1.25.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
