package demangle

import "testing"

// TestSimple: the table of uftrace.md 2.8.
func TestSimple(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"_ZN4shop4itemD0Ev", "shop::item::~item"},
		{"_ZN1AC2Ev", "A::A"},
		{"_ZN5outer5innerIiLi3EE3getEv", "outer::inner::get"},
		{"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::operator<<"},
		{"_ZNKSt8functionIFiiEEclEi", "std::function::operator()"},
		{"_ZN3foocvbEv", "foo::operator(cast)"},
		{"_ZZ4mainENKUliiE_clEii", "main::$_0::operator()"},
		{"_ZdlPvm", "operator delete"},
		{"_ZnwmPv", "operator new"},
		{"_ZN12_GLOBAL__N_13fooEv", "_GLOBAL__N_1::foo"},
		{"_ZThn16_N3foo3barEv", "foo::bar"},
		{"_ZN3foo3barEv.part.0", "foo::bar"},
		{"_ZGVZN3foo3barEvE1x", "__guard_variable__foo::bar::x"},
		{"_ZN3fooB5cxx11Ev", "foo::cxx11"},
		{"_GLOBAL__sub_I__ZN3foo3barEv", "_GLOBAL__sub_I_foo::bar"},
		{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"_Znothing", "_Znothing"},
		{"main", "main"},
		{"", ""},
	} {
		if got := Simple(c.name); got != c.want {
			t.Errorf("Simple(%s) = %s, want %s", c.name, got, c.want)
		}
	}
}
