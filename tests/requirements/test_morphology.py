"""Forms of words: one dictionary for each language, however many ask for it at once."""

import subprocess
import sys

_ASKED_AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from simplemma.strategies.dictionaries import dictionary_factory

loads = []
load = dictionary_factory._load_dictionary_from_disk

def counted(code):
    loads.append(code)
    return load(code)

dictionary_factory._load_dictionary_from_disk = counted

from veridical.contracts.language import Language
from veridical.requirements.morphology import is_word_of, lemma

words = [("house", "en"), ("houses", Language.EN), ("tables", "en"), ("chair", Language.EN)]
with ThreadPoolExecutor(4) as threads:
    list(threads.map(lambda each: (is_word_of(*each), lemma(*each)), words))
print(loads)
"""


def test_a_dictionary_is_loaded_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ASKED_AT_ONCE], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['en']"
