/* Heat yardstick: random play on the default deck, one thread, one game after the other.
 *
 *   gcc -O3 -march=native -o heat heat.c -lm        (x86-64 with BMI2)
 *   ./heat PLAYERS GAMES [SEED]
 *
 * Hands are packed counters in 32 bits: one bit for a title with one copy, two bits for more. A uniform distinct title
 * is pdep(1 << r, non-zero fields). A record is its letter counts and its last two cards. */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CC=0, BP=1, CB=2, WS=3, FU=4, IN=5, TF=6, CS=7, DV=8, FG=9, KS=10, LV=11, UR=12, CD=13,
       LL=14, BJ=16, BI=18, HV=20, TL=22, SP=24, MM=26, IG=28, NONE=31 };
#define LOW   0x15557FFFu          /* low bits of all fields */
#define TWO   0x15554000u          /* low bits of the two-bit fields */
static const uint8_t DECK5[34] = { CC,BP,FU,IN,LL,LL,TF,CB,WS,BJ,BJ,BI,CS,HV,HV,TL,SP,DV,FG,KS,LV,UR,CD,MM,IG,
                                   BJ,BI,TL,SP,IG, LL,BI,HV,MM };
/* letters packed: A bits 0-7, B 8-15, C 16-23 ; heavies 24-31 */
static uint32_t LET[32];
static const uint8_t VALUE[16] = {0,1,1,2,2,2,3,3,3,3,4,4,4,4,4,5};

static uint64_t seed_state;
static inline uint64_t wy(void) {
    seed_state += 0xa0761d6478bd642full;
    __uint128_t t = (__uint128_t)seed_state * (seed_state ^ 0xe7037ed1a0b428dbull);
    return (uint64_t)(t >> 64) ^ (uint64_t)t;
}
/* several bounded numbers out of one 64-bit word (batched multiplication) */
static uint64_t pool; static int pool_left;
static inline uint32_t below(uint32_t n) {
    if (pool_left == 0) { pool = wy(); pool_left = 8; }   /* 34^8 < 2^41: bias < 2^-22 */
    pool_left--;
    __uint128_t t = (__uint128_t)pool * n;
    pool = (uint64_t)t;
    return (uint32_t)(t >> 64);
}

typedef struct { double money[5], final[5], heat[5], win[5], fin2[5], arrested, shortage, split, value; } Sums;

static inline uint32_t distinct(uint32_t h) { return (h | ((h >> 1) & TWO)) & LOW; }
static inline uint32_t pick(uint32_t h) {
    uint32_t m = distinct(h);
    return _pdep_u32(1u << below(__builtin_popcount(m)), m);
}

