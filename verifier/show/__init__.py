"""What people read: signs, sheets, sentences and pictures, for each medium. Nothing here decides."""
