/* The rest of a trial of Hammer of the Scots, compiled: what pbem/games/hammer/bots/foresight does in Python, number by number.

   Python is the reference. Each function has the name of its Python function; sums are added in the same order, ties go to the same
   block, and the dice are the same, so the result is the same to the last bit. tests/hammer/test_native.py compares both.

   setup(tables) hands over board and blocks once. finish(...) reads a small model, lets sides act, ends the turn, and returns
   the hope of the English. Compile with -ffp-contract=off: a fused multiplication would round otherwise. */

#define Py_LIMITED_API 0x030B0000 /* one wheel for each Python from 3.11 on */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define AREAS 32
#define BLOCKS 64
#define WAYS_MOST 64
#define NEAR_MOST 12
#define IDEAS_MOST 8192
#define FEATURES_MOST 96
enum { ENGLISH, SCOTS };
enum { POOL = -1, OFF = -2, DEAD = -3 };
enum { HERALD = 4, VICTUALS = 5, TRUCE = 6, OTHER_EVENT = 7 };
#define CERTAIN 1000000
#define ROUNDS 3
#define FAR_OFF 8
#define CARDS_MOST 32

typedef struct { int start, length, route[3], limit, end, via; } Way;

/* what is printed, and the weights */
static int areas, blocks, england, selkirk, edward, wallace, king, moray, norse, french, north, south, ready;
static int letter[BLOCKS], rating[BLOCKS], most[BLOCKS], pace[BLOCKS], cross[BLOCKS], celt[BLOCKS], turns[BLOCKS], infantry[BLOCKS];
static int owner[BLOCKS], home[BLOCKS][2], homes_of[BLOCKS];
static int turning[BLOCKS], nobles_count;
static double force_of[BLOCKS];
static int limits[2][AREAS], near[AREAS][NEAR_MOST], near_count[AREAS], lives[AREAS], inland[AREAS], limit_of[AREAS][AREAS];
static int churches[AREAS], churches_count, coasts[AREAS], coasts_count;
static int beside_most[AREAS][NEAR_MOST], two_away[AREAS][AREAS], two_count[AREAS];
static Way ways[AREAS][WAYS_MOST], short_ways[AREAS][WAYS_MOST];
static int ways_count[AREAS], short_count[AREAS];
static double nearby[AREAS][AREAS];
static double weight[FEATURES_MOST][3], at_first[3];
static int features_count, english_lost, scottish_lost;

typedef struct {
    int8_t at[BLOCKS], st[BLOCKS], side[BLOCKS];
    int8_t men[2][AREAS][BLOCKS], count[2][AREAS];
    int8_t attacker[AREAS], shut[AREAS][AREAS];
    uint64_t late;
    int year, left, last, edward, wintered, truce, winner;
} Game;

#define BIT(b) ((uint64_t)1 << (b))

/* dice */

typedef struct { uint64_t at; } Dice;

