#include <string>
#include <vector>
#include <map>
#include <memory>
#include <stdexcept>
#include <functional>
#include <cstdio>
namespace zoo { 
struct animal { std::string n; animal(const std::string&s):n(s){} virtual ~animal(){} virtual int legs() const { return 4; } };
struct bird : animal { bird(const std::string&s):animal(s){} int legs() const override { return 2; } };
template<class T> T twice(T x){ return x+x; }
template<class T,int N> struct arr { T d[N]; T get(int i) const { if(i>=N) throw std::out_of_range("arr"); return d[i]; } };
int thrower(int x){ if(x>2) throw std::runtime_error("big"); return x; }
int catcher(int x){ try { return thrower(x); } catch(std::exception&e){ return -1; } }
struct op { int v; bool operator<(const op&o) const { return v<o.v; } op operator+(const op&o) const { return {v+o.v}; } operator int() const { return v; } int operator()(int k){return k*v;} };
}
static int run(std::function<int(int)> f){ return f(3); }
int main(){ std::vector<std::unique_ptr<zoo::animal>> v; v.emplace_back(new zoo::bird("robin")); v.emplace_back(new zoo::animal("cat"));
 int t=0; for(auto&p:v) t+=p->legs(); t+=zoo::twice(3); t+=(int)zoo::twice(2.5); zoo::arr<int,3> a{{1,2,3}}; try{ t+=a.get(1); t+=a.get(7);}catch(...){ t++; }
 t+=zoo::catcher(1)+zoo::catcher(9); std::map<std::string,int> m; m["x"]=1; m["y"]=2; zoo::op o{1},q{2}; t+=(o<q); t+=int(o+q); t+=q(3); t+=run([&](int z){return z+t;}); printf("%d\n",t); return 0; }
