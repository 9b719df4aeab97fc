import { isIP } from 'node:net';
import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';
import type { NamedGroup } from '../find.ts';

/** Data that the name server answers from. */
export interface Zone {
  /** The domain that the server is authoritative for: `containers.localhost`. */
  readonly suffix: string;
  find(name: string): Promise<NamedGroup | undefined>;
}

/** Response codes (RFC 1035, 4.1.1; RFC 2136). `dns-packet` takes them in the flags. */
const CODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
type Code = keyof typeof CODES;

const AUTHORITATIVE = 1 << 10;
const RECURSION_DESIRED = 1 << 8;
const HEADER_BYTES = 12;
const LONGEST_LABEL = 63;
const ROOT = '.';
/** A question for all types; the library's list of types lacks it. */
const ANY: string = 'ANY';

/** Seconds. Short, because a group's address changes with its next deployment. */
const TTL = 1;

/** The answer to a query; undefined if the message is not a query, so that two name servers cannot answer each other endlessly. */
export async function answerQuery(zone: Zone, message: Buffer): Promise<Buffer | undefined> {
  // Bit 0x80 of the third byte marks an answer.
  if (message.length < HEADER_BYTES || ((message[2] as number) & 0x80) !== 0) return undefined;
  const query = read(message);
  if (!query) return malformed(message);
  const [question] = query.questions ?? [];
  // Four bits of the same byte are the kind of query; only standard queries are supported.
  if (((message[2] as number) & 0x78) !== 0) return reply(query, 'NOTIMP', {});
  if (!question || (query.questions?.length ?? 0) > 1) return reply(query, 'FORMERR', {});
  try {
    return await answerQuestion(zone, query, question);
  } catch {
    return reply(query, 'SERVFAIL', {});
  }
}

async function answerQuestion(zone: Zone, query: Packet, question: Question): Promise<Buffer> {
  const name = question.name.replace(/\.$/, '').toLowerCase();
  const isApex = name === zone.suffix;
  if (question.class !== 'IN' && question.class !== 'ANY') return reply(query, 'REFUSED', {});
  if (!isApex && !name.endsWith(`.${zone.suffix}`)) return reply(query, 'REFUSED', {});
  const authorities = [startOfAuthority(zone)];
  if (isApex) return apex(zone, query, question);
  const group = await zone.find(name);
  // A region is not a group, but it has names below it: resolvers that query label by label must not get NXDOMAIN for it.
  if (!group) return reply(query, isRegion(zone, name) ? 'NOERROR' : 'NXDOMAIN', { authorities });
  const record = group.ip === undefined ? undefined : recordOf(group.ip);
  // A CNAME answers questions of every type.
  const isAsked = record && (record.type === 'CNAME' || question.type === ANY || question.type === record.type);
  if (!isAsked) return reply(query, 'NOERROR', { authorities });
  return reply(query, 'NOERROR', { answers: [{ ...record, name: question.name, ttl: TTL, class: 'IN' }] });
}

/** Some clusters give a group a host name instead of an address. */
function recordOf(address: string): { readonly type: 'A' | 'AAAA' | 'CNAME'; readonly data: string } {
  const kind = isIP(address);
  return { type: kind === 4 ? 'A' : kind === 6 ? 'AAAA' : 'CNAME', data: address };
}

function apex(zone: Zone, query: Packet, { type, name }: Question): Buffer {
  if (type === 'SOA') return reply(query, 'NOERROR', { answers: [{ ...startOfAuthority(zone), name }] });
  if (type === 'NS')
    return reply(query, 'NOERROR', {
      answers: [{ type: 'NS', name, ttl: TTL, class: 'IN', data: `ns.${zone.suffix}` }],
    });
  return reply(query, 'NOERROR', { authorities: [startOfAuthority(zone)] });
}

const isRegion = ({ suffix }: Zone, name: string): boolean => !name.slice(0, -suffix.length - 1).includes('.');

/** Sets how long resolvers may cache that a name does not exist. */
const startOfAuthority = ({ suffix }: Zone): Answer & { readonly type: 'SOA' } => ({
  type: 'SOA',
  name: suffix,
  ttl: TTL,
  class: 'IN',
  data: {
    mname: `ns.${suffix}`,
    rname: `hostmaster.${suffix}`,
    serial: 1,
    refresh: 60,
    retry: 60,
    expire: 60,
    minimum: TTL,
  },
});

interface Sections {
  readonly answers?: Answer[];
  readonly authorities?: Answer[];
}

function reply(query: Packet, code: Code, { answers = [], authorities = [] }: Sections): Buffer {
  const wasDesired = (query.flags ?? 0) & RECURSION_DESIRED;
  // A query with EDNS gets an answer with EDNS (RFC 6891, 6.1.1).
  const extended = query.additionals?.some(({ type }) => type === 'OPT');
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: AUTHORITATIVE | wasDesired | CODES[code],
    questions: (query.questions ?? []).slice(0, 1),
    answers,
    authorities,
    additionals: extended
      ? [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: 1232,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ]
      : [],
  });
}

function read(message: Buffer): Packet | undefined {
  try {
    const packet = decode(message);
    return packet.questions?.every(isWritable) ? packet : undefined;
  } catch {
    return undefined;
  }
}

/** False for labels with dots, and for bytes that are not text and grow when decoded: such a question cannot be repeated in the answer. */
const isWritable = ({ name }: Question): boolean =>
  name === ROOT || name.split('.').every((label) => label !== '' && Buffer.byteLength(label) <= LONGEST_LABEL);

const malformed = (message: Buffer): Buffer =>
  encode({ type: 'response', id: message.readUInt16BE(0), flags: CODES.FORMERR, questions: [] });
