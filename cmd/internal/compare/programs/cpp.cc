#include <stdexcept>
#include <string>
#include <vector>
namespace shop {
template <class T> struct box {
	T value;
	explicit box(T v) : value(v) {}
	~box() {}
	T get() const { return value; }
	bool operator<(const box &o) const { return value < o.value; }
};
static int check(int n) { if (n > 2) throw std::runtime_error("too many"); return n; }
static int caught(int n) { try { return check(n); } catch (const std::exception &e) { return -1; } }
}
int main()
{
	std::vector<std::string> names;
	for (int i = 0; i < 4; i++) {
		shop::box<int> b(i);
		names.push_back(std::string(i, 'x'));
		shop::caught(b.get());
		auto f = [&](int n) { return b < shop::box<int>(n); };
		f(2);
	}
	return 0;
}
