# A load in ns-2. Prints the data packets sent and the CPU seconds of the event loop alone.
# ns ns2.tcl FLOWS RATE_MBPS DELAY_MS BUFFER_PACKETS WINDOW_PACKETS PACKET_BYTES STAGGER_S STOP_S END_S [lean | FILE]
# With a FILE, every event is traced to it.

lassign $argv flows rate_mbps delay_ms buffer window packet_bytes stagger stop end option

# The kernel brings a process's own account up to date when it gives up the processor, as it does by sleeping.
proc cpu_s {} {
    after 1
    set file [open /proc/self/schedstat]
    set ns [lindex [gets $file] 0]
    close $file
    return [expr {$ns * 1e-9}]
}

proc finish {} {
    global ns senders began
    $ns flush-trace
    set used [expr {[cpu_s] - $began}]
    set packets 0
    foreach sender $senders {
        incr packets [$sender set ndatapack_]
    }
    puts "$packets $used"
    exit 0
}

# Every packet carries the headers of all protocols that ns-2 knows, unless told otherwise.
if {$option eq "lean"} {
    remove-all-packet-headers
    add-packet-header IP TCP Flags
}
set ns [new Simulator]
if {$option ne "" && $option ne "lean"} {
    $ns trace-all [open $option w]
}
set near [$ns node]
set far [$ns node]
$ns duplex-link $near $far ${rate_mbps}Mb ${delay_ms}ms DropTail
$ns queue-limit $near $far $buffer

Agent/TCP set packetSize_ $packet_bytes
Agent/TCP set window_ $window
for {set i 0} {$i < $flows} {incr i} {
    set sender [new Agent/TCP/Reno]
    set sink [new Agent/TCPSink]
    $ns attach-agent $near $sender
    $ns attach-agent $far $sink
    $ns connect $sender $sink
    set source [new Application/FTP]
    $source attach-agent $sender
    $ns at [expr {0.1 + $i * $stagger}] "$source start"
    $ns at $stop "$source stop"
    lappend senders $sender
}
$ns at $end "finish"
set began [cpu_s]
$ns run