static double thrown(Dice *dice) {
    uint64_t z = (dice->at += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

/* model */

static int is_home(int b, int area) {
    for (int i = 0; i < homes_of[b]; i++)
        if (home[b][i] == area) return 1;
    return 0;
}

static void take_out(Game *g, int b) {
    int side = g->side[b], area = g->at[b], n = g->count[side][area];
    int8_t *there = g->men[side][area];
    for (int i = 0; i < n; i++)
        if (there[i] == b) {
            memmove(there + i, there + i + 1, (size_t)(n - i - 1));
            g->count[side][area]--;
            return;
        }
}

static void put_in(Game *g, int side, int area, int b) { g->men[side][area][g->count[side][area]++] = (int8_t)b; }

static void place(Game *g, int b, int area, int strength) {
    g->at[b] = (int8_t)area;
    g->st[b] = (int8_t)strength;
    put_in(g, g->side[b], area, b);
}

static void take(Game *g, int b, int to) {
    take_out(g, b);
    g->at[b] = (int8_t)to;
    g->st[b] = 0;
}

static void go(Game *g, int b, int to) {
    take_out(g, b);
    put_in(g, g->side[b], to, b);
    g->at[b] = (int8_t)to;
}

static void turn_over(Game *g, int b) {
    take_out(g, b);
    g->side[b] = (int8_t)(1 - g->side[b]);
    put_in(g, g->side[b], g->at[b], b);
}

static int following(const Game *g) {
    int scots = 0;
    for (int i = 0; i < nobles_count; i++) scots += g->side[turning[i]];
    return scots;
}

static int lead_in_nobles(const Game *g) { return nobles_count - 2 * following(g) - (g->at[moray] >= 0); }

static void decide(Game *g) {
    int lead = lead_in_nobles(g);
    if (lead == nobles_count) g->winner = ENGLISH;
    else if (lead <= -nobles_count) g->winner = SCOTS;
}

static void count_nobles(Game *g) {
    int lead = lead_in_nobles(g);
    g->winner = lead ? lead < 0 : g->at[wallace] >= 0;
}

static void forget(Game *g) {
    memset(g->attacker, -1, sizeof g->attacker);
    memset(g->shut, -1, sizeof g->shut);
    g->late = 0;
    g->truce = -1;
}

/* combat */

static double power(const Game *g, const int8_t *there, int n, int area) {
    int steps = 0;
    double force = 0.0;
    for (int i = 0; i < n; i++) {
        int b = there[i];
        steps += g->st[b];
        force += g->st[b] * (area >= 0 && turns[b] && is_home(b, area) ? force_of[b] + 1 : force_of[b]);
    }
    return steps * force;
}

typedef struct {
    Game *g;
    Dice *dice;
    int area, attacker;
    int8_t front[2][BLOCKS];
    int count[2];
} Fight;

static int in_line(const int8_t *line, int n, int b) {
    for (int i = 0; i < n; i++)
        if (line[i] == b) return 1;
    return 0;
}

static void leave_line(Fight *f, int side, int b) {
    for (int i = 0; i < f->count[side]; i++)
        if (f->front[side][i] == b) {
            memmove(f->front[side] + i, f->front[side] + i + 1, (size_t)(f->count[side] - i - 1));
            f->count[side]--;
            return;
        }
}

static void unity(Fight *f, const int8_t *line, int n) {
    for (int i = 0; i < n; i++)
        if (celt[line[i]] && thrown(f->dice) * 3 < 1) take(f->g, line[i], POOL);
    int kept = 0;
    for (int i = 0; i < f->count[ENGLISH]; i++)
        if (f->g->at[f->front[ENGLISH][i]] == f->area) f->front[ENGLISH][kept++] = f->front[ENGLISH][i];
    f->count[ENGLISH] = kept;
}

static void eliminate(Game *g, int b) {
    if (turns[b]) {
        turn_over(g, b);
        g->st[b] = 1;
    } else if (b == king) g->winner = ENGLISH;
    else if (b == edward && g->edward > 1) g->winner = SCOTS;
    else if (b == edward) {
        take(g, b, POOL);
        g->edward = 2;
    } else take(g, b, cross[b] ? DEAD : POOL);
}

static int refuge(const Game *g, int b, int area) {
    int side = g->side[b], found = -1;
    double best = -1.0;
    if (b == norse) {
        for (int a = 0; a < areas; a++)
            if (g->count[side][a] && a != area && a != england && !g->count[1 - side][a]) return a;
        return -1;
    }
    for (int i = 0; i < near_count[area]; i++) {
        int to = near[area][i];
        if (g->count[1 - side][to] || to == england || (g->shut[area][to] >= 0 && g->shut[area][to] != side)) continue;
        if (side == ENGLISH && area == england) continue;
        double value = 2.0 * is_home(b, to) + limits[side][to] * 0.3 + 0.4 * (g->count[side][to] > 0) + 0.5 * (lives[to] > 0);
        if (value > best) best = value, found = to;
    }
    return found;
}

static int flee(Fight *f, int b) {
    int to = refuge(f->g, b, f->area);
    if (to >= 0) go(f->g, b, to);
    return to >= 0;
}

static uint64_t fleeing_in(const Fight *f, int round) {
    static const double FLEE[2][2] = {{0.5, 0.5}, {0.9, 0.5}};
    const Game *g = f->g;
    uint64_t found = 0;
    for (int side = 0; side < 2; side++) {
        const int8_t *foe = g->men[1 - side][f->area], *mine = g->men[side][f->area];
        int foes = g->count[1 - side][f->area], ours_count = g->count[side][f->area];
        double theirs = power(g, foe, foes, side == f->attacker ? f->area : -1);
        double ours = power(g, mine, ours_count, side == f->attacker ? -1 : f->area);
        if (ours < FLEE[side][side != f->attacker] * theirs)
            for (int i = 0; i < ours_count; i++) found |= BIT(mine[i]);
        if (ours < 1.1 * theirs)
            for (int i = 0; i < ours_count; i++)
                if (mine[i] == king || (mine[i] == edward && g->edward > 1)) found |= BIT(mine[i]);
    }
    if (round == ROUNDS - 1)
        for (int i = 0; i < g->count[f->attacker][f->area]; i++) found &= ~BIT(g->men[f->attacker][f->area][i]);
    return found;
}

static void fire(Fight *f, int b, int side) {
    Game *g = f->g;
    int rated = rating[b] + (turns[b] && side != f->attacker && is_home(b, f->area)), strength = g->st[b], sides = 1, hits = 0;
    for (int i = 0; i < strength; i++) sides *= 6;
    int fallen = (int)(thrown(f->dice) * sides);
    for (int i = 0; i < strength; i++, fallen /= 6) hits += fallen % 6 + 1 <= rated;
    int foe = 1 - side;
    while (hits--) {
        if (!f->count[foe]) return;
        int victim = f->front[foe][0];
        for (int i = 1; i < f->count[foe]; i++) {
            int c = f->front[foe][i];
            if (g->st[c] != g->st[victim] ? g->st[c] > g->st[victim]
                : turns[c] != turns[victim] ? turns[c] < turns[victim] : rating[c] < rating[victim]) victim = c;
        }
        if (!--g->st[victim]) {
            leave_line(f, foe, victim);
            eliminate(g, victim);
        }
    }
}

static void one_round(Fight *f, int round) {
    Game *g = f->g;
    uint64_t fleeing = fleeing_in(f, round);
    for (int turn = 0; turn < 6; turn++) {
        int side = turn % 2 ? f->attacker : 1 - f->attacker, n = 0;
        int8_t acting[BLOCKS];
        for (int i = 0; i < f->count[side]; i++)
            if (letter[f->front[side][i]] == turn / 2) acting[n++] = f->front[side][i];
        for (int i = 0; i < n; i++) {
            int b = acting[i];
            if (!in_line(f->front[side], f->count[side], b)) continue;
            if (fleeing & BIT(b) && flee(f, b)) leave_line(f, side, b);
            else if (f->count[1 - side]) {
                fire(f, b, side);
                if (g->winner >= 0) return;
            }
        }
    }
}

static void fight(Game *g, int area, Dice *dice) {
    Fight f = {.g = g, .dice = dice, .area = area, .attacker = g->attacker[area] >= 0 ? g->attacker[area] : ENGLISH};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < g->count[side][area]; i++)
            if (!(g->late & BIT(g->men[side][area][i]))) f.front[side][f.count[side]++] = g->men[side][area][i];
    int8_t line[BLOCKS];
    int n = f.count[ENGLISH];
    memcpy(line, f.front[ENGLISH], (size_t)n);
    unity(&f, line, n);
    for (int round = 0; round < ROUNDS; round++) {
        if (round) {
            n = 0;
            for (int i = 0; i < g->count[ENGLISH][area]; i++)
                if (!in_line(f.front[ENGLISH], f.count[ENGLISH], g->men[ENGLISH][area][i])) line[n++] = g->men[ENGLISH][area][i];
            for (int side = 0; side < 2; side++) {
                f.count[side] = g->count[side][area];
                memcpy(f.front[side], g->men[side][area], (size_t)f.count[side]);
            }
            unity(&f, line, n);
        }
        if (!g->count[ENGLISH][area] || !g->count[SCOTS][area]) return;
        one_round(&f, round);
        if (g->winner >= 0) return;
        if (!round && !f.count[1 - f.attacker] && f.count[f.attacker]) f.attacker = 1 - f.attacker;
    }
    if (g->count[ENGLISH][area] && g->count[SCOTS][area]) {
        n = g->count[f.attacker][area];
        memcpy(line, g->men[f.attacker][area], (size_t)n);
        for (int i = 0; i < n; i++)
            if (!flee(&f, line[i])) eliminate(g, line[i]);
    }
}

/* winter */

static void court(Game *g) {
    int at = home[moray][0];
    if (g->at[moray] >= 0 && g->at[moray] != at && !g->count[ENGLISH][at]) go(g, moray, at);
    if (g->at[king] >= 0) {
        int best = -1, room_best = 0;
        for (int i = 0; i < churches_count; i++) {
            int c = churches[i];
            if (g->count[ENGLISH][c]) continue;
            int room = limits[SCOTS][c] > g->count[SCOTS][c] - (g->at[king] == c);
            if (best < 0 || room > room_best || (room == room_best && c > best)) best = c, room_best = room;
        }
        if (best >= 0 && best != g->at[king]) go(g, king, best);
    }
}

static void nobles_go_home(Game *g) {
    uint64_t turned = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < nobles_count; i++) {
            int n = turning[i], to = -1, most_room = 0;
            if (g->side[n] != side || turned & BIT(n)) continue;
            for (int k = 0; k < homes_of[n]; k++) {
                int h = home[n][k], room = limits[side][h] - g->count[side][h] + (h == g->at[n]);
                if (g->count[1 - side][h]) continue;
                if (to < 0 || room > most_room || (room == most_room && h > to)) to = h, most_room = room;
            }
            if (to < 0) {
                to = home[n][0];
                turn_over(g, n);
                turned |= BIT(n);
            }
            if (to != g->at[n]) go(g, n, to);
        }
    court(g);
}

static int stays_with_an_army(const Game *g) {
    if (g->at[edward] <= england || g->edward != 1 || g->year == 1306 || g->wintered == g->year - 1) return 0;
    int steps = 0, area = g->at[edward];
    for (int i = 0; i < g->count[ENGLISH][area]; i++) {
        int b = g->men[ENGLISH][area][i];
        if (!turns[b]) steps += g->st[b];
    }
    return steps >= 9;
}

static int nobles_in(const Game *g, int side, int area) {
    int n = 0;
    for (int i = 0; i < g->count[side][area]; i++) n += turns[g->men[side][area][i]];
    return n;
}

static void sort_by(int *key, int8_t *who, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && (key[k] < key[k - 1] || (key[k] == key[k - 1] && who[k] < who[k - 1])); k--) {
            int t = key[k]; key[k] = key[k - 1]; key[k - 1] = t;
            int8_t w = who[k]; who[k] = who[k - 1]; who[k - 1] = w;
        }
}

static void english_disband(Game *g, int stays) {
    for (int area = 0; area < areas; area++) {
        if (stays && area == g->at[edward]) {
            g->wintered = g->year;
            continue;
        }
        int room = limits[ENGLISH][area] - nobles_in(g, ENGLISH, area), n = 0, key[BLOCKS];
        int8_t keen[BLOCKS];
        for (int i = 0; i < g->count[ENGLISH][area]; i++) {
            int b = g->men[ENGLISH][area][i];
            if (turns[b]) continue;
            keen[n] = (int8_t)b;
            key[n++] = 1000 * !infantry[b] - g->st[b] * rating[b];
        }
        sort_by(key, keen, n);
        for (int i = 0; i < n; i++)
            if (area == england || i >= room || !infantry[keen[i]]) take(g, keen[i], POOL);
    }
}

static void disband_scots(Game *g) {
    int at = g->at[wallace];
    if (at >= 0 && !g->count[ENGLISH][selkirk]) {
        int crowded = at == england || g->count[SCOTS][at] > limits[SCOTS][at];
        if (crowded || g->st[wallace] <= 2 || at == selkirk) {
            if (at != selkirk) go(g, wallace, selkirk);
            g->st[wallace] = (int8_t)(g->st[wallace] + 2 < most[wallace] ? g->st[wallace] + 2 : most[wallace]);
        }
    }
    for (int area = 0; area < areas; area++) {
        int room = limits[SCOTS][area] - nobles_in(g, SCOTS, area), n = 0, key[BLOCKS];
        int8_t keen[BLOCKS];
        for (int i = 0; i < g->count[SCOTS][area]; i++) {
            int b = g->men[SCOTS][area][i];
            if (turns[b] || (b == wallace && area == selkirk)) continue;
            keen[n] = (int8_t)b;
            key[n++] = 10000 * !(b == king || b == moray) + 1000 * (b != wallace) - g->st[b] * rating[b];
        }
        sort_by(key, keen, n);
        for (int i = room > 0 ? room : 0; i < n; i++) take(g, keen[i], POOL);
    }
}

