"""The laboratory: models that err on purpose, planted defects, and a public set of questions."""
