// A load in ns-3, without a trace. Prints the data packets offered to the link and the CPU seconds of the event loop.
// ns3 FLOWS RATE_MBPS DELAY_MS BUFFER_PACKETS WINDOW_PACKETS PACKET_BYTES STAGGER_S STOP_S END_S

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

using namespace ns3;

int
main(int count, char** given)
{
    if (count != 10)
    {
        std::cerr << "nine arguments, please: see the top of ns3.cc" << std::endl;
        return 2;
    }
    const int flows = std::atoi(given[1]);
    const double rateMbps = std::atof(given[2]);
    const double delayMs = std::atof(given[3]);
    const std::string buffer = std::string(given[4]) + "p";
    const uint32_t window = std::atoi(given[5]);
    const uint32_t bytes = std::atoi(given[6]);
    const double stagger = std::atof(given[7]);
    const double stop = std::atof(given[8]);
    const double end = std::atof(given[9]);

    // Reno without what the other simulators of this benchmark don't have.
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TypeId::LookupByName("ns3::TcpLinuxReno")));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(bytes));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(window * bytes));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(8 * window * bytes)); // ns-3.37 crashes at its edge

    NodeContainer nodes;
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(rateMbps * 1e6))));
    link.SetChannelAttribute("Delay", TimeValue(Seconds(delayMs * 1e-3)));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(buffer));
    const NetDeviceContainer devices = link.Install(nodes);
    InternetStackHelper().Install(nodes); // no traffic control: it would put a second queue before the link's
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
    for (int i = 0; i < flows; i++)
    {
        const InetSocketAddress place(interfaces.GetAddress(1), 5000 + i);
        BulkSendHelper source("ns3::TcpSocketFactory", place);
        source.SetAttribute("SendSize", UintegerValue(bytes));
        ApplicationContainer sender = source.Install(nodes.Get(0));
        sender.Start(Seconds(0.1 + i * stagger));
        sender.Stop(Seconds(stop));
        PacketSinkHelper("ns3::TcpSocketFactory", place).Install(nodes.Get(1));
    }

    Simulator::Stop(Seconds(end));
    const std::clock_t began = std::clock();
    Simulator::Run();
    const double used = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    const Ptr<Queue<Packet>> queue = DynamicCast<PointToPointNetDevice>(devices.Get(0))->GetQueue();
    std::cout << queue->GetTotalReceivedPackets() + queue->GetTotalDroppedPackets() << " " << used << std::endl;
    return 0;
}