static inline __attribute__((always_inline)) void play(const int P, uint8_t *deck, const int N, Sums *S) {
    int money[5] = {0}, heat[5] = {0}, ignore[5] = {0};
    int shortage = 0, arrested = 0;
    for (int h = 0; h < 3 && !arrested; h++) {
        int k = 0;
        uint32_t hand[5], rec[5] = {0};
        uint8_t last[5], prev[5];
        memset(last, NONE, 5); memset(prev, NONE, 5);
#define DRAW ({ int j_ = k + below(N - k); uint8_t c_ = deck[j_]; deck[j_] = deck[k]; deck[k] = c_; k++; c_; })
        int tgt[5];
        for (int s = 0; s < P; s++) {
            tgt[s] = h == 1 ? (s + P - 1) % P : (s + 1) % P;
            hand[s] = 1u << DRAW; hand[s] += 1u << DRAW;
        }
        for (int r = 0; r < 3; r++) {
            uint32_t b[5];
            for (int s = 0; s < P; s++) { b[s] = pick(hand[s]); hand[s] -= b[s]; }
            for (int s = 0; s < P; s++) hand[tgt[s]] += b[s];
            for (int s = 0; s < P; s++) hand[s] += 1u << DRAW;
        }
        for (int g = 0; g < 4; g++) {
            uint8_t rev[5], act[5];
            uint32_t seen = 0;
            for (int s = 0; s < P; s++) {
                if (hand[s]) {
                    uint32_t b = pick(hand[s]);
                    hand[s] -= b; seen |= b;
                    int c = __builtin_ctz(b);
                    rev[s] = c; prev[s] = last[s]; last[s] = c; rec[s] += LET[c];
                } else rev[s] = NONE;
                act[s] = rev[s];
            }
            /* A1 (also where an old Copycat or switching card can come up: only through these) */
            if (seen & (1u << CC | 1u << BP | 1u << CB | 1u << WS)) {
                uint32_t used = 0;
                for (;;) {
                    int todo[5], n = 0, backups = 0;
                    for (int s = 0; s < P; s++) {
                        if (rev[s] == NONE) { act[s] = NONE; continue; }
                        int c = last[s];
                        act[s] = c == CC && rev[tgt[s]] != NONE ? rev[tgt[s]] : c;
                        if (act[s] >= BP && act[s] <= WS && !(used >> c & 1)) { todo[n++] = s; backups += act[s] == BP; }
                    }
                    if (!n) break;
                    int may = k + 3 * backups <= N;
                    for (int i = 0; i < n; i++) {
                        int s = todo[i], c;
                        used |= 1u << last[s];
                        if (act[s] == BP) {
                            if (!may) continue;
                            c = DRAW; hand[s] += 1u << DRAW; hand[s] += 1u << DRAW;
                        } else if (act[s] == CB) {
                            if (prev[s] != NONE) { uint8_t t = prev[s]; prev[s] = last[s]; last[s] = t; }
                            continue;
                        } else {
                            if (!hand[s]) continue;
                            uint32_t b = pick(hand[s]); hand[s] -= b; c = __builtin_ctz(b);
                        }
                        prev[s] = last[s]; last[s] = c; rec[s] += LET[c];
                    }
                }
            }
            uint32_t lrec[5];                       /* letters as they count in this Stage */
            int cnt[32] = {0}, gained[5] = {0}, returned = 0, wants[5] = {0}, need = 0;
            for (int s = 0; s < P; s++) {
                cnt[act[s]]++;
                lrec[s] = rec[s];
                if (act[s] != last[s] && act[s] != NONE) lrec[s] += LET[act[s]] - LET[CC];
            }
            for (int s = 0; s < P; s++) {
                int ret = 0;
                switch (act[s]) {
                case FU: case IG: ret = 1; break;
                case LL: ret = cnt[LL] > 1 ? 3 : 1; break;
                case MM: wants[s] = 2; need += 2; break;
                case IN: {
                    int least = 1;
                    for (int t = 0; t < P; t++) if (t != s && money[t] <= money[s]) least = 0;
                    if (least) gained[s] = 3; else { wants[s] = 1; need++; }
                } break;
                default: break;
                }
                if (ret > heat[s]) ret = heat[s];
                heat[s] -= ret; returned += ret > 0;
            }
            if (need && k + need <= N)
                for (int s = 0; s < P; s++) for (int i = 0; i < wants[s]; i++) hand[s] += 1u << DRAW;
            if (cnt[IN]) for (int s = 0; s < P; s++) money[s] += gained[s];
            /* B */
            if (cnt[CS]) for (int s = 0; s < P; s++) if (act[s] == CS && hand[s]) {
                uint32_t m = distinct(hand[s]);
                uint32_t n = __builtin_popcount(m), r = below(n + 1);
                if (r < n) {
                    uint32_t b = _pdep_u32(1u << r, m);
                    hand[s] -= b; int c = __builtin_ctz(b);
                    rec[s] += LET[c]; lrec[s] += LET[c];
                    if (prev[s] == NONE) prev[s] = c;
                    gained[s] = 3;
                }
            }
            int gain[5], pay[5], total = 0, sumheat = 0, heavies = 0;
            for (int s = 0; s < P; s++) heavies += lrec[s] >> 24;
            for (int s = 0; s < P; s++) {
                int b = lrec[s] >> 8 & 255, isb = 1;
                gain[s] = 0; pay[s] = 0;
                switch (act[s]) {
                case BJ: gain[s] = 2; pay[s] = cnt[BJ] == 1 ? 5 : 0; break;
                case BI: gain[s] = 1; pay[s] = 3; break;
                case CS: pay[s] = gained[s]; gained[s] = 0; break;
                case HV: gain[s] = heavies; pay[s] = 2 * b; break;
                case TL: pay[s] = 2; break;
                case SP: { int a = lrec[s] & 255, c = lrec[s] >> 16 & 255; if (b > a) a = b; pay[s] = c > a ? c : a; } break;
                default: isb = 0;
                }
                if (isb) gain[s] += cnt[FU];
                if (gain[s]) gain[s] += cnt[TF];
                if (ignore[s]) gain[s] = 0;
                total += gain[s]; sumheat += heat[s];
                ignore[s] = act[s] == TF;
            }
            if (total > 15) { arrested = 1; break; }
            while (15 - sumheat < total) {
                shortage = 1;
                for (int s = 0; s < P; s++) if (heat[s]) { heat[s]--; sumheat--; money[s] -= 3; }
            }
            int value = VALUE[sumheat + total], with = 0, top = 0, tops = 0, most = 0, four = 0;
            for (int s = 0; s < P; s++) {
                heat[s] += gain[s]; with += heat[s] > 0;
                if (heat[s] > top) { top = heat[s]; tops = 1; } else if (heat[s] == top) tops++;
                four += (gained[s] + pay[s]) >= 4;
            }
            if (cnt[MM]) for (int s = 0; s < P; s++) {
                int n = __builtin_popcount(hand[s] & LOW) + 2 * __builtin_popcount(hand[s] & ~LOW);
                if (n > most) most = n;
            }
            for (int s = 0; s < P; s++) {
                switch (act[s]) {
                case DV: pay[s] = heat[s] == top && tops == 1 ? 4 : 1; four += pay[s] == 4; break;
                case KS: pay[s] = with; four += with >= 4; break;
                case LV: pay[s] = total - gain[s]; four += pay[s] >= 4; break;
                case UR: pay[s] = heat[s] ? 1 : 3; break;
                case CD: pay[s] = value; four += value >= 4; break;
                case MM: { int n = __builtin_popcount(hand[s] & LOW) + 2 * __builtin_popcount(hand[s] & ~LOW);
                           pay[s] = n == most ? 2 : 0; } break;
                case IG: pay[s] = returned; four += returned >= 4; break;
                default: break;
                }
            }
            for (int s = 0; s < P; s++) {
                if (act[s] == FG) pay[s] = four ? 4 : 1;
                money[s] += pay[s];
            }
        }
    }
    int total = 0;
    for (int s = 0; s < P; s++) total += heat[s];
    int v = VALUE[total], best = -1000, n = 0;
    int key[5];
    for (int s = 0; s < P; s++) {
        int f = money[s] - v * heat[s];
        S->money[s] += money[s]; S->heat[s] += heat[s]; S->final[s] += f; S->fin2[s] += (double)f * f;
        key[s] = f * 16 - heat[s];
        if (key[s] > best || s == 0) { best = key[s]; n = 1; } else if (key[s] == best) n++;
    }
    if (!arrested) {
        for (int s = 0; s < P; s++) if (key[s] == best) S->win[s] += 1.0 / n;
        S->split += n > 1;
    }
    S->arrested += arrested; S->shortage += shortage; S->value += v;
}

