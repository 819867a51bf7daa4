package columns_test

import (
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
)

// TestForms checks the forms of the fields of an event, and their values by form.
func TestForms(t *testing.T) {
	rec, err := tracec.Open(t.Context(), "../../testdata/ftrace/amd64-syscalls.dat")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := rec.Reader(t.Context(), tracec.WithEvents("irq:softirq_raise", "sched:sched_switch"))
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]columns.Form{
		"vec": columns.UnsignedForm, "vec_name": columns.TextForm, "prev_comm": columns.TextForm,
		"prev_pid": columns.SignedForm, "prev_state": columns.SignedForm,
	}
	seen := map[string]bool{}
	for ev := range r.All() {
		list := columns.Members(ev.Type)
		for i := range list {
			c := &list[i]
			want, ok := forms[c.Name]
			if !ok {
				continue
			}
			seen[c.Name] = true
			if c.Form() != want || c.Decl() == "" {
				t.Fatalf("%s: form %d, want %d, declared as %q", c.Name, c.Form(), want, c.Decl())
			}
			text, ok := c.AppendBytes([]byte("x"), ev)
			if want == columns.TextForm && (!ok || len(text) < 2) {
				t.Fatalf("%s: %q, %v", c.Name, text, ok)
			}
			if _, ok := c.Integer(ev); !ok && want != columns.TextForm {
				t.Fatalf("%s: no integer", c.Name)
			}
		}
	}
	if len(seen) != len(forms) || r.Err() != nil {
		t.Errorf("only %v, %v", seen, r.Err())
	}
}
