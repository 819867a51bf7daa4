package shell

import "testing"

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"": "''", "sched:sched_switch": "sched:sched_switch", "a b": "'a b'", "it's": `'it'\''s'`,
		"sched:*": "'sched:*'", "$x": "'$x'",
	} {
		if got := Quote(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
