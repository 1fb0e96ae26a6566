"""What a packet says of congestion: the bits of IP and TCP headers that RFC 3168 defines, as a sum of flags."""

from typing import Final

CAPABLE: Final = 1  # ECT in the IP header: may be marked (section 5)
EXPERIENCED: Final = 2  # CE in the IP header: was marked (section 5)
ECHO: Final = 4  # ECE in the TCP header: a mark has arrived; in a SYN and its ACK: let us use ECN (section 6.1.1)
REDUCED: Final = 8  # CWR in the TCP header: the window was reduced (section 6.1.2)
