"""The analyser of each language."""

from collections.abc import Mapping
from types import MappingProxyType

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import Analyser
from veridical.search.analysis.chinese import CHINESE
from veridical.search.analysis.english import ENGLISH
from veridical.search.analysis.german import GERMAN

ANALYSERS: Mapping[Language, Analyser] = MappingProxyType(
    {each.language: each for each in (ENGLISH, GERMAN, CHINESE)}
)
