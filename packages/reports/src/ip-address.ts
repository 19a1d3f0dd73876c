const DOTTED_END = /\d+\.\d+\.\d+\.\d+$/;

/** The eight groups of an IPv6 address (RFC 4291, section 2.2). @param address one that `isIPv6` takes, without a zone */
export function ipv6Groups(address: string): number[] {
  const plain = address.replace(DOTTED_END, dotted => {
    const digits = octetDigits(dotted);
    return `${digits.slice(0, 4)}:${digits.slice(4)}`;
  });
  const [before = [], after] = plain.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = Array.from({ length: after ? 8 - before.length - after.length : 0 }, () => '0');
  return [...before, ...zeros, ...(after ?? [])].map(group => Number.parseInt(group, 16));
}

/** IPv4 addresses among those of IPv6 (RFC 4291, section 2.5.5.2). */
const MAPPED = '00000000000000000000ffff';

/** The 32 hexadecimal digits of an address, where IPv4 is mapped into IPv6: their order is that of the addresses. */
export function addressDigits(address: string): string {
  if (!address.includes(':')) return MAPPED + octetDigits(address);
  const groups = ipv6Groups(address.split('%', 1)[0]!);
  return groups.map(group => group.toString(16).padStart(4, '0')).join('');
}

const OCTETS = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

function octetDigits(dotted: string): string {
  let digits = '';
  for (const octet of dotted.split('.')) digits += OCTETS[Number(octet)];
  return digits;
}
