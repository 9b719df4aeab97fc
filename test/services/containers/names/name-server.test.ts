import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { decode, encode, type Packet } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { answerQuery } from '../../../../src/services/containers/names/dns/answer.ts';
import { onBothStores, SUBSCRIPTION, withJar } from '../../../support/jars.ts';

const SUFFIX = 'containers.localhost';
const ROOT = `/subscriptions/${SUBSCRIPTION}/resourceGroups/web`;

const group = (label: string) => ({
  location: 'westus',
  properties: {
    osType: 'Linux',
    containers: [
      {
        name: 'web',
        properties: {
          image: 'busybox',
          command: ['sleep', 'infinity'],
          ports: [{ port: 80 }],
          resources: { requests: { cpu: 1, memoryInGB: 1 } },
        },
      },
    ],
    ipAddress: { type: 'Public', ports: [{ port: 80 }], dnsNameLabel: label },
  },
});

async function dnsPortOf(jar: { readonly url: string; readonly adminKey: string }): Promise<number> {
  const status = await fetch(`${jar.url}/_jar/status`, { headers: { authorization: `Bearer ${jar.adminKey}` } });
  return ((await status.json()) as { dnsPort: number }).dnsPort;
}

onBothStores(
  'the name server of a jar',
  (bench) => {
    const version = 'api-version=2023-05-01';
    const resolver = async (): Promise<Resolver> => {
      const made = new Resolver({ timeout: 10_000, tries: 3 });
      made.setServers([`127.0.0.1:${await dnsPortOf(bench.jar)}`]);
      return made;
    };

    it('knows the address of a group as soon as the group has one, and forgets it with the group', async () => {
      await bench.call('PUT', `${ROOT}?api-version=2021-04-01`, { body: { location: 'westus' } });
      const path = `${ROOT}/providers/Vendor.ContainerInstance/containerGroups/shop?${version}`;
      expect((await bench.call('PUT', path, { body: group('store') })).status).toBe(201);
      await bench.jar.settled();
      const { ip, fqdn } = (await bench.call('GET', path)).body.properties.ipAddress;
      const names = await resolver();
      expect(await names.resolve4(fqdn)).toEqual([ip]);
      expect(await names.resolve4(fqdn.toUpperCase())).toEqual([ip]);
      await expect(names.resolve6(fqdn)).rejects.toMatchObject({ code: 'ENODATA' });
      await bench.call('DELETE', path);
      await expect(names.resolve4(fqdn)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    });
  },
  { dnsPort: 0 },
);

describe('a question to the name server', () => {
  withJar(
    (bench) => {
      const header = { type: 'query', id: 7, flags: 0 } as const;
      const about = (name: string, type = 'A'): Buffer =>
        encode({ ...header, questions: [{ type, name, class: 'IN' }] } as Packet);

      /** The library parses `rcode`, but its types lack it. */
      async function ask(message: Buffer): Promise<Packet> {
        const socket = createSocket('udp4');
        socket.send(message, await dnsPortOf(bench.jar), '127.0.0.1');
        const [answer] = await once(socket, 'message');
        socket.close();
        return decode(answer);
      }

      it.each([
        ['of a name that nobody has', about(`absent.westus.${SUFFIX}`), 'NXDOMAIN'],
        ['of a region, below which names may be', about(`westus.${SUFFIX}`), 'NOERROR'],
        ['of the zone itself', about(SUFFIX, 'SOA'), 'NOERROR'],
        ['of a name elsewhere', about('vendor.example'), 'REFUSED'],
        ['of a name that only ends alike', about(`other${SUFFIX}`), 'REFUSED'],
        ['without a question', encode({ ...header, questions: [] }), 'FORMERR'],
        ['cut off in its middle', about(`absent.westus.${SUFFIX}`).subarray(0, 20), 'FORMERR'],
      ])('%s', async (_title, message, rcode) => {
        expect(await ask(message)).toMatchObject({ id: 7, rcode });
      });

      it('of another kind than a query is not served', async () => {
        const message = about(`absent.westus.${SUFFIX}`);
        message[2] = 0x28;
        expect(await ask(message)).toMatchObject({ rcode: 'NOTIMP' });
      });

      it('that is an answer gets none, and the next one is answered', async () => {
        const echo = about(SUFFIX, 'SOA');
        echo[2] = 0x80;
        const socket = createSocket('udp4');
        const port = await dnsPortOf(bench.jar);
        socket.send(echo, port, '127.0.0.1');
        const question = about(SUFFIX, 'SOA');
        question.writeUInt16BE(8, 0);
        socket.send(question, port, '127.0.0.1');
        const [answer] = await once(socket, 'message');
        expect(decode(answer).id).toBe(8);
        socket.close();
      });

      it('is answered over TCP too, several on one connection and in pieces', async () => {
        const socket = connect(await dnsPortOf(bench.jar), '127.0.0.1');
        const message = about(SUFFIX, 'SOA');
        const framed = Buffer.concat([Buffer.from([0, message.length]), message]);
        const both = Buffer.concat([framed, framed]);
        socket.write(both.subarray(0, 5));
        socket.write(both.subarray(5));
        let received = Buffer.alloc(0);
        socket.on('data', (chunk) => {
          received = Buffer.concat([received, chunk]);
        });
        await expect
          .poll(() => received.length > 2 && received.length === 2 * (2 + received.readUInt16BE(0)))
          .toBe(true);
        expect(decode(received.subarray(2, 2 + received.readUInt16BE(0)))).toMatchObject({ id: 7, rcode: 'NOERROR' });
        socket.destroy();
      });
    },
    { dnsPort: 0 },
  );
});

describe('the record of a group', () => {
  it.each([
    ['192.0.2.7', 'A', [{ type: 'A', data: '192.0.2.7' }]],
    ['192.0.2.7', 'AAAA', []],
    ['2001:db8::7', 'AAAA', [{ type: 'AAAA', data: '2001:db8::7' }]],
    ['2001:db8::7', 'A', []],
    ['balancer.example', 'A', [{ type: 'CNAME', data: 'balancer.example' }]],
    ['balancer.example', 'AAAA', [{ type: 'CNAME', data: 'balancer.example' }]],
  ])('at %s, asked for %s', async (ip, type, answers) => {
    const zone = { suffix: SUFFIX, find: async () => ({ ip }) as never };
    const question = { type, name: `store.westus.${SUFFIX}`, class: 'IN' };
    const asked = encode({ type: 'query', id: 7, questions: [question] } as Packet);
    const answer = decode((await answerQuery(zone, asked)) as Buffer);
    expect(answer).toMatchObject({ rcode: 'NOERROR', answers });
    expect(answer.answers).toHaveLength(answers.length);
  });
});
