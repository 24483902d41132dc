"""The modes of a comparison, and the same data opened as each of them sees it."""
