"""Shapes and values without memory: a model of each operator in each version,
of branches, loops and calls, and of chains, each resolved with allocation
number 1, 2, 3 and so on failing (faults/fold_faults.c).
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import fold_models
import support


class Faults(unittest.TestCase):
    def test_each_allocation(self):
        program = os.environ["CLCONST_FOLD_FAULTS"]
        random, _ = support.generator()
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for family in fold_models.FAMILIES:
                for number, model in enumerate(family(random)):
                    path = pathlib.Path(folder,
                                        f"{family.__name__}_{number}.onnx")
                    path.write_bytes(model.SerializeToString())
                    paths.append(path)
            done = subprocess.run([program, *paths], env=support.environment())
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    support.main()
