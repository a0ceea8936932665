"""Words that say what a picture shows."""

from bot.pictures.charts import LONGEST, fitting, percent


def test_the_first_telling_that_fits_is_told() -> None:
    assert fitting("all", "less") == "all"
    assert fitting("x" * (LONGEST + 1), "less") == "less"
    assert len(fitting("x" * LONGEST)) == LONGEST


def test_a_telling_that_is_cut_says_so() -> None:
    cut = fitting("word " * 300)
    assert len(cut) <= LONGEST
    assert cut.endswith("wor (cut)")


def test_a_chance_reads_as_in_the_text() -> None:
    assert [percent(chance) for chance in (0, 0.0834, 1)] == ["0.0%", "8.3%", "100.0%"]
