"""What the table says of rows without a value."""

import contextlib
import io
import unittest

import report


def row(offset, ratio, size=256 << 20):
    return {"path": "auto", "dtype": "float", "offset": offset, "bytes": size,
            "fresh": False, "ratio_to_limit": ratio,
            "least_ratio_to_limit": 0.9}


def line(rows):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        report.add_least(rows, "auto", "ratio_to_limit", 0.8, "fills")
    return printed.getvalue()


class Report(unittest.TestCase):
    def test_a_group_without_values_says_so(self):
        self.assertEqual(line([row(0, None), row(1, None)]),
                         "| fills | >= 0.8 | no value in 2 rows | - |\n")

    def test_rows_without_a_value_are_counted(self):
        self.assertEqual(
            line([row(0, 0.75), row(1, None)]),
            "| fills | >= 0.8 | least 0.75 (float at offset 0), median 0.75, "
            "most 0.75, 1 without a value; of the shortest times: 0.90 to "
            "0.90 | no |\n")

    def test_rows_of_other_sizes_do_not_count(self):
        self.assertEqual(
            line([row(0, 0.75), row(0, 0.1, 1 << 30), row(0, 0.2, 16 << 20),
                  row(1, 0.7, (256 << 20) - 1)]),
            "| fills | >= 0.8 | least 0.70 (float at offset 1), median 0.72, "
            "most 0.75; of the shortest times: 0.90 to 0.90 | no |\n")


if __name__ == "__main__":
    unittest.main()
