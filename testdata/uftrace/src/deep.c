/* deep.c: calls as an interpreter makes them, for cmd/internal/bench.  gcc -pg -g -O0 -o deep deep.c
 *
 *	deep ROUNDS     about 3,300 records a round, up to 40 calls deep
 *
 * A call of the interpreted program is four calls here. Between them there are instructions, one
 * function for each, and most of them call two more. There are 262 functions.
 */
#include <stdlib.h>

struct state {
	unsigned next; /* of the pseudo-random numbers */
	long heap, sum;
};

typedef long instruction(struct state *, long, const char *);

#define CALL __attribute__((noinline))
#define EIGHT(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7)
#define ALL(F) EIGHT(F, 0) EIGHT(F, 1) EIGHT(F, 2) EIGHT(F, 3) EIGHT(F, 4) EIGHT(F, 5) EIGHT(F, 6) EIGHT(F, 7)

static const char *const names[] = { "insert", "print", "node", "left", "right", "string", "length", "concat" };

#define HASH(n) CALL unsigned hash_##n(const char *name) { return name[0] * 31 + name[1]; }
#define FIND(n) CALL int find_##n(const char *name) { return hash_##n(name) % 8; }
#define NUMBER(n) CALL long number_##n(long value) { return value + 1##n; }
#define OP(n) \
	CALL long op_##n(struct state *s, long value, const char *name) \
	{ \
		if (value & 1) \
			s->sum += find_##n(name); \
		return s->sum += number_##n(value); \
	}
#define ENTRY(n) op_##n,

ALL(HASH)
ALL(FIND)
ALL(NUMBER)
ALL(OP)

static instruction *const instructions[] = { ALL(ENTRY) };

CALL void execute(struct state *s, int n);
CALL int prepare_call(struct state *s, const char *name, int n) { return find_00(name) + n; }
CALL void call_function(struct state *s, const char *name, int n)
{
	prepare_call(s, name, n);
	execute(s, n - 1);
}
CALL void call_value(struct state *s, const char *name, int n) { call_function(s, name, n); }
CALL void call_protected(struct state *s, const char *name, int n) { call_value(s, name, n); }

CALL long one_instruction(struct state *s, int at)
{
	s->next = s->next * 1664525 + 1013904223;
	return instructions[at & 63](s, s->next >> 8, names[at & 7]);
}

CALL void execute(struct state *s, int n)
{
	for (int i = 0; i < 5; i++)
		one_instruction(s, 6 * n + i);
	if (n <= 0)
		return;
	call_protected(s, names[n & 7], n);
	if (n % 3 != 0)
		call_value(s, names[n & 7], n - 1);
}

int main(int argc, char **argv)
{
	struct state s = { 1, 0, 0 };
	for (long i = atol(argv[1]); i > 0; i--)
		execute(&s, 9);
	return s.sum == 1;
}
