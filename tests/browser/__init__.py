"""What a reader, a student and a researcher see, in a real browser: chromium, driven by playwright."""