static void strengthen(Game *g, const int8_t *who, int n, int points) {
    while (points > 0) {
        int weak = -1;
        for (int i = 0; i < n; i++) {
            int b = who[i];
            if (g->st[b] >= most[b]) continue;
            if (weak < 0 || g->st[b] < g->st[weak]
                || (g->st[b] == g->st[weak] && (rating[b] > rating[weak] || (rating[b] == rating[weak] && b < weak)))) weak = b;
        }
        if (weak < 0) return;
        g->st[weak]++;
        points--;
    }
}

static void builds(Game *g, Dice *dice) {
    int pool[BLOCKS], n = 0;
    for (int area = 0; area < areas; area++) {
        int8_t who[BLOCKS];
        int able = 0;
        for (int i = 0; i < g->count[ENGLISH][area]; i++) {
            int b = g->men[ENGLISH][area][i];
            if (infantry[b] || turns[b]) who[able++] = (int8_t)b;
        }
        strengthen(g, who, able, g->count[ENGLISH][area] && !g->count[SCOTS][area] ? limits[ENGLISH][area] : 0);
    }
    if (g->at[french] == OFF && following(g) + (g->at[moray] >= 0) >= 8) g->at[french] = POOL;
    for (int b = 0; b < blocks; b++)
        if (owner[b] == SCOTS && g->at[b] == POOL) pool[n++] = b;
    for (int area = 0; area < areas; area++) {
        int points = g->count[SCOTS][area] && !g->count[ENGLISH][area] ? limits[SCOTS][area] : 0;
        while (points && n && g->count[SCOTS][area] < limits[SCOTS][area]) {
            int i = (int)(thrown(dice) * n), drawn = pool[i];
            if ((drawn == norse || drawn == french) && inland[area]) break;
            memmove(pool + i, pool + i + 1, sizeof *pool * (size_t)(n - i - 1));
            n--;
            place(g, drawn, area, 1);
            points--;
        }
        strengthen(g, g->men[SCOTS][area], g->count[SCOTS][area], points);
    }
}

static void levy(Game *g, Dice *dice) {
    int pool[BLOCKS], n = 0;
    for (int b = 0; b < blocks; b++)
        if (owner[b] == ENGLISH && g->at[b] == POOL) pool[n++] = b;
    for (int times = (n + 1) / 2; times; times--) {
        int i = (int)(thrown(dice) * n), drawn = pool[i];
        memmove(pool + i, pool + i + 1, sizeof *pool * (size_t)(n - i - 1));
        n--;
        place(g, drawn, england, most[drawn]);
    }
}

static void winter(Game *g, Dice *dice) {
    forget(g);
    nobles_go_home(g);
    if (g->year >= g->last && g->last > 0) {
        disband_scots(g);
        count_nobles(g);
        return;
    }
    int stays = stays_with_an_army(g);
    english_disband(g, stays);
    disband_scots(g);
    builds(g, dice);
    if (!stays) levy(g, dice);
    if (g->year == 1306) g->edward = 2;
    g->year++;
}

/* marches */

typedef struct { int8_t who[BLOCKS]; int n, start, end, via, by_sea; } Party;
typedef struct { double gain; int cost, n; Party party[3]; } Idea;
typedef struct { double root, cost; Party party; } Part;

typedef struct {
    const Game *g;
    int side, moves, answers;
    double near_now, take[AREAS], keep[AREAS], threat[AREAS], draw[AREAS];
    int room[AREAS];
    Idea *ideas;
    int count;
    Part joint[AREAS][AREAS];
    int joined[AREAS], joint_order[AREAS], joint_count;
} Planner;

static double root_of(const Game *g, const int8_t *who, int n) {
    int steps = 0;
    double force = 0.0;
    for (int i = 0; i < n; i++) {
        steps += g->st[who[i]];
        force += g->st[who[i]] * force_of[who[i]];
    }
    return sqrt(steps * force);
}

static double root_at(const Game *g, const int8_t *who, int n, int area) { return sqrt(power(g, who, n, area)); }

static double odds_of(double ours, double theirs) {
    double a = ours * ours, b = theirs * theirs;
    return a * a / (a * a + b * b + 0.01);
}

static void look_around(Planner *p) {
    static const double NEARNESS[6] = {1.0, 0.8, 0.65, 0.55, 0.5, 0.5};
    const Game *g = p->g;
    int own = p->side, foe = 1 - own;
    p->near_now = NEARNESS[g->left];
    double worth = 10.0 * p->near_now;
    memset(p->take, 0, sizeof p->take);
    memset(p->keep, 0, sizeof p->keep);
    memset(p->threat, 0, sizeof p->threat);
    memset(p->draw, 0, sizeof p->draw);
    for (int i = 0; i < nobles_count; i++) {
        int n = turning[i], ours = g->side[n] == own;
        double value = worth;
        for (int k = 0; k < homes_of[n]; k++) {
            if (homes_of[n] > 1) {
                int other = home[n][0] == home[n][k] ? home[n][1] : home[n][0];
                value = g->count[ours ? foe : own][other] ? worth : worth * 0.35;
            }
            if (ours) p->keep[home[n][k]] += value;
            else p->take[home[n][k]] += value;
        }
    }
    if (p->answers)
        for (int a = 0; a < areas; a++) {
            int n = g->count[foe][a];
            if (!n) continue;
            double root = root_of(g, g->men[foe][a], n);
            for (int i = 0; i < near_count[a]; i++) {
                int b = near[a][i], through = a == england || b == england ? 2 : limit_of[a][b];
                p->threat[b] += n <= through ? root : root * through / n;
            }
        }
    for (int pass = 0; pass < 2; pass++)
        for (int a = 0; a < areas; a++)
            if (pass ? p->keep[a] != 0.0 && g->count[foe][a] : p->take[a] != 0.0 && !g->count[own][a])
                for (int b = 0; b < areas; b++) p->draw[b] += nearby[a][b];
    for (int a = 0; a < areas; a++) p->room[a] = limits[own][a];
    for (int i = 0; i < nobles_count; i++) {
        int n = turning[i];
        if (g->side[n] != own) continue;
        int at = home[n][0];
        if (homes_of[n] > 1 && p->room[home[n][1]] > p->room[at]) at = home[n][1];
        p->room[at] = p->room[at] > 1 ? p->room[at] - 1 : 0;
    }
}

static double quarters_worth(const Planner *p, int area, const int8_t *who, int n) {
    if (area == england) return p->side == ENGLISH ? -2.0 * n : 1.0;
    int room = p->room[area], able = 0;
    if (p->side == ENGLISH) {
        if (!room) return 0.0;
        for (int i = 0; i < n; i++) able += infantry[who[i]];
        return 2.0 * (able < room ? able : room);
    }
    if (p->g->left > 1) return 0.0;
    for (int i = 0; i < n; i++) able += !turns[who[i]];
    return 0.8 * (able <= room ? able : 2 * room - able);
}

static double standing(const Planner *p, int area, double root, const int8_t *who, int n) {
    const Game *g = p->g;
    double keep = p->keep[area], threat = p->threat[area], risk = 0.0, lost = 0.0;
    if (!n) return p->answers ? keep * (threat != 0.0 ? 0.35 : 0.9) : keep;
    if (threat != 0.0 && p->answers) {
        double t = threat * threat, own = root * root * 1.3;
        risk = 0.75 * t / (t + own);
    }
    double worth = (p->take[area] + keep) * (1.0 - risk);
    for (int i = 0; i < n; i++) {
        int b = who[i];
        lost += 0.35 * g->st[b];
        if (turns[b] && !is_home(b, area)) lost += 4.0;
        else if (b == king || (b == edward && g->edward > 1)) lost += 40.0;
        else if (b == wallace || b == edward || b == moray) lost += 4.0;
    }
    return worth - risk * lost + quarters_worth(p, area, who, n);
}

