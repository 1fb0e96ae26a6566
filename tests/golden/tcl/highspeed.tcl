# Two senders of HighSpeed TCP, NewReno and SACK, and one standard sender on a long path.
# Run as `ns highspeed.tcl FILE`: the trace of the bottleneck, both directions.
set ns [new Simulator]
set near [$ns node]
set far [$ns node]
$ns duplex-link $near $far 20Mb 80ms DropTail
$ns queue-limit $near $far 60
set out [open [lindex $argv 0] w]
$ns trace-queue $near $far $out

set fid 0
foreach {kind sink option start} {Newreno TCPSink 8 0.1 Sack1 TCPSink/Sack1 8 2.0 Reno TCPSink 1 5.0} {
    incr fid
    set tcp [new Agent/TCP/$kind]
    $tcp set packetSize_ 1000
    $tcp set window_ 2000
    $tcp set windowOption_ $option
    $tcp set fid_ $fid
    $ns attach-agent $near $tcp
    set receiver [new Agent/$sink]
    $ns attach-agent $far $receiver
    $ns connect $tcp $receiver
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    $ns at $start "$ftp start"
    $ns at 25.0 "$ftp stop"
}
$ns at 25.5 "close $out; exit 0"
$ns run
