"""Referenced answers: the model writes references and claims, the host computes and proves."""
