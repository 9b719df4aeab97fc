import { isIP } from 'node:net';
import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';
import type { NamedGroup } from '../find.ts';

/** What a name server needs to know. */
export interface Zone {
  /** The end of every name that it is the authority for: `containers.localhost`. */
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
/** Of a question for all types, which the library's list of types lacks. */
const ANY: string = 'ANY';

/** A group's address changes with its next deployment, so nobody is to remember it for long. Seconds. */
const TTL = 1;

/** The answer to a query, or nothing for what is no query: two name servers must not answer each other. */
export async function answerQuery(zone: Zone, message: Buffer): Promise<Buffer | undefined> {
  // Bit 0x80 of the third byte says that it is an answer itself.
  if (message.length < HEADER_BYTES || ((message[2] as number) & 0x80) !== 0) return undefined;
  const query = read(message);
  if (!query) return malformed(message);
  const [question] = query.questions ?? [];
  // Anything but a standard query: four bits of the same byte.
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
  // A region is no group, but names are below it: resolvers that ask from the top down must not take it for absent.
  if (!group) return reply(query, isRegion(zone, name) ? 'NOERROR' : 'NXDOMAIN', { authorities });
  const record = group.ip === undefined ? undefined : recordOf(group.ip);
  // Another name is the answer to every question.
  const isAsked = record && (record.type === 'CNAME' || question.type === ANY || question.type === record.type);
  if (!isAsked) return reply(query, 'NOERROR', { authorities });
  return reply(query, 'NOERROR', { answers: [{ ...record, name: question.name, ttl: TTL, class: 'IN' }] });
}

/** Clusters give some groups a host name instead of an address. */
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

/** Says how long it may be remembered that a name is not there. */
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
  // Who speaks the extended protocol is answered in it (RFC 6891, 6.1.1).
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

/** Labels with dots, and bytes that are no text and so grow when they are read as text: such a question cannot be written into the answer. */
const isWritable = ({ name }: Question): boolean =>
  name === ROOT || name.split('.').every((label) => label !== '' && Buffer.byteLength(label) <= LONGEST_LABEL);

const malformed = (message: Buffer): Buffer =>
  encode({ type: 'response', id: message.readUInt16BE(0), flags: CODES.FORMERR, questions: [] });
