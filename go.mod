module github.com/tracec/tracec

go 1.25.0