static double attack_worth(const Planner *p, int end, double root, const int8_t *who, int n) {
    const Game *g = p->g;
    int own = g->count[p->side][end], foes = g->count[1 - p->side][end], crown = 0;
    const int8_t *mine = g->men[p->side][end], *foe = g->men[1 - p->side][end];
    double theirs = own ? root_of(g, foe, foes) : root_at(g, foe, foes, end);
    double ours = root + (own ? root_of(g, mine, own) : 0.0);
    double chance = odds_of(ours, theirs), before = own ? odds_of(root_of(g, mine, own), theirs) : 0.0, total = 0.0, lost = 0.0;
    for (int i = 0; i < foes; i++) {
        total += 0.5 * g->st[foe[i]] + 6.0 * turns[foe[i]];
        crown |= foe[i] == king || (foe[i] == edward && g->edward > 1);
    }
    double prize = p->take[end] + p->keep[end] + total;
    if (crown) prize += 40.0;
    for (int i = 0; i < n; i++) {
        int b = who[i];
        lost += 0.4 * g->st[b] + 5.0 * turns[b];
        if (b == king || (b == edward && g->edward > 1)) lost += 50.0;
        else if (b == wallace || b == edward || b == moray) lost += 4.0;
    }
    return (chance - before) * prize - (1.0 - chance) * lost * 0.8;
}

static void add_idea(Planner *p, double gain, int cost, const Party *const *parties, int n) {
    if (p->count == IDEAS_MOST) return;
    Idea *idea = &p->ideas[p->count++];
    idea->gain = gain;
    idea->cost = cost;
    idea->n = n;
    for (int i = 0; i < n; i++) idea->party[i] = *parties[i];
}

typedef struct { int8_t who[BLOCKS]; int n, weight, pace; double root, cost; } Judged;

static int offer(Judged *found, int count, const int8_t *who, int from, int to, int free) {
    int n = to - from;
    if (n > free) n = free;
    if (n <= 0) return count;
    for (int i = 0; i < count; i++)
        if (found[i].n == n && !memcmp(found[i].who, who + from, (size_t)n)) return count;
    found[count].n = n;
    memcpy(found[count].who, who + from, (size_t)n);
    return count + 1;
}

static int parties_of(const Planner *p, int start, const int8_t *there, int n, int free, Judged *found) {
    const Game *g = p->g;
    int8_t ranked[BLOCKS], others[BLOCKS], quick[BLOCKS];
    double key[BLOCKS];
    int o = 0, q = 0, count = 0;
    for (int i = 0; i < n; i++) {
        int b = there[i], k = i;
        double by = -g->st[b] * force_of[b];
        for (; k > 0 && (by < key[k - 1] || (by == key[k - 1] && b < ranked[k - 1])); k--)
            key[k] = key[k - 1], ranked[k] = ranked[k - 1];
        key[k] = by;
        ranked[k] = (int8_t)b;
    }
    for (int i = 0; i < n; i++)
        if (!(turns[ranked[i]] && is_home(ranked[i], start))) others[o++] = ranked[i];
    for (int i = 0; i < o; i++)
        if (pace[others[i]] > 2) quick[q++] = others[i];
    count = offer(found, count, ranked, 0, n, free);
    count = offer(found, count, others, 0, o, free);
    count = offer(found, count, others, 0, o - 1, free);
    count = offer(found, count, others, 0, o < 2 ? o : 2, free);
    count = offer(found, count, others, 0, o < 1 ? o : 1, free);
    count = offer(found, count, others, o ? o - 1 : 0, o, free);
    count = offer(found, count, ranked, 0, n < 1 ? n : 1, free);
    count = offer(found, count, quick, 0, q < 1 ? q : 1, free);
    if (start == england) {
        count = offer(found, count, ranked, 0, n < 3 ? n : 3, free);
        count = offer(found, count, ranked, 1, n < 2 ? n : 2, free);
        count = offer(found, count, ranked, 1, n < 3 ? n : 3, free);
    }
    return count;
}

static void along(Planner *p, const Way *way, const Judged *judged, int count) {
    const Game *g = p->g;
    int end = way->end, start = way->start, own = g->count[p->side][end], foes = g->count[1 - p->side][end];
    const int8_t *mine = g->men[p->side][end];
    if (!(foes || p->take[end] != 0.0 || p->keep[end] != 0.0 || own || p->draw[end] > p->draw[start])) return;
    int border = start == england || end == england, has_best = 0;
    double pull = 0.25 * (p->draw[end] - p->draw[start]) * p->near_now;
    double held = own ? root_at(g, mine, own, end) : 0.0, before = foes ? 0.0 : standing(p, end, held, mine, own);
    Part best;
    best.root = 0.0;
    for (int i = 0; i < count; i++) {
        const Judged *one = &judged[i];
        if (one->n > way->limit || one->pace < way->length || (border && one->n > p->moves)) continue;
        Party party = {.n = one->n, .start = start, .end = end, .via = way->via, .by_sea = 0};
        memcpy(party.who, one->who, (size_t)one->n);
        double gain;
        if (foes) {
            gain = attack_worth(p, end, one->root, one->who, one->n);
            if (!border && (!has_best || one->root > best.root)) {
                has_best = 1;
                best.root = one->root;
                best.cost = one->cost;
                best.party = party;
            }
        } else {
            int8_t all[BLOCKS];
            memcpy(all, mine, (size_t)own);
            memcpy(all + own, one->who, (size_t)one->n);
            gain = standing(p, end, held + one->root, all, own + one->n) - before;
        }
        gain += pull * one->weight - one->cost;
        if (gain > 0.0) {
            const Party *only = &party;
            add_idea(p, gain, border ? one->n : 1, &only, 1);
        }
    }
    if (has_best) {
        if (!p->joined[end]) p->joint_order[p->joint_count++] = end;
        p->joint[end][p->joined[end]++] = best;
    }
}

static void by_sea(Planner *p, int start, const int8_t *there, int n, double now) {
    const Game *g = p->g;
    int8_t left[BLOCKS], all[BLOCKS], party[1] = {(int8_t)norse};
    int l = 0;
    for (int i = 0; i < n; i++)
        if (there[i] != norse) left[l++] = there[i];
    double cost = now - standing(p, start, root_at(g, left, l, start), left, l), root = root_of(g, party, 1);
    for (int i = 0; i < coasts_count; i++) {
        int end = coasts[i], own = g->count[p->side][end];
        const int8_t *mine = g->men[p->side][end];
        double gain;
        if (end == start) continue;
        if (g->count[1 - p->side][end]) gain = attack_worth(p, end, root, party, 1);
        else {
            double before = root_of(g, mine, own);
            memcpy(all, mine, (size_t)own);
            all[own] = (int8_t)norse;
            gain = standing(p, end, before + root, all, own + 1) - standing(p, end, before, mine, own);
        }
        if (gain > cost) {
            Party one = {.n = 1, .start = start, .end = end, .via = -1, .by_sea = 1, .who = {(int8_t)norse}};
            const Party *only = &one;
            add_idea(p, gain - cost, 1, &only, 1);
        }
    }
}

