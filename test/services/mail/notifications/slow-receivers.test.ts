import { beforeEach, describe, expect, it } from 'vitest';
import { answered, FEWEST_RESPONSES, stateOf } from '../../../../src/services/mail/notifications/endpoints.ts';
import type { Endpoint } from '../../../../src/services/mail/notifications/types.ts';
import { onBothStores } from '../../../support/jars.ts';
import { mailControl } from '../control/support.ts';
import { arrived, inMinutes, subscribed, told } from './support.ts';

const MINUTE = 60_000;
const FRESH: Endpoint = { tenantId: 't', address: 'https://receiver.example', minutes: [], lost: 0, lastAt: 0 };

/** The state after responses that took the given milliseconds, each at a given minute. */
const answersOf = (answers: readonly (readonly [ms: number, minute: number])[], from = FRESH): Endpoint =>
  answers.reduce((endpoint, [ms, minute]) => answered(endpoint, ms, minute * MINUTE), from);
const times = (count: number, ms: number, minute = 0) => Array<readonly [number, number]>(count).fill([ms, minute]);
const stateAt = (endpoint: Endpoint, minute: number) => stateOf(endpoint, minute * MINUTE);

describe('the state of a receiver', () => {
  it.each<[string, readonly (readonly [number, number])[], 'slow' | 'drop' | undefined]>([
    ['none of fast answers', times(100, 2900), undefined],
    ['none of 10 % over 3 seconds', [...times(18, 100), ...times(2, 3100)], undefined],
    ['slow of more than 10 %', [...times(17, 100), ...times(2, 3100)], 'slow'],
    ['slow of answers of 10 seconds', [...times(10, 100), ...times(2, 10_000)], 'slow'],
    ['slow of 15 % over 10 seconds', [...times(17, 100), ...times(3, 10_001)], 'slow'],
    ['drop of more than 15 %', [...times(16, 100), ...times(3, 10_001)], 'drop'],
    ['none of few answers', times(FEWEST_RESPONSES - 1, 10_001), undefined],
    ['none where they are ten minutes apart', [...times(9, 10_001), ...times(1, 10_001, 10)], undefined],
    ['drop where they are nine minutes apart', [...times(9, 10_001), ...times(1, 10_001, 9)], 'drop'],
  ])('is %s', (_, answers, state) => {
    // Slow responses come last, so that only the last one can exceed the share.
    expect(stateAt(answersOf(answers), answers.at(-1)?.[1] ?? 0)?.is).toBe(state);
  });

  it('is over after ten minutes, and a few answers show whether it begins again', () => {
    const slow = answersOf(times(10, 4000));
    expect(stateAt(slow, 9)?.is).toBe('slow');
    expect(stateAt(slow, 10)).toBeUndefined();
    expect(stateAt(answersOf(times(2, 4000, 11), slow), 11)).toBeUndefined();
    expect(stateAt(answersOf(times(3, 4000, 11), slow), 11)?.is).toBe('slow');
    const recovered = answersOf(times(3, 100, 11), slow);
    expect(recovered.state).toBeUndefined();
    expect(stateAt(answersOf(times(4, 4000, 12), recovered), 12)).toBeUndefined();
  });

  it('can become worse while it is active, but is never extended', () => {
    const slow = answersOf(times(10, 4000));
    expect(stateAt(answersOf(times(5, 4000, 5), slow), 5)?.until).toBe(10 * MINUTE);
    expect(stateAt(answersOf(times(3, 11_000, 5), slow), 5)).toEqual({ is: 'drop', until: 15 * MINUTE });
    const drop = answersOf(times(10, 11_000));
    expect(stateAt(answersOf(times(30, 11_000, 5), drop), 5)?.until).toBe(10 * MINUTE);
  });
});

onBothStores('a receiver that answers slowly', (bench) => {
  beforeEach(() => bench.jar.reset());

  const draft = async () => (await bench.call('POST', '/v1.0/me/messages', { body: {} })).body.id as string;
  const told1 = async () => (await told(bench.jar.inbox('changes'))).map(({ resourceData }) => resourceData?.id);
  const endpoint = async () => (await mailControl(bench).get('endpoints')).value[0];

  /** Each notification is a separate message, whose delivery takes this long by the clock. */
  const slowly = async (count: number, latencyMs: number): Promise<void> => {
    const match = { direction: 'outbound', service: 'mail', path: '*/_jar/inbox/changes' } as const;
    const { id } = await bench.jar.faults.add({ match, effect: { latencyMs } });
    for (let i = 0; i < count; i++) {
      await draft();
      await bench.jar.clock.advance(`${latencyMs}ms`);
    }
    await bench.jar.faults.remove(id);
  };

  it('gets new notifications ten minutes later, and at once again when it has recovered', async () => {
    const { jar } = bench;
    await subscribed(bench, { changeType: 'created' });
    await slowly(FEWEST_RESPONSES, 4000);
    await arrived(bench);
    const { state, until } = await endpoint();
    expect([state, Date.parse(until) > jar.clock.now().getTime()]).toEqual(['slow', true]);
    const late = await draft();
    await jar.clock.advance('9m');
    expect(await told1()).not.toContain(late);
    await jar.clock.advance('2m');
    expect(await told1()).toContain(late);
    for (let i = 0; i < 3; i++) {
      const now = await draft();
      await jar.settled();
      expect(await told1()).toContain(now);
    }
    expect(await endpoint()).toMatchObject({ state: 'normal', until: null, lost: 0 });
  });

  it('gets none for ten minutes if it is very slow, and is notified once that some were missed', async () => {
    const { jar } = bench;
    const lifecycle = jar.inbox('lifecycle');
    await subscribed(bench, {
      changeType: 'created',
      lifecycleNotificationUrl: lifecycle.httpsUrl,
      expirationDateTime: inMinutes(bench, 6000),
    });
    await slowly(FEWEST_RESPONSES, 11_000);
    const { id, state } = await endpoint();
    expect(state).toBe('drop');
    const lost = [await draft(), await draft()];
    await jar.clock.advance('5m');
    expect(await endpoint()).toMatchObject({ lost: 2 });
    expect(await told(lifecycle)).toEqual([]);
    await jar.clock.advance('10m');
    expect((await told(lifecycle)).map(({ lifecycleEvent }) => lifecycleEvent)).toEqual(['missed']);
    const next = await draft();
    await jar.settled();
    const seen = await told1();
    expect(seen).toContain(next);
    for (const each of lost) expect(seen).not.toContain(each);

    const control = mailControl(bench);
    expect((await control.ask('DELETE', `endpoints/${id}`)).status).toBe(204);
    expect((await control.ask('DELETE', `endpoints/${id}`)).body.error.code).toBe('EndpointNotFound');
    expect((await control.get('endpoints')).value).toEqual([]);
  });
});
