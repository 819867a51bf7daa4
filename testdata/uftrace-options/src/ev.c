#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
enum big { BIG_ZERO, BIG_A = 0x100000000LL, BIG_B = 0x7fffffffffffffffLL, BIG_NEG = -5000000000LL };
enum neg { NEG_A = -3, NEG_B = -1, POS = 7 };
enum flg { FL_A = 1, FL_B = 2, FL_C = 4, FL_X = 0x80000000 };
int gvar;
enum big mkbig(enum big b) { return b == BIG_A ? BIG_NEG : BIG_A; }
enum neg mkneg(enum neg n) { return n; }
enum flg mkflg(enum flg f) { return f; }
long fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
int add(int a, unsigned long b, const char *s) { gvar += a; return a + (int)b + s[0]; }
double fl(double d, float f) { return d * f; }
char chr(char c) { return c; }
void *ptr(void *p) { return p; }
int deep(int n, int sz) { char *p = malloc(sz); int r = 0; if (n) r = deep(n-1, sz*2); free(p); if (n == 2) usleep(200); return r + n; }
int main(int c, char **v) {
	int i; 
	mkbig(BIG_A); mkbig(BIG_ZERO); mkbig(BIG_B); mkbig(BIG_NEG);
	mkneg(NEG_A); mkneg(NEG_B); mkneg(POS); mkflg(5); mkflg(FL_X|1); mkflg(0);
	fib(5);
	for (i = -2; i < 4; i++) add(i, i * 1000L, i & 1 ? "odd\t\"q\\" : "even\n\x1b[31m");
	fl(1.5, 2.25f); chr('x'); chr('\n'); ptr(main); ptr(0); ptr(&gvar);
	deep(5, 16);
	return 0;
}
