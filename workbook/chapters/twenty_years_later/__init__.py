"""The chapter that asks the kernel: the same scenarios on the model and, as kept runs, on the Linux kernel's TCP."""