static void from_area(Planner *p, int start) {
    const Game *g = p->g;
    const int8_t *there = g->men[p->side][start];
    int n = g->count[p->side][start], foes = g->count[1 - p->side][start], free = foes ? n - foes : n, on_foot = 0, quick = 0;
    if (free <= 0) return;
    int8_t foot[BLOCKS], left[BLOCKS];
    for (int i = 0; i < n; i++) {
        if (there[i] != norse) foot[on_foot++] = there[i];
        quick |= pace[there[i]] > 2;
    }
    Judged judged[12];
    int count = parties_of(p, start, foot, on_foot, free, judged);
    double now = foes ? 0.0 : standing(p, start, root_at(g, there, n, start), there, n);
    for (int i = 0; i < count; i++) {
        Judged *one = &judged[i];
        int l = 0;
        one->weight = 0;
        one->pace = 9;
        for (int k = 0; k < n; k++)
            if (!in_line(one->who, one->n, there[k])) left[l++] = there[k];
        for (int k = 0; k < one->n; k++) {
            one->weight += g->st[one->who[k]];
            if (pace[one->who[k]] < one->pace) one->pace = pace[one->who[k]];
        }
        double cost = now - (foes ? 0.0 : standing(p, start, root_at(g, left, l, start), left, l));
        one->root = root_of(g, one->who, one->n);
        one->cost = cost + 2.0 * (foes > 0);
    }
    const Way *all = quick ? ways[start] : short_ways[start], *best[AREAS] = {0};
    int total = quick ? ways_count[start] : short_count[start], order[AREAS], ends = 0, truce = g->truce == p->side;
    for (int i = 0; i < total; i++) {
        const Way *way = &all[i];
        int length = way->length;
        if (length > 1 && (g->count[1 - p->side][way->route[0]] || (length > 2 && g->count[1 - p->side][way->route[1]]))) continue;
        if (truce && (g->count[1 - p->side][way->end] || way->end == england)) continue;
        if (p->side == ENGLISH && way->end == england) continue;
        if (foes && g->shut[start][way->route[0]] >= 0 && g->shut[start][way->route[0]] != p->side) continue;
        const Way *old = best[way->end];
        if (!old) order[ends++] = way->end;
        if (!old || ((old->length > 2 ? old->length : 2) == (length > 2 ? length : 2) && way->limit > old->limit)) best[way->end] = way;
    }
    for (int i = 0; i < ends; i++) along(p, best[order[i]], judged, count);
    if (on_foot < n && !foes) by_sea(p, start, there, n, now);
}

static void together(Planner *p, int end) {
    Part *parts = p->joint[end];
    int count = p->joined[end];
    for (int i = 1; i < count; i++) {
        Part one = parts[i];
        int k = i;
        for (; k > 0 && -one.root < -parts[k - 1].root; k--) parts[k] = parts[k - 1];
        parts[k] = one;
    }
    for (int n = 2; n <= 3 && n <= count && n <= p->moves; n++) {
        int8_t all[BLOCKS];
        int total = 0;
        double roots = 0.0, costs = 0.0;
        const Party *parties[3];
        for (int i = 0; i < n; i++) {
            memcpy(all + total, parts[i].party.who, (size_t)parts[i].party.n);
            total += parts[i].party.n;
            roots += parts[i].root;
            costs += parts[i].cost;
            parties[i] = &parts[i].party;
        }
        double gain = attack_worth(p, end, 0.92 * roots, all, total) - costs;
        if (gain > 0.0) add_idea(p, gain, n, parties, n);
    }
}

typedef struct { double by; int n; } Ranked;

static int after_it(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->by != y->by) return x->by < y->by ? 1 : -1;
    return x->n < y->n ? 1 : -1;
}

static int overdrawn(const Game *g, int side, const Idea *idea, uint64_t moved) {
    for (int i = 0; i < idea->n; i++) {
        int start = idea->party[i].start, foes = g->count[1 - side][start], gone = 0;
        if (!foes) continue;
        for (int k = 0; k < g->count[side][start]; k++) gone += (moved & BIT(g->men[side][start][k])) != 0;
        if (idea->party[i].n + gone > g->count[side][start] - foes) return 1;
    }
    return 0;
}

static void march(Game *g, int side, const Party *const *parties, int n, int first) {
    int held[AREAS], main_start[AREAS], main_via[AREAS];
    for (int i = 0; i < n; i++) {
        int end = parties[i]->end;
        held[end] = g->count[1 - side][end] ? g->count[side][end] > 0 : -1;
        main_start[end] = -2;
    }
    for (int i = 0; i < n; i++) {
        const Party *p = parties[i];
        for (int k = 0; k < p->n; k++) go(g, p->who[k], p->end);
        if (held[p->end] < 0) continue;
        if (!p->by_sea) g->shut[p->via][p->end] = g->shut[p->end][p->via] = (int8_t)side;
        if (held[p->end]) {
            if (!first)
                for (int k = 0; k < p->n; k++) g->late |= BIT(p->who[k]);
            continue;
        }
        g->attacker[p->end] = (int8_t)side;
        if (main_start[p->end] == -2) main_start[p->end] = p->start, main_via[p->end] = p->via;
        if (main_start[p->end] != p->start || main_via[p->end] != p->via)
            for (int k = 0; k < p->n; k++) g->late |= BIT(p->who[k]);
    }
}

static Planner *planner;
static Idea *ideas_room;
static Ranked *ranked_room;

static void move_side(Game *g, int side, int moves, int first, Dice *dice, double whim) {
    Planner *p = planner;
    p->g = g;
    p->side = side;
    p->moves = moves;
    p->answers = g->left + first;
    p->ideas = ideas_room;
    p->count = p->joint_count = 0;
    memset(p->joined, 0, sizeof p->joined);
    look_around(p);
    for (int a = 0; a < areas; a++)
        if (g->count[side][a]) from_area(p, a);
    for (int i = 0; i < p->joint_count; i++)
        if (p->joined[p->joint_order[i]] > 1) together(p, p->joint_order[i]);
    for (int n = 0; n < p->count; n++) {
        const Idea *idea = &p->ideas[n];
        ranked_room[n].by = idea->gain * (1.0 - whim + 2.0 * whim * thrown(dice)) / (1 + 0.6 * (idea->cost - 1));
        ranked_room[n].n = n;
    }
    qsort(ranked_room, (size_t)p->count, sizeof *ranked_room, after_it);
    const Party *found[BLOCKS + 3];
    int left = moves, count = 0;
    uint64_t moved = 0;
    uint32_t used = 0, ends = 0;
    for (int r = 0; r < p->count && ranked_room[r].by >= 0.4; r++) {
        const Idea *idea = &p->ideas[ranked_room[r].n];
        int bad = 0, border = 0, cost = 0;
        for (int i = 0; i < idea->n; i++) {
            const Party *one = &idea->party[i];
            bad |= (ends >> one->end) & 1;
            for (int k = 0; k < one->n; k++) bad |= (moved & BIT(one->who[k])) != 0;
            border |= one->start == england || one->end == england;
            cost += one->by_sea || !((used >> one->start) & 1);
        }
        if (border) cost = idea->cost;
        if (bad || cost > left || overdrawn(g, side, idea, moved)) continue;
        left -= cost;
        for (int i = 0; i < idea->n; i++) {
            const Party *one = &idea->party[i];
            found[count++] = one;
            if (!one->by_sea) used |= 1u << one->start;
            for (int k = 0; k < one->n; k++) moved |= BIT(one->who[k]);
            ends |= 1u << one->end;
        }
    }
    march(g, side, found, count, first);
}

/* turns */

static void herald(Game *g, int side, Dice *dice) {
    int alone[BLOCKS], theirs[BLOCKS], a = 0, t = 0;
    for (int i = 0; i < nobles_count; i++) {
        int n = turning[i];
        if (g->side[n] == side) continue;
        theirs[t++] = n;
        if (g->count[1 - side][g->at[n]] == 1) alone[a++] = n;
    }
    int *choice = a ? alone : theirs, count = a ? a : t;
    if (!count || thrown(dice) > 2.0 / 3) return;
    int noble = choice[(int)(thrown(dice) * count)];
    turn_over(g, noble);
    int area = g->at[noble];
    if (g->count[1 - side][area]) {
        g->attacker[area] = (int8_t)side;
        fight(g, area, dice);
    }
}

static void victuals(Game *g, int side) {
    int best = -1, room_best = -1;
    for (int a = 0; a < areas; a++) {
        int room = 0;
        for (int i = 0; i < g->count[side][a]; i++) room += most[g->men[side][a][i]] - g->st[g->men[side][a][i]];
        if (room > room_best) room_best = room, best = a;
    }
    for (int times = 0; times < 3; times++) {
        int weak = -1;
        for (int i = 0; i < g->count[side][best]; i++) {
            int b = g->men[side][best][i];
            if (g->st[b] < most[b] && (weak < 0 || g->st[b] < g->st[weak] || (g->st[b] == g->st[weak] && b < weak))) weak = b;
        }
        if (weak >= 0) g->st[weak]++;
    }
}

static void act(Game *g, int side, int card, int first, Dice *dice, double whim) {
    if (card <= 3) move_side(g, side, card, first, dice, whim);
    else if (card == HERALD) herald(g, side, dice);
    else if (card == VICTUALS) victuals(g, side);
    else if (card == TRUCE) g->truce = 1 - side;
}

