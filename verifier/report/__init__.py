"""What people read: sheets, sentences, pages. A report never decides."""
