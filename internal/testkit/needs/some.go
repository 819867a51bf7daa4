package needs

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// Some returns n cases that are spread over list, and the whole list when the long proofs are asked
// for. The choice is the same in every run.
func Some[T any](t testing.TB, list []T, n int) []T {
	if len(list) <= n || LongProofs(t) {
		return list
	}
	return spread(list, n)
}

// Cases returns how many cases a test makes that could make any number: quick of them, or all when
// the long proofs are asked for.
func Cases(t testing.TB, quick, all int) int {
	if LongProofs(t) {
		return all
	}
	return quick
}

// Mutants returns the defaults of the flags -mutants and -mutants-seed, which the environment sets:
// see [MutantsVariable]. Without it they are 0, which leaves the number to the test, and 1.
func Mutants() (n int, seed uint64) {
	return int(number(MutantsVariable, 0)), number(SeedVariable, 1)
}

// number returns the number in a variable of the environment, or standard where it is not set.
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

// spread returns n elements of a list that has more, at equal distances, the first among them.
func spread[T any](list []T, n int) []T {
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}
