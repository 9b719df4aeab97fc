import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { hook, http, makeGroup, OPTIONS, queue } from './bench.ts';

const NOBODY = 'https://localhost:1/nobody';

onBothStores(
  'event subscriptions that expire without ever having been in force',
  (bench) => {
    const calls = () => http(bench);
    const inHours = (hours: number) => new Date(bench.jar.clock.now().getTime() + hours * 3_600_000).toISOString();
    const stateOf = async (name: string) => {
      const { status, body } = await calls().get(name);
      return status === 200 ? body.properties.provisioningState : status;
    };

    it('removes one whose endpoint never agreed', async () => {
      await makeGroup(bench);
      await calls().put('never', hook(NOBODY, {}, { expirationTimeUtc: inHours(1) }));
      await calls().put('stays', hook(NOBODY));
      await bench.jar.clock.advance('30m');
      expect(await stateOf('never')).toBe('Failed');
      await bench.jar.clock.advance('31m');
      expect(await stateOf('never')).toBe(404);
      expect(await stateOf('stays')).toBe('Failed');
    });

    it('forgets the time of a failed creation when a later one has another', async () => {
      await calls().put('twice', hook(NOBODY, {}, { expirationTimeUtc: inHours(1) }));
      await bench.jar.clock.advance('30m');
      expect(await stateOf('twice')).toBe('Failed');
      await calls().put('twice', queue({ expirationTimeUtc: inHours(3) }));
      await bench.jar.clock.advance('1h');
      expect(await stateOf('twice')).toBe('Succeeded');
      await bench.jar.clock.advance('2h1m');
      expect(await stateOf('twice')).toBe(404);
    });

    it('leaves one alone that is being asked for again while the time of its failed creation passes', async () => {
      await calls().put('again', hook(NOBODY, {}, { expirationTimeUtc: inHours(1) }));
      await bench.jar.clock.advance('59m');
      expect(await stateOf('again')).toBe('Failed');
      const silent = bench.jar.inbox('silent');
      await silent.respond({ handshake: 'manual' });
      await calls().put('again', hook(silent.httpsUrl, {}, { expirationTimeUtc: inHours(5) }));
      await bench.jar.clock.advance('2m');
      expect(await stateOf('again')).toBe('AwaitingManualAction');
    });
  },
  OPTIONS,
);

onBothStores(
  'expiration times that no calendar has',
  (bench) => {
    it.each(['2031-02-31T00:00:00Z', '2031-13-01T00:00:00Z', '2031-01-01T24:30:00Z', 'tomorrow', ''])(
      'refuses %j',
      async (time) => {
        await makeGroup(bench);
        const refused = await http(bench).put('odd', queue({ expirationTimeUtc: time }));
        expect([refused.status, refused.body.error.target]).toEqual([400, 'properties.expirationTimeUtc']);
      },
    );
  },
  OPTIONS,
);
