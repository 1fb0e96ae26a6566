/* What an event loop costs at the least: the four events of a data packet and its ACK (transmitter free and arrival,
 * out and back), rings of packets, and nothing of TCP but that an ACK releases the next packet.
 *
 * Prints the data packets sent and the CPU seconds of the loop.
 * bound FLOWS RATE_MBPS DELAY_MS BUFFER_PACKETS WINDOW_PACKETS PACKET_BYTES STAGGER_S STOP_S END_S
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ARGUMENTS = 9, HEADER_BYTES = 40, ACK_BYTES = 40, OUT = 0, BACK = 1, LINKS = 2 };

typedef struct {
    double time;
    int64_t id; /* simultaneous events run in the order in which they were scheduled */
} Event;

typedef struct {
    Event arrival;
    int64_t seq;
    int32_t flow, bytes;
} Packet;

/* The ring holds the packets on their way [arrived, taken) and those that wait [taken, offered). */
typedef struct {
    int idle;
    uint64_t arrived, taken, offered;
    Packet *ring;
} Link;

static Link network[LINKS];
static Event heads[2 * LINKS]; /* 2i: the transmitter of link i is free, 2i + 1: the first packet on its way arrives */
static double rate_bps, delay_s, now;
static int64_t next_id;
static uint64_t mask;

static inline Event after(double seconds) { return (Event){now + seconds, next_id++}; }

static inline int precedes(Event a, Event b) { return a.time < b.time || (a.time == b.time && a.id < b.id); }

static inline void transmit(int i)
{
    Link *link = &network[i];
    Packet *packet = &link->ring[link->taken & mask];
    double seconds = packet->bytes * 8.0 / rate_bps;
    packet->arrival = after(seconds + delay_s);
    heads[2 * i] = after(seconds);
    if (link->arrived == link->taken)
        heads[2 * i + 1] = packet->arrival;
    link->taken++;
    link->idle = 0;
}

static inline void offer(int i, int32_t flow, int64_t seq, int32_t bytes)
{
    Link *link = &network[i];
    Packet *packet = &link->ring[link->offered++ & mask];
    packet->flow = flow;
    packet->seq = seq;
    packet->bytes = bytes;
    if (link->idle)
        transmit(i);
}

static inline void transmitter_freed(int i)
{
    heads[2 * i].time = INFINITY;
    network[i].idle = 1;
    if (network[i].taken < network[i].offered)
        transmit(i);
}

static inline Packet packet_arrived(int i)
{
    Link *link = &network[i];
    Packet packet = link->ring[link->arrived++ & mask];
    heads[2 * i + 1].time = INFINITY;
    if (link->arrived < link->taken)
        heads[2 * i + 1] = link->ring[link->arrived & mask].arrival;
    return packet;
}

static inline int first_head(void)
{
    int first = 0;
    for (int k = 1; k < 2 * LINKS; k++)
        if (precedes(heads[k], heads[first]))
            first = k;
    return first;
}

int main(int count, char **given)
{
    if (count != ARGUMENTS + 1)
        return fprintf(stderr, "%d arguments, please: see the top of bound.c\n", ARGUMENTS), 2;
    int flows = atoi(given[1]);
    rate_bps = atof(given[2]) * 1e6;
    delay_s = atof(given[3]) * 1e-3;
    int32_t bytes = atoi(given[6]) + HEADER_BYTES;
    double end_s = atof(given[ARGUMENTS]);
    int64_t fits = atoi(given[4]) + (int64_t)(rate_bps * 2 * delay_s / (8 * bytes)); /* the buffer and the pipe */
    int64_t allowed = (int64_t)flows * atoi(given[5]);
    int64_t circulating = allowed < fits ? allowed : fits;

    for (mask = 1; mask <= (uint64_t)circulating; mask *= 2)
        ;
    for (int i = 0; i < LINKS; i++) {
        network[i] = (Link){1, 0, 0, 0, malloc(mask * sizeof(Packet))};
        heads[2 * i] = heads[2 * i + 1] = (Event){INFINITY, 0};
    }
    mask--;
    int64_t *next_seq = calloc(flows, sizeof *next_seq);

    clock_t began = clock();
    for (int64_t i = 0; i < circulating; i++)
        offer(OUT, i % flows, next_seq[i % flows]++, bytes);
    for (int head; now = heads[head = first_head()].time, now < end_s;) {
        if (head % 2 == 0) {
            transmitter_freed(head / 2);
            continue;
        }
        Packet packet = packet_arrived(head / 2);
        if (head / 2 == OUT)
            offer(BACK, packet.flow, packet.seq, ACK_BYTES);
        else
            offer(OUT, packet.flow, next_seq[packet.flow]++, bytes);
    }
    double used = (double)(clock() - began) / CLOCKS_PER_SEC;

    int64_t packets = 0;
    for (int i = 0; i < flows; i++)
        packets += next_seq[i];
    printf("%lld %.9f\n", (long long)packets, used);
    return 0;
}
