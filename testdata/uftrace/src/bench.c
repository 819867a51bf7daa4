/* bench.c: many calls, for cmd/internal/bench.  gcc -pg -g -O0 -pthread -o bench bench.c
 *
 *	bench CALLS [THREADS]     CALLS of each of two nested functions in all, 4 records a pair, and a few more
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

__attribute__((noinline)) int leaf(int i) { return i + 1; }
__attribute__((noinline)) int node(int i) { return leaf(i) + 2; }

static long calls;

__attribute__((noinline)) void *work(void *arg)
{
	int sum = 0;
	for (long i = 0; i < calls; i++) {
		sum += node((int)i);
		if (i % 256 == 255)
			sched_yield(); /* threads take turns, so that a reader has to merge */
	}
	return (void *)(long)sum;
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	calls = atol(argv[1]) / threads;
	if (threads == 1)
		return work(NULL) == (void *)1;
	pthread_t *t = malloc(threads * sizeof *t);
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return 0;
}
