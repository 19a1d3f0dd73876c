import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const DOTTED_END = /\d+\.\d+\.\d+\.\d+$/;

/**
 * The eight groups of an IPv6 address (RFC 4291, section 2.2).
 * @param address accepted by `isIPv6`, without a zone
 */
export function ipv6Groups(address: string): number[] {
  const plain = address.replace(DOTTED_END, dotted => {
    const digits = octetDigits(dotted);
    return `${digits.slice(0, 4)}:${digits.slice(4)}`;
  });
  const [before = [], after] = plain.split('::').map(half => half.split(':').filter(group => group !== ''));
  const zeros = Array.from({ length: after ? 8 - before.length - after.length : 0 }, () => '0');
  return [...before, ...zeros, ...(after ?? [])].map(group => Number.parseInt(group, 16));
}

/** The prefix of IPv4 addresses mapped into IPv6 (RFC 4291, section 2.5.5.2). */
const MAPPED = '00000000000000000000ffff';

/** Returns the 32 hexadecimal digits of an address, with IPv4 mapped into IPv6; they sort like the addresses. */
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

/** The maximum length of an address with brackets, zone and port. */
const LONGEST_ADDRESS = 120;

/**
 * Returns an IP address in canonical form: dotted without leading zeros, or as in RFC 5952. IPv4 addresses mapped into
 * IPv6 become IPv4. Brackets, port and zone are removed.
 * @returns undefined for anything else
 */
export function parseIpAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (text.length > LONGEST_ADDRESS) return undefined;
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed) ?? [];
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(trimmed) ?? [];
  const address = (bracketed ?? beforePort ?? trimmed).split('%', 1)[0]!;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const [, mapped] = /^0{20}ffff([0-9a-f]{8})$/.exec(addressDigits(address)) ?? [];
  if (mapped) return [0, 2, 4, 6].map(at => Number.parseInt(mapped.slice(at, at + 2), 16)).join('.');
  return new SocketAddress({ address, family: 'ipv6' }).address;
}
