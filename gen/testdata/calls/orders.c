/* orders.c: what gen's tests of calls record. -DFRONT puts another function in front, so that all addresses move, and gives
   price two more arguments that decoders compiled before do not know. */
#include <stdio.h>
#include <stdlib.h>

enum state { OPEN, PAID = 5, LOST };
struct pair { int a, b; };

#ifdef FRONT
static volatile long pad[100];
__attribute__((noinline)) long front(long n) { for (int i = 0; i < 100; i++) pad[i] += n * i; return pad[7]; }
#endif

__attribute__((noinline)) long order(const char *name, int count, unsigned char kind) { return (long)count * kind - 1000000; }
__attribute__((noinline)) double price(int count, double each) { return count * each; }
__attribute__((noinline)) const char *describe(enum state s, const char *a, const char *b) { return s == PAID ? a : b; }
__attribute__((noinline)) void *keep(void *p, unsigned long size) { return p; }
__attribute__((noinline)) int sum(struct pair p) { return p.a + p.b; }

int main(void)
{
#ifdef FRONT
	front(3);
#endif
	for (int i = 0; i < 3; i++) {
		char name[32];
		snprintf(name, sizeof name, "item%.*s%d", i, "-----", i);
		order(name, -i, 200 + i);
		price(i, 2.5);
		describe(i == 1 ? PAID : OPEN, name, "");
		keep(name, 1ul << 31);
		sum((struct pair){ i, 40 });
	}
	return 0;
}
