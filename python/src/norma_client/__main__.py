"""`python -m norma_client doctor`: which value of the environment is wrong, and what to do."""

from __future__ import annotations

import os
import sys

from ._doctor import diagnose


def main(arguments: list[str]) -> int:
    """Prints what was found; 0 where all is right, 1 with a problem, 2 for another command."""
    if arguments != ["doctor"]:
        print(
            "usage: python -m norma_client doctor\n\n"
            "Examines the variables NORMA_… that `Norma.from_env()` reads, and says which is wrong.",
            file=sys.stderr,
        )
        return 2
    status = 0
    for finding in diagnose(os.environ):
        print(finding, flush=True)
        status = status or int(bool(finding.remedy))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
