const DOTTED_END = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** The eight groups of an IPv6 address (RFC 4291, section 2.2). @param address one that `isIPv6` takes, without a zone */
export function ipv6Groups(address: string): number[] {
  const dotted = DOTTED_END.exec(address);
  const plain = dotted
    ? address.slice(0, dotted.index) + groupsOfIpv4(dotted.slice(1)).map(hex).join(':')
    : address;
  const [before = [], after] = plain.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = Array.from({ length: after ? 8 - before.length - after.length : 0 }, () => '0');
  return [...before, ...zeros, ...(after ?? [])].map(group => Number.parseInt(group, 16));
}

/** The number of an address among those of IPv6, where IPv4 is mapped (`::ffff:192.0.2.1`). */
export function addressBits(address: string): bigint {
  const plain = address.split('%', 1)[0]!;
  const groups = ipv6Groups(plain.includes(':') ? plain : `::ffff:${plain}`);
  return BigInt(`0x${groups.map(group => hex(group).padStart(4, '0')).join('')}`);
}

function groupsOfIpv4(octets: readonly string[]): [number, number] {
  const [first, second, third, fourth] = octets.map(Number) as [number, number, number, number];
  return [first * 256 + second, third * 256 + fourth];
}

function hex(group: number): string {
  return group.toString(16);
}
