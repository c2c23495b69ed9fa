"""Prints what PlannerTest expects: the number of pairs with which a two-sided paired t test at 5 % finds a difference, by the
noncentral t distribution, for differences whose standard deviation is 1; and that with which the interval of a mean, at the
confidence that the gate gives each of seven numbers, lies beyond a limit."""

from scipy import stats


def power(n, effect, level):
    critical = stats.t.ppf(1 - level / 2, n - 1)
    return stats.nct.sf(critical, n - 1, effect * n ** .5)


def least(effect, level, wanted):
    n = 3
    while power(n, effect, level) < wanted:
        n += 1
    return n


for effect in [.1, .15, .3]:
    for wanted in [.8, .9]:
        print("paired t", effect, wanted, least(effect, .05, wanted))
for effect, limit in [(.3, .1), (.25, 0)]:
    print("gate", effect, limit, least(effect - limit, .05 / 7, .8))
