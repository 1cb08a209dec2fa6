"""What is shown after an edit before the rest of the text is read again."""
