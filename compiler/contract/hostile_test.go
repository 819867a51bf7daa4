package contract_test

import (
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/gen"
)

// TestDamaged checks that damaged descriptions on either side are compared as far as possible, and
// that every event of both sides is in the result.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	whole := kernelsOf(t)[0]
	keys := slices.Sorted(maps.Keys(whole.formats))
	for range 200 {
		old, new := &kernel{"old", whole.target, map[string]string{}}, &kernel{"new", whole.target, map[string]string{}}
		for range 10 {
			key := keys[random.IntN(len(keys))]
			old.formats[key], new.formats[key] = whole.formats[key], whole.formats[key]
			for _, k := range []*kernel{old, new} {
				if random.IntN(2) == 0 {
					k.formats[key] = damaged(random, k.formats[key])
				}
			}
		}
		a, b := old.side(), new.side()
		d := contract.Compare(a, b, contract.Options{Layout: gen.Layout, Narrow: random.IntN(2) == 0,
			Optional: random.IntN(2) == 0})
		if n := len(d.Results); n < len(a.Events) || n < len(b.Events) {
			t.Errorf("%d results of %d and %d events", n, len(a.Events), len(b.Events))
		}
		if err := d.WriteText(io.Discard, contract.TextOptions{All: true}); err != nil {
			t.Error(err)
		}
		if text, err := json.Marshal(d.Document()); err != nil || !json.Valid(text) {
			t.Error(err)
		}
		_ = d.Findings()
	}
}

// damaged returns a text with some bytes cut out, repeated or replaced.
func damaged(random *rand.Rand, text string) string {
	b := []byte(text)
	for range 1 + random.IntN(5) {
		if len(b) < 2 {
			break
		}
		from := random.IntN(len(b))
		to := min(len(b), from+1+random.IntN(20))
		switch random.IntN(4) {
		case 0:
			b = slices.Delete(b, from, to)
		case 1:
			b = slices.Insert(b, from, slices.Clone(b[from:to])...)
		case 2:
			b[from] = byte(random.Uint32())
		default:
			b = b[:from]
		}
	}
	return string(b)
}
