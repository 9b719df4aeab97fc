import { expect, it } from 'vitest';
import { onAnyStore } from '../../support/jars.ts';
import { detect, putKey, setLimit } from './support.ts';

const text = (characters: number): string => 'a'.repeat(characters);

onAnyStore('what a key may send', (bench) => {
  const standing = async (name: string) => {
    const reply = await bench.call('GET', `/_jar/limits?name=${name}`, { token: bench.jar.adminKey });
    return reply.body.value[0];
  };

  it('the seeded key has no limit', async () => {
    for (let round = 0; round < 20; round++) {
      expect((await detect(bench, [text(50_000)])).status).toBe(200);
    }
    expect(await standing('translator.characters')).toMatchObject({ inForce: { mode: 'unlimited' }, refusals: 0 });
  });

  it('until a limit is set: beyond it 429 with Retry-After, and accepted when the time is over', async () => {
    await setLimit(bench, { name: 'translator.characters', scope: { key: 'default' }, limit: 100 });
    await bench.jar.clock.advance('61s');
    expect((await detect(bench, [text(60)])).status).toBe(200);
    await bench.jar.clock.advance('20s');
    expect((await detect(bench, [text(40)])).status).toBe(200);
    const refused = await detect(bench, [text(60)]);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 429001 } } });
    expect(refused.body.error.message).toContain("The key 'default' sends more than its limit of 100 characters in 1m");
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(41);
    await bench.jar.clock.advance(`${seconds}s`);
    expect((await detect(bench, [text(60)])).status).toBe(200);
  });

  it('a request that is longer than the limit gets a short Retry-After and an explanation', async () => {
    const refused = await detect(bench, [text(101)]);
    expect(refused.body.error.code).toBe(429001);
    expect(refused.body.error.message).toContain('always exceeds it');
    expect(refused.headers.get('retry-after')).toBe('60');
  });

  it('refused requests and empty texts cost nothing', async () => {
    await bench.jar.clock.advance('61s');
    expect((await detect(bench, [text(90)])).status).toBe(200);
    expect((await detect(bench, [])).status).toBe(400);
    expect((await detect(bench, [text(50_001)])).status).toBe(400);
    expect((await detect(bench, ['', ''])).status).toBe(200);
    expect((await detect(bench, [text(10)])).status).toBe(200);
    expect((await detect(bench, [''])).status).toBe(200);
    await setLimit(bench, { name: 'translator.characters', scope: { key: 'default' }, limit: null });
    expect((await detect(bench, [text(50_000)])).status).toBe(200);
  });

  it('breaking sentences counts like detection', async () => {
    const key = await putKey(bench, 'breaker');
    await setLimit(bench, { name: 'translator.characters', scope: { key: 'breaker' }, limit: 10 });
    const ask = () =>
      bench.call('POST', '/breaksentence?api-version=3.0', {
        token: null,
        headers: { 'Ocp-Apim-Subscription-Key': key },
        body: [{ Text: text(6) }],
      });
    expect((await ask()).status).toBe(200);
    expect((await ask()).body.error.code).toBe(429001);
  });

  it.each([
    ['F0', 33_333],
    ['S1', 666_666],
    ['S2', 666_666],
    ['S3', 2_000_000],
    ['S4', 3_333_333],
  ])('a key of the tier %s may send %i characters in a minute', async (tier, maximum) => {
    const key = await putKey(bench, `of-${tier}`, { tier });
    const name = `translator.characters-${tier.toLowerCase()}`;
    expect((await standing(name)).inForce).toEqual({ limit: maximum, windowMs: 60_000, mode: 'enforced' });
    const part = Math.min(50_000, maximum);
    let sent = 0;
    for (; sent + part <= maximum; sent += part) await detect(bench, [text(part)], { key });
    const over = await detect(bench, [text(maximum - sent + 1)], { key });
    expect(over).toMatchObject({ status: 429, body: { error: { code: 429001 } } });
    expect((await detect(bench, [text(maximum - sent)], { key })).status).toBe(200);
    expect((await standing(name)).use).toContainEqual(
      expect.objectContaining({ scope: { key: `of-${tier}` }, used: maximum, remaining: 0 }),
    );
    await bench.jar.clock.advance('61s');
    expect((await detect(bench, [text(part)], { key })).status).toBe(200);
  });

  it('a key of the free tier has two million characters in a month, then 403, and again in the next month', async () => {
    const key = await putKey(bench, 'free', { tier: 'F0' });
    await setLimit(bench, { name: 'translator.characters-f0', scope: { key: 'free' }, mode: 'unlimited' });
    for (let sent = 0; sent < 2_000_000; sent += 50_000) {
      expect((await detect(bench, [text(50_000)], { key })).status).toBe(200);
    }
    const over = await detect(bench, [text(1)], { key });
    expect(over).toMatchObject({ status: 403, body: { error: { code: 403001 } } });
    expect(over.body.error.message).toMatch(/'free' in \d{4}-\d\d are used up: 2000000 of 2000000/);
    expect(over.headers.get('retry-after')).toBeNull();
    expect((await detect(bench, [''], { key })).status).toBe(200);
    await bench.jar.clock.advance('31d');
    expect((await detect(bench, [text(1)], { key })).status).toBe(200);
  });

  it('characters refused for the rate do not count for the month', async () => {
    const key = await putKey(bench, 'frugal', { tier: 'F0' });
    expect((await detect(bench, [text(30_000)], { key })).status).toBe(200);
    expect((await detect(bench, [text(30_000)], { key })).status).toBe(429);
    const { use } = await standing('translator.monthly-characters-f0&scope=key=frugal');
    expect(use).toEqual([expect.objectContaining({ used: 30_000, maximum: 2_000_000 })]);
  });

  it('and do not block other requests in the month meanwhile', async () => {
    const key = await putKey(bench, 'crowded', { tier: 'F0' });
    await setLimit(bench, [
      { name: 'translator.characters-f0', scope: { key: 'crowded' }, limit: 50 },
      { name: 'translator.monthly-characters-f0', scope: { key: 'crowded' }, limit: 100 },
    ]);
    const replies = await Promise.all(Array.from({ length: 40 }, () => detect(bench, [text(10)], { key })));
    const times = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([times(200), times(429), times(403)]).toEqual([5, 35, 0]);
  });

  it('an account without characters left in the month gets that error rather than one of the rate', async () => {
    const key = await putKey(bench, 'spent', { tier: 'F0' });
    await setLimit(bench, [
      { name: 'translator.characters-f0', scope: { key: 'spent' }, limit: 10 },
      { name: 'translator.monthly-characters-f0', scope: { key: 'spent' }, limit: 12 },
    ]);
    const ask = async () => (await detect(bench, [text(10)], { key })).body.error?.code;
    expect([await ask(), await ask(), await ask()]).toEqual([undefined, 403001, 403001]);
    expect((await standing('translator.monthly-characters-f0')).refusals).toBeGreaterThanOrEqual(2);
  });

  it('a month can be limited for any key', async () => {
    await setLimit(bench, { name: 'translator.monthly-characters', scope: { key: 'default' }, limit: 10 });
    expect((await detect(bench, [text(7)])).status).toBe(200);
    expect((await detect(bench, [text(7)])).body.error.code).toBe(403001);
    expect((await detect(bench, [text(3)])).status).toBe(200);
    await setLimit(bench, { name: 'translator.monthly-characters', scope: { key: 'default' }, limit: null });
    expect((await detect(bench, [text(7)])).status).toBe(200);
  });

  it('a caller with a directory token is limited by the resource that it names, or by the tenant', async () => {
    await putKey(bench, 'shared', { tier: 'S1' });
    await setLimit(bench, { name: 'translator.characters-s1', scope: { key: 'shared' }, limit: 5 });
    const token = await bench.jar.token();
    const ask = (resource?: string) =>
      detect(bench, [text(4)], {
        key: null,
        headers: {
          authorization: `Bearer ${token}`,
          ...(resource !== undefined && {
            'Ocp-Apim-ResourceId': `/subscriptions/s/resourceGroups/g/providers/Vendor.CognitiveServices/accounts/${resource}`,
          }),
        },
      });
    expect((await ask('shared')).status).toBe(200);
    expect((await ask('Shared')).status).toBe(429);
    expect((await ask('other')).status).toBe(200);
    await setLimit(bench, { name: 'translator.characters', scope: { key: 'nameless' }, limit: 5 });
    expect([(await ask('nameless')).status, (await ask('NAMELESS')).status]).toEqual([200, 429]);
    const tenant = '10000000-0000-4000-8000-000000000001';
    await setLimit(bench, { name: 'translator.characters', scope: { key: tenant }, limit: 5 });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});
