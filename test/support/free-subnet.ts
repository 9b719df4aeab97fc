import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

/** Private addresses that container engines and virtual machines do not use by default. */
const FIRST = 200;
const LAST = 254;
const SIZE = 256;

interface Range {
  readonly by: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A network `10.x.y.0/24` that no route or interface of this machine uses. Concurrent runs start searching at different places. Throws a
 * one-line reason if none is free.
 */
export async function freeSubnet(seed: number): Promise<{ subnet: string; gateway: string }> {
  const taken = [...(await routes()), ...interfaces()];
  const count = (LAST - FIRST + 1) * SIZE;
  for (let i = 0; i < count; i++) {
    const place = (seed + i) % count;
    const prefix = `10.${FIRST + Math.floor(place / SIZE)}.${place % SIZE}`;
    const from = numberOf(`${prefix}.0`);
    if (taken.some((range) => range.from < from + SIZE && range.to >= from)) continue;
    return { subnet: `${prefix}.0/24`, gateway: `${prefix}.1` };
  }
  const inTheWay = new Set(taken.filter(({ to }) => to >= numberOf(`10.${FIRST}.0.0`)).map(({ by }) => by));
  throw new Error(`no network within 10.${FIRST}.0.0 to 10.${LAST}.255.255 is free: ${[...inTheWay].join(', ')}`);
}

/** Linux lists routes with hexadecimal numbers, the lowest byte first. */
async function routes(): Promise<Range[]> {
  const [, ...lines] = (await readFile('/proc/net/route', 'utf8')).trim().split('\n');
  return lines.flatMap((line) => {
    const [by = '', target = '', , , , , , mask = ''] = line.trim().split(/\s+/);
    const [from, bits] = [target, mask].map((hex) => Buffer.from(hex, 'hex').readUInt32LE()) as [number, number];
    // The default route does not conflict.
    return bits === 0 ? [] : [{ by: `a route of ${by}`, from, to: from + (2 ** 32 - 1 - bits) }];
  });
}

function interfaces(): Range[] {
  return Object.entries(networkInterfaces()).flatMap(([by, addresses = []]) =>
    addresses
      .filter(({ family }) => family === 'IPv4')
      .map(({ address, netmask }) => {
        const size = 2 ** 32 - numberOf(netmask);
        const from = Math.floor(numberOf(address) / size) * size;
        return { by: `the interface ${by}`, from, to: from + size - 1 };
      }),
  );
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
