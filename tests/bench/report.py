"""The table of measures and targets."""

import statistics

from session import LARGE


def add(measure, target, measured, reached, remark=""):
    verdict = {True: "yes", False: "no", None: "-"}[reached]
    print(f"| {measure} | {target} | {measured}{remark} | {verdict} |",
          flush=True)


def ratio(seconds, slow, fast):
    """Of two cases' medians, and its range over their quartiles."""
    middle = statistics.median(seconds[slow]) / statistics.median(seconds[fast])
    slow_quartiles = statistics.quantiles(seconds[slow], n=4)
    fast_quartiles = statistics.quantiles(seconds[fast], n=4)
    return middle, (f"{middle:.2f} ({slow_quartiles[0] / fast_quartiles[2]:.2f}"
                    f" to {slow_quartiles[2] / fast_quartiles[0]:.2f}; "
                    f"{1e3 * statistics.median(seconds[slow]):.3g} against "
                    f"{1e3 * statistics.median(seconds[fast]):.3g} ms; of the "
                    f"shortest times: {min(seconds[slow]) / min(seconds[fast]):.2f})")


def select(bench, path, key):
    """By dtype and offset: the warm rows of 256 MiB, of one path."""
    return {(row["dtype"], row["offset"]): row[key] for row in bench
            if row["path"] == path and LARGE - 3 < row["bytes"] <= LARGE
            and not row["fresh"]}


def add_least(bench, path, key, target, name):
    values = select(bench, path, key)
    known = {place: value for place, value in values.items()
             if value is not None}
    if not known:
        add(name, f">= {target}", f"no value in {len(values)} rows", None)
        return
    least = min(known, key=known.get)
    remark = (f", {len(values) - len(known)} without a value"
              if len(known) < len(values) else "")
    if key == "ratio_to_limit":
        shortest = select(bench, path, "least_ratio_to_limit").values()
        remark += (f"; of the shortest times: {min(shortest):.2f} to "
                   f"{max(shortest):.2f}")
    add(name, f">= {target}",
        f"least {known[least]:.2f} ({least[0]} at offset {least[1]}), median "
        f"{statistics.median(known.values()):.2f}, most "
        f"{max(known.values()):.2f}", known[least] >= target, remark)
