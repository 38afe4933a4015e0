"""How long `import tidemill` takes beside `import asyncio`, each time in a new interpreter, as a process imports only once."""

from __future__ import annotations

import statistics
import subprocess
import sys

TARGET = 1.6  # times `import asyncio`
STATEMENTS = {
    "import asyncio": "import asyncio",
    "import tidemill": "import tidemill",
    "… wire, records, assignors, partitioners": "from tidemill import wire, records, assignors, partitioners, placement, errors",
}
RUNS_A_ROUND = 5


def seconds(statement: str) -> float:
    program = f"import time\nstarted = time.process_time()\n{statement}\nprint(time.process_time() - started)"
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def report(rounds: int) -> str:
    taken: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for number in range(rounds * RUNS_A_ROUND):
        names = list(STATEMENTS)
        for name in names if number % 2 == 0 else reversed(names):
            taken[name].append(seconds(STATEMENTS[name]) * 1e3)
    measure = statistics.median(taken["import asyncio"])
    rows = ["| statement | CPU ms | lowest – highest | × `import asyncio` | target |", "|---|---|---|---|---|"]
    for name, times in taken.items():
        target = f"≤ {TARGET}" if name == "import tidemill" else ""
        middle = statistics.median(times)
        rows.append(f"| {name} | {middle:.1f} | {min(times):.1f} – {max(times):.1f} | {middle / measure:.2f} | {target} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(report(rounds=5))
