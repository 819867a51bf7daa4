#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum color { RED, GREEN = 5, BLUE };
enum flags { F_A = 1, F_B = 2, F_C = 8 };
struct pair { int a, b; };

int half(int n) { return n / 2; }
long wide(long n) { return -n; }
unsigned narrow(short s, signed char c, unsigned char u, unsigned n) { return s + c + u + n; }
char letter(char c) { return c + 1; }
double mixed(float f, double d, int i) { return f * d + i; }
enum color paint(enum color c, enum flags f) { return c == RED ? BLUE : RED; }
char *text(const char *s) { return strdup(s); }
struct pair both(struct pair p) { struct pair q = { p.b, p.a }; return q; }
void *where(void *p) { return p; }
static int callee(void) { return 1; }

int main(void)
{
	int i;
	for (i = -3; i < 4; i++)
		half(i * 50000);
	wide(1L << 40);
	wide(-7);
	narrow(-3, -4, 200, 4000000000u);
	letter('\n');
	letter('x');
	mixed(1.5f, -2.25, 3);
	paint(RED, F_A | F_C);
	paint(BLUE, 7);
	free(text("a \"quoted\" text\n"));
	text("");
	both((struct pair){ 1, -1 });
	where((void *)callee);
	where(0);
	return 0;
}
