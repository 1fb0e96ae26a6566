"""What every TCP sender does: its state, ACKs, the retransmission timer, ECN."""
