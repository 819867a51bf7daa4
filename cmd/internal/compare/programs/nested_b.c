#include <stdlib.h>
#include <unistd.h>
int leaf(int n);
int c(int n) { leaf(n); if (n == 3) usleep(1500); return n; }
int b(int n) { free(malloc(n + 1)); leaf(n); return c(n) + leaf(n); }
