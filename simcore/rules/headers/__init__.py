"""What packets say beside number and size: an option of TCP's header is one module, which both ends obey.

What all packets have, and what an option is, says `header`; `registry` finds the options. The bits of IP and TCP that
routers read, too, are in `ecn_bits`.
"""
