"""Start-up, resident memory, size of the program."""

from . import world


def measure(folder, provider, path, rounds):
    """Seconds from start to ready and bytes of memory then, each start anew."""
    world.license(path, provider)
    starts = []
    for _ in range(rounds):
        norma = world.Norma(folder, provider, path)
        starts.append({"ready": norma.ready_after, "cpu": norma.cpu(), "memory": norma.memory()})
        norma.stop()
    return {"starts": starts, "binary": (world.RELEASE / "norma").stat().st_size}