int main(int argc, char **argv) {
    int P = argc > 1 ? atoi(argv[1]) : 3;
    long games = argc > 2 ? atol(argv[2]) : 1000000;
    seed_state = argc > 3 ? strtoull(argv[3], 0, 0) : 1;
    for (int i = 0; i < 32; i++) LET[i] = 0;
    const uint8_t as[] = {CC,BP,CB,WS,FU,IN,TF,LL}, bs[] = {CS,BJ,BI,HV,TL,SP}, cs[] = {DV,FG,KS,LV,UR,CD}, ac[] = {MM,IG};
    for (unsigned i = 0; i < sizeof as; i++) LET[as[i]] = 1;
    for (unsigned i = 0; i < sizeof bs; i++) LET[bs[i]] = 1 << 8;
    for (unsigned i = 0; i < sizeof cs; i++) LET[cs[i]] = 1 << 16;
    for (unsigned i = 0; i < sizeof ac; i++) LET[ac[i]] = 1 | 1 << 16;
    LET[HV] |= 1u << 24;
    int N = P == 3 ? 25 : P == 4 ? 30 : 34;
    uint8_t deck[34]; memcpy(deck, DECK5, 34);
    Sums S; memset(&S, 0, sizeof S);
    struct timespec a, b, ca, cb;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ca);
    if (P == 3) for (long i = 0; i < games; i++) play(3, deck, 25, &S);
    else if (P == 4) for (long i = 0; i < games; i++) play(4, deck, 30, &S);
    else for (long i = 0; i < games; i++) play(5, deck, N, &S);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cb);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double t = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec), n = games;
    double ct = (cb.tv_sec - ca.tv_sec) + 1e-9 * (cb.tv_nsec - ca.tv_nsec);
    printf("{\"players\": %d, \"games\": %ld, \"games_per_s\": %.0f, \"games_per_cpu_s\": %.0f", P, games, games / t, games / ct);
    const char *names[] = {"money_before_paying", "final", "heat", "win_share"};
    double *arr[] = {S.money, S.final, S.heat, S.win};
    for (int x = 0; x < 4; x++) {
        printf(", \"%s\": [", names[x]);
        for (int s = 0; s < P; s++) printf("%s%.5f", s ? ", " : "", arr[x][s] / n);
        printf("]");
    }
    printf(", \"sd_final\": [");
    for (int s = 0; s < P; s++) printf("%s%.5f", s ? ", " : "", sqrt(S.fin2[s] / n - pow(S.final[s] / n, 2)));
    printf("], \"arrested_share\": %.6f, \"shortage_share\": %.5f, \"split_win_share\": %.5f, \"heat_value_at_end\": %.5f}\n",
           S.arrested / n, S.shortage / n, S.split / n, S.value / n);
    return 0;
}
