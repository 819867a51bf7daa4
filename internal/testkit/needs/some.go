package needs

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// Some returns n cases that are spread over list, or the whole list if the long proofs are
// requested. The selection is the same in every run.
func Some[T any](t testing.TB, list []T, n int) []T {
	if len(list) <= n || LongProofs(t) {
		return list
	}
	return spread(list, n)
}

// Cases returns the number of cases for a test: quick, or all if the long proofs are requested.
func Cases(t testing.TB, quick, all int) int {
	if LongProofs(t) {
		return all
	}
	return quick
}

// Mutants returns the defaults of the flags -mutants and -mutants-seed from the environment: see
// [MutantsVariable]. If it is not set, they are 0, which leaves the number to the test, and 1.
func Mutants() (n int, seed uint64) {
	return int(number(MutantsVariable, 0)), number(SeedVariable, 1)
}

// number returns the number in an environment variable, or standard if it is not set.
func number(variable string, standard uint64) uint64 {
	text := os.Getenv(variable)
	if text == "" {
		return standard
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", variable, err))
	}
	return n
}

// spread returns n elements of a longer list, at equal distances, including the first.
func spread[T any](list []T, n int) []T {
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}
