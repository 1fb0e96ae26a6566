"""What a TCP sender of Linux does with ACKs, losses and timers: rules that its two loss recoveries share.

    ack -> state_machine -> reduction      an ACK comes, what it says of losses, what that does to cwnd
    sending, timers                        what leaves, and when it is sent without an ACK

Written from Linux 6.18's behaviour (net/ipv4/tcp_input.c, tcp_output.c, tcp_timer.c, tcp_recovery.c) and the RFCs that
it follows. Functions of Linux are named as sources. The sender counts what is under way instead of inflating cwnd.
"""