static void raid(Game *g) {
    int best = -1;
    for (int a = 0; a < areas; a++)
        for (int i = 0; i < g->count[ENGLISH][a]; i++) {
            int b = g->men[ENGLISH][a][i];
            if (turns[b]) continue;
            if (best < 0) { best = b; continue; }
            int x = g->at[b] != england, y = g->at[best] != england;
            if (x != y ? x < y : g->st[b] != g->st[best] ? g->st[b] < g->st[best] : b < best) best = b;
        }
    if (best >= 0) take(g, best, POOL);
}

static void end_turn(Game *g, uint64_t seed) {
    if (g->winner < 0) {
        int contested[AREAS], n = 0;
        for (int a = 0; a < areas; a++)
            if (g->count[ENGLISH][a] && g->count[SCOTS][a]) contested[n++] = a;
        for (int i = 0; i < n; i++)
            if (g->winner < 0) {
                Dice dice = {seed + (uint64_t)contested[i]};
                fight(g, contested[i], &dice);
            }
        if (g->winner < 0 && g->count[SCOTS][england]) raid(g);
        if (g->winner < 0) decide(g);
    }
    forget(g);
    if (g->winner < 0 && !g->left) {
        Dice dice = {seed + (uint64_t)areas + 1};
        winter(g, &dice);
        g->left = 5;
    }
}

static int is_event(int card) { return card > 3; }

static int drawn_from(int *hand, int *n, Dice *dice) {
    int i = (int)(thrown(dice) * *n), card = hand[i];
    memmove(hand + i, hand + i + 1, sizeof *hand * (size_t)(*n - i - 1));
    --*n;
    return card;
}

static void play_on(Game *g, int year, int hands[2][CARDS_MOST], int counts[2], uint64_t from) {
    Dice dice = {from};
    while (g->winner < 0 && g->year == year && counts[ENGLISH] && counts[SCOTS]) {
        int cards[2];
        for (int side = 0; side < 2; side++) cards[side] = drawn_from(hands[side], &counts[side], &dice);
        int english = is_event(cards[ENGLISH]), scottish = is_event(cards[SCOTS]);
        g->left = english && scottish ? 0 : g->left - 1;
        int first = english || scottish ? (english ? ENGLISH : SCOTS) : cards[ENGLISH] >= cards[SCOTS] ? ENGLISH : SCOTS;
        act(g, first, cards[first], 1, &dice, 0.3);
        act(g, 1 - first, cards[1 - first], 0, &dice, 0.3);
        uint64_t seed = (uint64_t)(thrown(&dice) * 4294967296.0) * (uint64_t)(areas + 3);
        end_turn(g, seed);
    }
}

/* outlook */

typedef struct {
    int blocks, castles, infantry, knights, levy, noble_steps, north, south, steps, quarters;
    double stack, root[AREAS], reach[AREAS];
} Army;

static void army_of(const Game *g, int side, Army *army) {
    memset(army, 0, sizeof *army);
    for (int area = 0; area < areas; area++) {
        int n = g->count[side][area], total = 0, at_home = 0, others = 0, able = 0, room = limits[side][area];
        double force = 0.0;
        if (!n) continue;
        for (int i = 0; i < n; i++) {
            int b = g->men[side][area][i], steps = g->st[b];
            total += steps;
            force += steps * force_of[b];
            if (turns[b]) {
                army->noble_steps += steps;
                if (is_home(b, area)) at_home += steps, room--;
                continue;
            }
            others += steps;
            army->blocks++;
            able += side == SCOTS || infantry[b];
            if (area == england) army->levy += steps;
            else if (infantry[b]) army->infantry += steps;
            else army->knights += steps;
        }
        army->steps += others;
        double root = sqrt(total * force);
        army->root[area] = at_home ? sqrt(total * (force + at_home)) : root;
        for (int i = 0; i < near_count[area]; i++)
            army->reach[near[area][i]] += n <= beside_most[area][i] ? root : root * beside_most[area][i] / n;
        for (int i = 0; i < two_count[area]; i++) army->reach[two_away[area][i]] += 0.5 * root;
        if (area == england) continue;
        army->castles += limits[side][area];
        int quarters = room > 0 ? room : 0;
        army->quarters += quarters < able ? quarters : able;
        if (root > army->stack) army->stack = root;
        if (area < north) army->north += others;
        else if (area >= south) army->south += others;
    }
}

static double danger(double theirs, double ours) {
    double t = theirs * theirs;
    return t / (t + 1.3 * ours * ours + 4.0);
}

static double danger_to(const Game *g, const Army *armies, int b) {
    int side = g->side[b], area = g->at[b];
    return area >= 0 ? danger(armies[1 - side].reach[area], armies[side].root[area]) : 0.0;
}

static int of_side(const Game *g, int side, const Army *armies, double *found) {
    const Army *own = &armies[side], *enemy = &armies[1 - side];
    double risk_all = 0.0, top = 0.0, contact = 0.0;
    int lost = 0, abroad = 0, lone = 0, pool = 0, n = 0;
    for (int i = 0; i < nobles_count; i++) {
        int b = turning[i];
        if (g->side[b] != side) continue;
        int area = g->at[b];
        lone += g->count[side][area] == 1;
        double risk = danger(enemy->reach[area], own->root[area]);
        if (!is_home(b, area)) {
            int free = 0;
            double t = 0.0;
            for (int k = 0; k < homes_of[b]; k++) {
                int h = home[b][k];
                if (g->count[1 - side][h]) continue;
                if (!free || enemy->reach[h] < t) t = enemy->reach[h];
                free++;
            }
            if (free) {
                abroad++;
                double other = t * t / (t * t + 30.0);
                if (other > risk) risk = other;
            } else lost++;
        }
        risk_all += risk;
        if (risk > top) top = risk;
    }
    for (int b = 0; b < blocks; b++) pool += owner[b] == side && g->at[b] == POOL;
    for (int a = 0; a < areas; a++)
        if (enemy->root[a] != 0.0 && own->reach[a] != 0.0) contact += danger(own->reach[a], enemy->root[a]);
    double values[] = {risk_all, lost, abroad, top, lone, pool, own->quarters, own->castles, own->noble_steps, own->north,
                       own->south, own->stack, contact};
    for (; n < (int)(sizeof values / sizeof *values); n++) found[n] = values[n];
    return n;
}

static void features(const Game *g, double *found) {
    Army armies[2];
    army_of(g, ENGLISH, &armies[0]);
    army_of(g, SCOTS, &armies[1]);
    const Army *e = &armies[0], *s = &armies[1];
    int scots = following(g), n = 0, few = 3 - nobles_count + scots, few_scots = 3 - scots - (g->at[moray] >= 0);
    for (int i = 0; i < nobles_count; i++) found[n++] = 1 - 2 * g->side[turning[i]];
    double values[] = {
        lead_in_nobles(g), few > 0 ? few : 0, few_scots > 0 ? few_scots : 0,
        g->at[moray] >= 0, danger_to(g, armies, moray), g->at[wallace] >= 0, g->st[wallace], danger_to(g, armies, wallace),
        g->at[king] >= 0, danger_to(g, armies, king), g->edward == 1, g->at[edward] > england,
        danger_to(g, armies, edward) * (g->edward == 1 ? 1.0 : 3.0),
        e->infantry, e->knights, e->levy, s->steps, s->blocks, g->count[SCOTS][england] > 0};
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) found[n++] = values[i];
    n += of_side(g, ENGLISH, armies, found + n);
    of_side(g, SCOTS, armies, found + n);
}

static double lead_of(const Game *g) {
    double score = lead_in_nobles(g) + 1.5;
    for (int area = 0; area < areas; area++)
        for (int i = 0; i < g->count[ENGLISH][area]; i++) {
            int b = g->men[ENGLISH][area][i];
            if (turns[b]) continue;
            if (area == england) score += 0.08 * g->st[b];
            else score += 0.25 * g->st[b] + 0.1 * infantry[b];
        }
    for (int area = 0; area < areas; area++) {
        double there = 0.0;
        for (int i = 0; i < g->count[SCOTS][area]; i++) {
            int b = g->men[SCOTS][area][i];
            if (!turns[b]) there += 0.3 * g->st[b] + 0.2;
        }
        score -= there;
    }
    score -= g->at[wallace] != DEAD && g->at[wallace] != POOL;
    score += 0.5 * (g->edward == 1) + 0.5 * (g->at[moray] == DEAD) + (g->at[edward] > england);
    return score;
}

