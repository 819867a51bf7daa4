package needs

import "testing"

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

// spread returns n elements of a list that has more, at equal distances, the first among them.
func spread[T any](list []T, n int) []T {
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}
