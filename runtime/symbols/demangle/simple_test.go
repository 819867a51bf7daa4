package demangle

import "testing"

// TestSimple checks the table of uftrace.md 2.8.
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
		{
			"_RINvNtNtCsduwmD7cSIQq_5gimli4read4unit15parse_attributeINtNtB4_12endian_slice11EndianSliceNtNtB6_9endianity12LittleEndianEECsjrHSEGnQ3l9_3std",
			"gimli::read::unit::parse_attribute<gimli::read::endian_slice::EndianSlice<gimli::endianity::LittleEndian>>",
		},
		{"_RNvMs6_NtNtCsduwmD7cSIQq_5gimli4read6abbrevNtB5_10Attributes4push",
			"<gimli::read::abbrev::Attributes>::push"},
		{"_Znothing", "_Znothing"},
		{"main", "main"},
		{"", ""},
	} {
		if got := Simple(c.name); got != c.want {
			t.Errorf("Simple(%s) = %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSimpleQuirks checks the output of uftrace 0.13, tried with recordings of 550,000 symbols of
// the libraries of a Debian system.
func TestSimpleQuirks(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"_ZTVN10__cxxabiv117__class_type_infoE", "__vtable____cxxabiv1::__class_type_info"},
		{"_ZTI1A", "__typeinfo_name__A"},
		{"_ZTS1A", "__typeinfo__A"},
		{"_ZTC1B0_1A", "__construction_vtable__B"},
		{"_ZTVSt9exception@GLIBCXX_3.4", "_ZTVSt9exception@GLIBCXX_3.4"},
		{"_ZTISt13runtime_error@GLIBCXX_3.4", "_ZTISt13runtime_error@GLIBCXX_3.4"},
		{"_ZGVZN3foo3barEvE1x@V1", "_ZGVZN3foo3barEvE1x@V1"},
		{"_ZTC3foo0_3bar@V2", "_ZTC3foo0_3bar@V2"},
		{"_ZSt4cout@GLIBCXX_3.4", "std::cout"},
		{"_ZThn16_N3foo3barEv@V1", "foo::bar"},
		{"_ZTv0_n24_NSt9basic_iosIcSt11char_traitsIcEED1Ev@GLIBCXX_3.4", "std::basic_ios::~basic_ios"},
		{"_ZTSZ4mainEUliE0_", "__typeinfo__main"},
		{"_ZTIZN3ns13bazEvEUlvE_", "__typeinfo_name__ns1::baz"},
		{"_ZTVZ4mainEUliE_", "__vtable__main"},
		{"_ZTIN1AUliE_E", "__typeinfo_name__A"},
		{"_ZTIPK3foo", "__typeinfo_name__foo"},
		{"_ZTIA4_3foo", "__typeinfo_name__foo"},
		{"_ZTH1x", "TLS_init::x"},
		{"_ZTWN3foo1xE", "TLS_wrap::foo::x"},
		{"_ZGR3foo_", "__ref_temp__foo"},
		{"_ZGTtdlPv", "operator delete"},
		{"_ZNSt8ios_base7failureB5cxx11D2Ev", "std::ios_base::failure::cxx11::~cxx11"},
		{"_ZN6icu_726number4impl10MicroPropsUt_D2Ev", "icu_72::number::impl::MicroProps::~MicroProps"},
		{"_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17hcd82c73314b01155E", "_<&T as core..fmt..Debug>::fmt"},
		{"_ZN1a17h0123456789abcdefE.llvm.1", "a"},
		{"_ZN1a17h0123456789abcdXfE", "a::h0123456789abcdXf"},
		{"_ZN8ab$XX$cd3fooEv", "abab$XX$cd::foo"}, // a dollar sign that begins no escape
		{"_ZN17ab$LT$cd$XX$e$GT$3fooEv", "ab<cdcd$XX$e$GT$::foo"},
		{"_Z2a$v", "aa$"},
		{"_ZNSaIcED2Ev", "std::allocator::~allocator"},
		{"_ZNSolsEm", "std::basic_ostream::operator<<"},
		{"_ZNSiC2Ev", "std::basic_istream::basic_istream"},
		{"_ZNSdD1Ev", "std::basic_iostream::~basic_iostream"},
		{"_ZNSs6appendEPKc", "std::basic_string<>::append"},
		{"_ZNSsC1Ev", "std::basic_string<>::basic_string<>"},
		{"_ZNSs12_Alloc_hiderC1Ev", "std::basic_string<>::_Alloc_hider::_Alloc_hider"},
		{"_ZNSbIwE6appendEv", "std::basic_string::append"},
		{"_Zli3_kby", `operator""`},
	} {
		if got := Simple(c.name); got != c.want {
			t.Errorf("Simple(%s) = %s, want %s", c.name, got, c.want)
		}
	}
}

// TestFull compares with the C++ library.
func TestFull(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"_ZNK3Foo3barIiEEvT_", "void Foo::bar<int>(int) const"},
		{"_ZdlPvm", "operator delete(void*, unsigned long)"},
		{"_ZN4core3fmt3pad17h0123456789abcdefE", "core::fmt::pad::h0123456789abcdef"},
		{"_ZNSt15__uniq_ptr_dataI1ASt14default_deleteIS0_ELb1ELb1EECI2St15__uniq_ptr_implIS0_S2_EEPS0_",
			"std::__uniq_ptr_data<A, std::default_delete<A>, true, true>::__uniq_ptr_impl(A*)"},
		{"_Z1fI1BI1AEJEEvv", "void f<B<A>>()"},
		{"_Z1fI1BI1AEJEJEEvv", "void f<B<A>>()"},
		{"_Z1fI1AJEvEvv", "void f<A, , void>()"},
		{"_Z1fI1BI1AEEvv", "void f<B<A> >()"},
		{"_Znothing", "_Znothing"},
		{"main", "main"},
	} {
		if got := Full(c.name); got != c.want {
			t.Errorf("Full(%s) = %s, want %s", c.name, got, c.want)
		}
	}
}
