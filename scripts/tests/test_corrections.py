"""Tests of the page of corrections: what the script finds is what the page says."""

import sys
import unittest
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(CLONE / "scripts")]

import corrections  # noqa: E402


class Corrections(unittest.TestCase):
    def test_one_number_is_wrong_and_on_the_page(self):
        checked = list(corrections.checks())
        wrong = corrections.wrong(checked)
        page = (CLONE / "docs" / "corrections.md").read_text(encoding="utf-8")
        self.assertEqual([("Table 5, ModernBERT-base MB, difference x 1000", 21.2)], [check[:2] for check in wrong])
        self.assertAlmostEqual(21.6, wrong[0][2])
        self.assertIn(f"computes {len(checked)} printed numbers", page)
        self.assertIn("difference 21.2 | 21.6", page)

    def test_a_changed_value_is_found(self):
        curves = corrections.curves()
        curves["Qwen3-0.6B", "MU"][0] += 20
        was, corrections.curves = corrections.curves, lambda: curves
        self.addCleanup(setattr, corrections, "curves", was)
        wrong = [check[0] for check in corrections.wrong(corrections.checks())]
        self.assertIn("Table 13, Qwen3-0.6B MU, range x 1000", wrong)
        self.assertIn("Table 5, Qwen3-0.6B MU, peak", wrong)


if __name__ == "__main__":
    unittest.main()
