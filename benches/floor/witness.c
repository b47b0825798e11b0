/* Stands between a match runner and an engine, and writes down when each question came and when each answer left:
 * `witness ENGINE LOG.` Lines of LOG.PID, times in nanoseconds of CLOCK_MONOTONIC:
 *   p POSITION      the first `position` line of a game that a `go` followed
 *   g TIME WORD     a `go` was read; WORD is the last of the `position` line before it
 *   b TIME MILLIS   the `bestmove` is about to be written; MILLIS is the time of the engine's last `info` (-1: none)
 * A `g` without its `b`: the engine had not answered when it was killed. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
struct stream { int from, to; size_t len; char buf[1 << 17]; };
static FILE *log_file;
static char position[1 << 17];
static long millis = -1;
static int first = 1; /* no `go` of this game yet */
static long long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }
static void put(int to, const char *s, size_t n) { while (n) { ssize_t w = write(to, s, n); if (w <= 0) exit(0); s += w; n -= (size_t)w; } }
static int starts(const char *line, const char *word) { return !strncmp(line, word, strlen(word)); }
static void asked(const char *line, long long at) {
  if (starts(line, "go")) {
    char *word = strrchr(position, ' ');
    if (first) fprintf(log_file, "p %s\n", position);
    fprintf(log_file, "g %lld%s\n", at, word ? word : " ?");
    fflush(log_file);
    first = 0; millis = -1;
  } else if (starts(line, "position ")) { snprintf(position, sizeof position, "%s", line); }
  else if (starts(line, "ucinewgame")) first = 1;
}
static void answered(const char *line, long long at) {
  const char *time = starts(line, "info ") ? strstr(line, " time ") : NULL;
  if (time) millis = atol(time + 6);
  if (starts(line, "bestmove")) { fprintf(log_file, "b %lld %ld\n", at, millis); fflush(log_file); }
}
/* Passes whole lines on; the stamp is that of the read for questions, that of the write for answers. 0 at the end. */
static int pass(struct stream *s, int question) {
  ssize_t r = read(s->from, s->buf + s->len, sizeof s->buf - 1 - s->len);
  if (r <= 0) return 0;
  long long read_at = now();
  s->len += (size_t)r;
  char *end = memrchr(s->buf, '\n', s->len);
  if (!end) return s->len < sizeof s->buf - 1;
  size_t whole = (size_t)(end - s->buf) + 1;
  long long at = question ? read_at : now();
  put(s->to, s->buf, whole);
  for (char *line = s->buf; line < s->buf + whole;) {
    char *stop = memchr(line, '\n', whole - (size_t)(line - s->buf));
    *stop = 0;
    if (question) asked(line, at); else answered(line, at);
    line = stop + 1;
  }
  memmove(s->buf, s->buf + whole, s->len - whole);
  s->len -= whole;
  return 1;
}
int main(int argc, char **argv) {
  if (argc < 3) return 1;
  static char path[4096];
  snprintf(path, sizeof path, "%s%d", argv[2], (int)getpid());
  log_file = fopen(path, "w");
  int in[2], out[2];
  if (!log_file || pipe(in) || pipe(out)) return 1;
  signal(SIGPIPE, SIG_IGN);
  if (!fork()) {
    dup2(in[0], 0); dup2(out[1], 1); close(in[0]); close(in[1]); close(out[0]); close(out[1]);
    execlp(argv[1], argv[1], (char *)0);
    _exit(1);
  }
  close(in[0]); close(out[1]);
  static struct stream questions, answers;
  questions.from = 0; questions.to = in[1];
  answers.from = out[0]; answers.to = 1;
  for (;;) {
    struct pollfd both[2] = { { 0, POLLIN, 0 }, { out[0], POLLIN, 0 } };
    if (poll(both, 2, -1) < 0) break;
    if (both[1].revents && !pass(&answers, 0)) break;
    if (both[0].revents && !pass(&questions, 1)) break;
  }
  return 0;
}
