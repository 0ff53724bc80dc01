"""The rate at which a model of 3 GiB is loaded, beside a plain copy of its
file into fresh memory in the same process: FILE LOADER [DEVICE..]. LOADER is
large_load of the build folder."""

import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "large"))
# pylint: disable=wrong-import-position
import large_model
import test_large

ROUND_COUNT = 5


def main():
    loader = sys.argv[1]
    devices = sys.argv[2:] or ["cpu", "opencl"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        large_model.write(folder)
        rounds = {device: [] for device in devices}
        for _ in range(ROUND_COUNT):
            for device in devices:
                told = test_large.load(loader, device, folder)
                if told is not None:
                    rounds[device].append(told)
    print("device  GB/s  copy GB/s  ratio (least to most)")
    for device, told in rounds.items():
        if not told:
            print(f"{device:6}  none")
            continue
        # The copy moves the external data alone, the load all arenas.
        size = statistics.median(t["arena_bytes"] for t in told)
        rates = [size / t["seconds"] for t in told]
        copies = [large_model.TOTAL_SIZE / t["copy_seconds"] for t in told]
        ratios = [rate / copy for rate, copy in zip(rates, copies)]
        print(f"{device:6}  {statistics.median(rates) * 1e-9:4.2f}  "
              f"{statistics.median(copies) * 1e-9:9.2f}  "
              f"{statistics.median(ratios):.2f} "
              f"({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
