"""Domain packs: the knowledge about one trade, shipped as one value ``pack`` per package.

A pack builds on the public names of ``veridical``, on the descriptors in
``veridical.ontology.model`` and on the values in ``veridical.contracts``; nothing else of the core.
The core finds a pack through the entry-point group ``veridical.packs`` and never imports one.
"""
