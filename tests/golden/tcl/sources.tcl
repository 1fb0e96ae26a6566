# Two senders of Reno and four on/off sources share a short queue; everything draws from one seeded generator.
# Run as `ns sources.tcl SEED FILE`: the trace of the bottleneck, both directions.
set seed [lindex $argv 0]
$defaultRNG seed $seed
set ns [new Simulator]
set near [$ns node]
set far [$ns node]
$ns duplex-link $near $far 2Mb 10ms DropTail
$ns queue-limit $near $far 10
set out [open [lindex $argv 1] w]
$ns trace-queue $near $far $out

proc joined {source sink fid} {
    global ns near far
    $ns attach-agent $near $source
    $ns attach-agent $far $sink
    $ns connect $source $sink
    $source set fid_ $fid
}

for {set i 1} {$i <= 2} {incr i} {
    set tcp [new Agent/TCP/Reno]
    $tcp set packetSize_ 1000
    $tcp set window_ 20
    joined $tcp [new Agent/TCPSink] $i
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    $ns at 0.1 "$ftp start"
    $ns at 20.0 "$ftp stop"
}
for {set i 3} {$i <= 6} {incr i} {
    set udp [new Agent/UDP]
    joined $udp [new Agent/Null] $i
    set source [new Application/Traffic/[expr {$i % 2 ? "Exponential" : "Pareto"}]]
    $source set packetSize_ 210
    $source set rate_ 0.4Mb
    $source set burst_time_ 0.15
    $source set idle_time_ 0.1
    if {$i % 2 == 0} { $source set shape_ 1.5 }
    $source attach-agent $udp
    $ns at [expr {0.1 * $i}] "$source start"
    $ns at 19.0 "$source stop"
}
$ns at 20.5 "close $out; exit 0"
$ns run
