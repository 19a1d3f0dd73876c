import { isIPv4 } from 'node:net';

type Value = string | number | { [name: string]: Value };
/** What a bit leads to: a node, the offset of a record, or nothing (undefined). */
type Branch = { node: number } | { offset: number } | undefined;

/**
 * Creates a database in the MaxMind DB format, version 2.0.
 * @param networks such as `192.0.2.0/24`; they must not overlap
 */
export function toMmdb(networks: Record<string, { [name: string]: Value }>): Buffer {
  const nodes: [Branch, Branch][] = [[undefined, undefined]];
  const data: Buffer[] = [];
  let length = 0;
  for (const [network, value] of Object.entries(networks)) {
    const encoded = encode(value);
    insert(nodes, toBits(network), length);
    data.push(encoded);
    length += encoded.length;
  }
  const toRecord = (branch: Branch) => {
    if (branch === undefined) return nodes.length;
    return 'node' in branch ? branch.node : nodes.length + 16 + branch.offset;
  };
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach(([left, right], index) => {
    tree.writeUIntBE(toRecord(left), index * 6, 3);
    tree.writeUIntBE(toRecord(right), index * 6 + 3, 3);
  });
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000,
    database_type: 'Test',
    description: {},
    ip_version: 6,
    node_count: nodes.length,
    record_size: 24,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

function insert(nodes: [Branch, Branch][], bits: readonly (0 | 1)[], offset: number): void {
  let node = nodes[0]!;
  for (const bit of bits.slice(0, -1)) {
    const branch = node[bit] ?? { node: nodes.push([undefined, undefined]) - 1 };
    if ('offset' in branch) throw new Error('a network within another');
    node[bit] = branch;
    node = nodes[branch.node]!;
  }
  node[bits.at(-1)!] = { offset };
}

/** IPv4 addresses are the first 2^32 addresses of IPv6. */
function toBits(network: string): (0 | 1)[] {
  const [address = '', prefix] = network.split('/');
  if (!isIPv4(address)) throw new Error('IPv4 alone');
  const octets = address.split('.').map(octet => Number(octet).toString(2).padStart(8, '0'));
  const bits = `${'0'.repeat(96)}${octets.join('').slice(0, Number(prefix))}`;
  return [...bits].map(bit => (bit === '1' ? 1 : 0));
}

const [TEXT, UINT32, MAP] = [2, 6, 7];

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(UINT32, 4), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    head(MAP, entries.length),
    ...entries.flatMap(([name, existing]) => [encode(name), encode(existing)]),
  ]);
}

function head(type: number, size: number): Buffer {
  return Buffer.from(size < 29 ? [(type << 5) | size] : [(type << 5) | 29, size - 29]);
}
