import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evidence.concepts import concepts, concepts_in

pytestmark = pytest.mark.slow

SIGNS = sorted({sign for words in concepts().values() for word in words for sign in word})
HAN_WORDS = sorted({word for words in concepts().values() for word in words if word > "\u2e80"})
RUNS = st.lists(
    st.sampled_from(HAN_WORDS) | st.sampled_from(SIGNS).filter(lambda sign: sign > "\u2e80"),
    max_size=5,
)


@given(RUNS)
def test_a_run_has_the_notions_of_all_words_within_it(parts: list[str]) -> None:
    run = "".join(parts)
    assert concepts_in(run) == {
        name
        for name, words in concepts().items()
        if any(word in run for word in words if word in HAN_WORDS and len(word) > 1)
    }
