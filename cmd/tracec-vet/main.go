// Command tracec-vet checks programs that use generated decoders. It runs under go vet:
//
//	go vet -vettool=$(which tracec-vet) ./...
//
// [lifetime] reports records and events that are kept after their callback returned. tracec-vet help lists the analyzers.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/tracec/tracec/gen/lifetime"
)

func main() { unitchecker.Main(lifetime.Analyzer) }
