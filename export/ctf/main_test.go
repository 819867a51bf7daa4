package ctf_test

import (
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

func TestMain(m *testing.M) { needs.Main(m) }
