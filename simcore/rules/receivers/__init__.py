"""What a TCP receiver does: when it acknowledges, and what an ACK says."""
