/* gcc -shared -nostdlib -fPIC -fno-plt -O1 -Wl,-z,noseparate-code,-z,max-page-size=512,--build-id=none -o got.so symbols.c -lc
   gcc -shared -nostdlib -fPIC -O1 -Wl,-z,noseparate-code,-z,max-page-size=512,--build-id=none -o plt.so symbols.c -lc */
extern int puts(const char *);
extern char *getenv(const char *);
int _impl(int a) { return a + puts("x"); }
int open_it(int a) __attribute__((alias("_impl")));
int __first(int a) { return getenv("X") ? a : 0; }
int _ZTH1x(int a) { return a * 2; }
int _ZTW1x(int a) { return a * 3; }
