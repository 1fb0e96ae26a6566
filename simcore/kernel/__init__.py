"""The Linux kernel's own TCP in place of the model's, over the model's network.

    sender   -> port -> link -> receiver        ports, links, queues, UDP and the log are those of `simcore.process`
    (kernel) <- link <- port <- (kernel)        each end is a network namespace with a device

It runs in real time. A packet that is due at T is handed to the kernel once the clock has passed T; what the kernel
answers within that call is stamped T, however late the call was. Only what the kernel says unasked (the timers of
retransmissions, delayed ACKs and pacing) is stamped by the clock. A run without such is the same each time, bit for
bit.

A flow whose congestion control somebody has written and registered keeps the model's TCP: it meets the kernel's on the
same network, in the same time.

`engine` starts a process for each run, `child` is that process. When it ends, so do its namespaces: none has a name.
"""

from simcore.extras import require

require("kernel")