static int64_t english_hope(const Game *g, double coming) {
    if (g->winner >= 0) return CERTAIN * (1 - g->winner);
    int years = g->last - g->year;
    years = years < 0 ? 0 : years > FAR_OFF ? FAR_OFF : years;
    double score = lead_of(g) + coming;
    return (int64_t)(CERTAIN * (0.5 + 0.5 * score / (fabs(score) + 1.5 + years)));
}

static int64_t share(double x) { return (int64_t)(CERTAIN * (0.5 + 0.5 * x / sqrt(1.0 + x * x))); }

static int64_t hope(const Game *g) {
    if (g->winner >= 0) return CERTAIN * (1 - g->winner);
    int ahead = g->last - g->year;
    double in_turns = g->left / 5.0, in_years = (ahead < 0 ? 0 : ahead > FAR_OFF ? FAR_OFF : ahead) / (double)FAR_OFF;
    double x = at_first[0] + at_first[1] * in_turns + at_first[2] * in_years, seen[FEATURES_MOST];
    features(g, seen);
    for (int i = 0; i < features_count; i++)
        if (seen[i] != 0.0) x += seen[i] * (weight[i][0] + weight[i][1] * in_turns + weight[i][2] * in_years);
    double coming = 2.0 * (seen[scottish_lost] - seen[english_lost]);
    int64_t found = (share(x * 0.6) + english_hope(g, coming)) / 2;
    if (g->year != g->last) return found;
    double lead = lead_in_nobles(g) + coming;
    return (found + share(0.7 * (lead != 0.0 ? lead : g->at[wallace] >= 0 ? -0.5 : 0.5))) / 2;
}

/* Python */

static int whole(PyObject *from, const char *name, int *to) {
    PyObject *value = PyObject_GetAttrString(from, name);
    if (!value) return 0;
    *to = (int)PyLong_AsLong(value);
    Py_DECREF(value);
    return !PyErr_Occurred();
}

static int row(PyObject *list, int8_t *to, int most_of_them) {
    Py_ssize_t n = PyList_Check(list) ? PyList_Size(list) : -1;
    if (n < 0 || n > most_of_them) {
        PyErr_SetString(PyExc_TypeError, "a small model has lists of blocks");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) to[i] = (int8_t)PyLong_AsLong(PyList_GetItem(list, i));
    return PyErr_Occurred() ? -1 : (int)n;
}

static int is_area(long a) { return a >= 0 && a < areas; }

