"""What other programs recorded, as Datasets: ns-2's traces, captures of packets. What a file doesn't tell is absent."""
