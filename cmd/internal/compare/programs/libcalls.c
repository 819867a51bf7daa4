#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int sorted(int n)
{
	int list[] = { 5, 3, 8, 1, n };
	qsort(list, 5, sizeof(int), compare);
	return list[0];
}
int main(void)
{
	char text[64];
	snprintf(text, sizeof(text), "%d %s", sorted(4), getenv("HOME") ? "home" : "none");
	return strlen(text) == 0 || atoi(text) != 1;
}