static int read_rows(PyObject *model, Game *g) {
    const char *names[] = {"at", "st", "side"};
    int8_t *to[] = {g->at, g->st, g->side};
    for (int i = 0; i < 3; i++) {
        PyObject *list = PyObject_GetAttrString(model, names[i]);
        if (!list) return 0;
        int n = row(list, to[i], BLOCKS);
        Py_DECREF(list);
        if (n != blocks) {
            if (n >= 0) PyErr_SetString(PyExc_ValueError, "a small model has a number for each block");
            return 0;
        }
    }
    for (int b = 0; b < blocks; b++)
        if (g->at[b] < DEAD || g->at[b] >= areas || g->st[b] < 0 || g->st[b] > 4 || g->side[b] < 0 || g->side[b] > 1) {
            PyErr_SetString(PyExc_ValueError, "a block of the small model is nowhere");
            return 0;
        }
    PyObject *men = PyObject_GetAttrString(model, "men");
    if (!men) return 0;
    int total = 0, fine = PyTuple_Check(men) && PyTuple_Size(men) == 2;
    for (int side = 0; fine && side < 2; side++) {
        PyObject *there = PyTuple_GetItem(men, side);
        fine = PyList_Check(there) && PyList_Size(there) == areas;
        for (int a = 0; fine && a < areas; a++) {
            int n = row(PyList_GetItem(there, a), g->men[side][a], BLOCKS);
            fine = n >= 0 && (total += n) <= blocks;
            for (int i = 0; fine && i < n; i++) {
                int b = g->men[side][a][i];
                fine = b >= 0 && b < blocks && g->at[b] == a && g->side[b] == side;
            }
            g->count[side][a] = (int8_t)n;
        }
    }
    Py_DECREF(men);
    if (!fine && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the small model says two things of a block's place");
    return fine;
}

static int read_traces(PyObject *model, Game *g) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    PyObject *attacker = PyObject_GetAttrString(model, "attacker"), *shut = PyObject_GetAttrString(model, "shut");
    PyObject *late = PyObject_GetAttrString(model, "late"), *each = NULL;
    int fine = attacker && shut && late && PyDict_Check(attacker) && PyDict_Check(shut) && PyAnySet_Check(late);
    memset(g->attacker, -1, sizeof g->attacker);
    memset(g->shut, -1, sizeof g->shut);
    g->late = 0;
    while (fine && PyDict_Next(attacker, &at, &key, &value)) {
        long a = PyLong_AsLong(key);
        fine = is_area(a);
        if (fine) g->attacker[a] = (int8_t)(PyLong_AsLong(value) == SCOTS);
    }
    at = 0;
    while (fine && PyDict_Next(shut, &at, &key, &value)) {
        fine = PyTuple_Check(key) && PyTuple_Size(key) == 2;
        long a = fine ? PyLong_AsLong(PyTuple_GetItem(key, 0)) : -1, b = fine ? PyLong_AsLong(PyTuple_GetItem(key, 1)) : -1;
        fine = is_area(a) && is_area(b);
        if (fine) g->shut[a][b] = (int8_t)(PyLong_AsLong(value) == SCOTS);
    }
    each = fine ? PyObject_GetIter(late) : NULL;
    while (each && (key = PyIter_Next(each))) {
        long b = PyLong_AsLong(key);
        if (b >= 0 && b < blocks) g->late |= BIT(b);
        Py_DECREF(key);
    }
    Py_XDECREF(each);
    Py_XDECREF(attacker);
    Py_XDECREF(shut);
    Py_XDECREF(late);
    if (!fine && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the small model says of no area who attacks there");
    return fine && !PyErr_Occurred();
}

static int read_game(PyObject *model, Game *g) {
    memset(g, 0, sizeof *g);
    return read_rows(model, g) && read_traces(model, g) && whole(model, "year", &g->year) && whole(model, "left", &g->left)
        && whole(model, "last", &g->last) && whole(model, "edward", &g->edward) && whole(model, "wintered", &g->wintered)
        && whole(model, "truce", &g->truce) && whole(model, "winner", &g->winner);
}

static int read_hand(PyObject *from, int *to, int *n) {
    Py_ssize_t count = PyTuple_Check(from) ? PyTuple_Size(from) : CARDS_MOST + 1;
    if (count > CARDS_MOST) {
        PyErr_SetString(PyExc_ValueError, "a hand has few cards");
        return 0;
    }
    *n = (int)count;
    for (Py_ssize_t i = 0; i < count; i++) to[i] = (int)PyLong_AsLong(PyTuple_GetItem(from, i));
    return !PyErr_Occurred();
}

/* finish(model, seed, doing, acts, later) -> hope: let sides act by cards, each (side, card, first, whim, tries), with the dice
   `doing`; the last of them tries so many times, and what is best for it counts. Then end the turn with the dice from `seed` on, one
   of each area. With `later`, (side, its cards, its enemy's cards), the rest of the year is played too. The model stays as it is. */
static PyObject *finish(PyObject *module, PyObject *args) {
    PyObject *model, *acts, *later;
    unsigned long long seed, doing;
    Game g;
    if (!PyArg_ParseTuple(args, "OKKOO", &model, &seed, &doing, &acts, &later)) return NULL;
    if (!ready || !PyTuple_Check(acts)) {
        PyErr_SetString(PyExc_TypeError, "finish(model, seed, doing, acts, later) comes after setup(tables)");
        return NULL;
    }
    if (!read_game(model, &g)) return NULL;
    if (g.left < 0 || g.left > 5) {
        PyErr_SetString(PyExc_ValueError, "a year has five turns");
        return NULL;
    }
    for (int i = 0; i < nobles_count; i++)
        if (g.at[turning[i]] < 0) {
            PyErr_SetString(PyExc_ValueError, "each noble is in some area");
            return NULL;
        }
    int year = g.year, hands[2][CARDS_MOST], counts[2], side = -1;
    if (later != Py_None) {
        PyObject *mine, *theirs;
        if (!PyArg_ParseTuple(later, "iOO", &side, &mine, &theirs)) return NULL;
        side = side == SCOTS;
        if (!read_hand(mine, hands[side], &counts[side]) || !read_hand(theirs, hands[1 - side], &counts[1 - side])) return NULL;
    }
    Dice dice = {doing};
    Py_ssize_t last = PyTuple_Size(acts) - 1;
    int tries = 1, by = ENGLISH, card = 0, first = 0;
    double whim = 0.0;
    for (Py_ssize_t i = 0; i <= last; i++) {
        if (!PyArg_ParseTuple(PyTuple_GetItem(acts, i), "iiidi", &by, &card, &first, &whim, &tries)) return NULL;
        if (by < 0 || by > 1 || card < 1) {
            PyErr_SetString(PyExc_ValueError, "two sides act, with a card each");
            return NULL;
        }
        if (i < last) act(&g, by, card, first, &dice, whim);
    }
    int64_t found = -1;
    for (int n = 0; n < (tries > 1 ? tries : 1); n++) {
        Game copy = g;
        int held[2][CARDS_MOST], held_counts[2];
        if (last >= 0) act(&copy, by, card, first, &dice, whim);
        end_turn(&copy, seed);
        if (side >= 0) {
            memcpy(held, hands, sizeof held);
            memcpy(held_counts, counts, sizeof held_counts);
            play_on(&copy, year, held, held_counts, seed + (uint64_t)areas + 2);
        }
        int64_t worth = hope(&copy);
        if (found < 0 || (by == ENGLISH ? worth > found : worth < found)) found = worth;
    }
    return PyLong_FromLongLong(found);
}

static int ints(PyObject *tables, const char *name, int *to, int room) {
    PyObject *from = PyDict_GetItemString(tables, name);
    Py_ssize_t n = from && PyTuple_Check(from) ? PyTuple_Size(from) : -1;
    if (n < 0 || n > room) {
        PyErr_Format(PyExc_ValueError, "setup needs the table %s, of at most %d numbers", name, room);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) to[i] = (int)PyLong_AsLong(PyTuple_GetItem(from, i));
    return PyErr_Occurred() ? -1 : (int)n;
}

static int floats(PyObject *tables, const char *name, double *to, int room) {
    PyObject *from = PyDict_GetItemString(tables, name);
    Py_ssize_t n = from && PyTuple_Check(from) ? PyTuple_Size(from) : -1;
    if (n < 0 || n > room) {
        PyErr_Format(PyExc_ValueError, "setup needs the table %s, of at most %d numbers", name, room);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) to[i] = PyFloat_AsDouble(PyTuple_GetItem(from, i));
    return PyErr_Occurred() ? -1 : (int)n;
}

static PyObject *setup(PyObject *module, PyObject *tables) {
    static int flat[8 * AREAS * WAYS_MOST];
    static double reals[AREAS * AREAS];
    int named[16];
    if (!PyDict_Check(tables)) {
        PyErr_SetString(PyExc_TypeError, "setup takes a table of tables");
        return NULL;
    }
    ready = 0;
    int *by_block[] = {letter, rating, most, pace, cross, celt, turns, infantry, owner};
    const char *names[] = {"letter", "rating", "most", "pace", "cross", "celt", "turns", "infantry", "owner"};
    for (int i = 0; i < 9; i++)
        if ((blocks = ints(tables, names[i], by_block[i], BLOCKS)) < 0) return NULL;
    if (ints(tables, "named", named, 16) != 11) return NULL;
    areas = named[0], england = named[1], selkirk = named[2], edward = named[3], wallace = named[4], king = named[5];
    moray = named[6], norse = named[7], french = named[8], north = named[9], south = named[10];
    if (areas < 1 || areas > AREAS || floats(tables, "force", force_of, BLOCKS) != blocks) return NULL;
    if (ints(tables, "homes", flat, 2 * BLOCKS) != 2 * blocks) return NULL;
    for (int b = 0; b < blocks; b++) {
        homes_of[b] = (flat[2 * b] >= 0) + (flat[2 * b + 1] >= 0);
        home[b][0] = flat[2 * b], home[b][1] = flat[2 * b + 1];
    }
    nobles_count = 0;
    for (int b = 0; b < blocks; b++)
        if (turns[b]) turning[nobles_count++] = b;
    if (ints(tables, "limits", flat, 2 * AREAS) != 2 * areas) return NULL;
    for (int a = 0; a < areas; a++) limits[0][a] = flat[a], limits[1][a] = flat[areas + a];
    if (ints(tables, "lives", lives, AREAS) != areas || ints(tables, "inland", inland, AREAS) != areas) return NULL;
    if ((churches_count = ints(tables, "churches", churches, AREAS)) < 0) return NULL;
    if ((coasts_count = ints(tables, "coasts", coasts, AREAS)) < 0) return NULL;
    int n = ints(tables, "borders", flat, 4 * AREAS * NEAR_MOST);
    if (n < 0) return NULL;
    memset(near_count, 0, sizeof near_count);
    for (int i = 0; i + 3 < n; i += 4) {
        int a = flat[i], b = flat[i + 1];
        if (!is_area(a) || !is_area(b) || near_count[a] == NEAR_MOST) goto full;
        limit_of[a][b] = flat[i + 2];
        beside_most[a][near_count[a]] = flat[i + 3];
        near[a][near_count[a]++] = b;
    }
    if ((n = ints(tables, "two_away", flat, 2 * AREAS * AREAS)) < 0) return NULL;
    memset(two_count, 0, sizeof two_count);
    for (int i = 0; i + 1 < n; i += 2) {
        if (!is_area(flat[i]) || two_count[flat[i]] == AREAS) goto full;
        two_away[flat[i]][two_count[flat[i]]++] = flat[i + 1];
    }
    if ((n = ints(tables, "ways", flat, 8 * AREAS * WAYS_MOST)) < 0) return NULL;
    memset(ways_count, 0, sizeof ways_count);
    memset(short_count, 0, sizeof short_count);
    for (int i = 0; i + 7 < n; i += 8) {
        Way way = {flat[i], flat[i + 1], {flat[i + 2], flat[i + 3], flat[i + 4]}, flat[i + 5], flat[i + 6], flat[i + 7]};
        if (!is_area(way.start) || !is_area(way.end) || ways_count[way.start] == WAYS_MOST) goto full;
        ways[way.start][ways_count[way.start]++] = way;
        if (way.length < 3) short_ways[way.start][short_count[way.start]++] = way;
    }
    if (floats(tables, "nearby", reals, AREAS * AREAS) != areas * areas) return NULL;
    for (int i = 0; i < areas * areas; i++) nearby[i / areas][i % areas] = reals[i];
    if (floats(tables, "at_first", at_first, 3) != 3) return NULL;
    if ((n = floats(tables, "weights", reals, 3 * FEATURES_MOST)) < 0) return NULL;
    features_count = n / 3;
    for (int i = 0; i < 3 * features_count; i++) weight[i / 3][i % 3] = reals[i];
    if (ints(tables, "lost", named, 2) != 2) return NULL;
    english_lost = named[0], scottish_lost = named[1];
    if (features_count != nobles_count + 19 + 26) goto full;
    if (!planner) {
        planner = PyMem_Malloc(sizeof *planner);
        ideas_room = PyMem_Malloc(sizeof *ideas_room * IDEAS_MOST);
        ranked_room = PyMem_Malloc(sizeof *ranked_room * IDEAS_MOST);
        if (!planner || !ideas_room || !ranked_room) return PyErr_NoMemory();
    }
    ready = 1;
    Py_RETURN_NONE;
full:
    PyErr_SetString(PyExc_ValueError, "setup got a table that does not fit this version");
    return NULL;
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_O, "Hand over the tables of the board, the blocks and the weights."},
    {"finish", finish, METH_VARARGS, "Play the rest of a trial, and return the hope of the English."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "pbem_native", "Trials of Hammer, compiled.", -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_pbem_native(void) { return PyModule_Create(&definition); }
