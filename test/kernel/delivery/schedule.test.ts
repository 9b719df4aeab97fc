import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DeliveryPolicy, standardVerdict } from '../../../src/kernel/delivery/index.ts';
import { delayAfter, retryAfterMs } from '../../../src/kernel/delivery/schedule.ts';
import { HOUR, MINUTE, SECOND, Sender, START_MS, sending } from './sender.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';

test('a delay is that of the schedule, the last one for ever, at least the minimum, and at most the jitter longer', () => {
  const property = fc.property(
    fc.array(fc.nat(100_000), { minLength: 1, maxLength: 8 }),
    fc.float({ min: 0, max: 1, noNaN: true }),
    fc.string(),
    fc.integer({ min: 1, max: 20 }),
    fc.nat(200_000),
    (schedule, jitter, id, tries, minimum) => {
      const delay = delayAfter({ schedule, jitter }, id, tries, minimum);
      const plain = Math.max(schedule[Math.min(tries, schedule.length) - 1]!, minimum);
      expect(delay).toBeGreaterThanOrEqual(plain);
      expect(delay).toBeLessThanOrEqual(Math.ceil(plain * (1 + jitter)));
      expect(delayAfter({ schedule, jitter }, id, tries, minimum)).toBe(delay);
      expect(delayAfter({ schedule }, id, tries, minimum)).toBe(plain);
    },
  );
  fc.assert(property);
});

test('jitter spreads deliveries evenly over its share', () => {
  const delays = Array.from({ length: 1000 }, (_, i) => delayAfter({ schedule: [1000], jitter: 1 }, `id-${i}`, 1));
  const quarters = [0, 1, 2, 3].map((i) => delays.filter((each) => Math.floor((each - 1000) / 250) === i).length);
  for (const count of quarters) expect(Math.abs(count - 250)).toBeLessThan(75);
});

test('a Retry-After counts in seconds or as a date, and not at all when it is neither', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs(' 5 ', now)).toBe(5000);
  expect(retryAfterMs('Tue, 01 Jan 2030 00:01:00 GMT', now)).toBe(60_000);
  expect(retryAfterMs('Tue, 01 Jan 2029 00:01:00 GMT', now)).toBe(0);
  for (const nonsense of [undefined, '', '-1', 'soon', '1e99', '99999999999999']) {
    expect(retryAfterMs(nonsense, now)).toBe(0);
  }
});

const STATUSES = [200, 204, 400, 404, 408, 429, 500, 503] as const;
const policies: DeliveryPolicy[] = [
  { name: 'm.short', service: 'sender', plainHttp: true, schedule: [SECOND, MINUTE], jitter: 0.2, maxAttempts: 4 },
  {
    name: 'm.long',
    service: 'sender',
    plainHttp: true,
    schedule: [10 * SECOND, 5 * MINUTE, HOUR],
    timeToLiveMs: 4 * HOUR,
  },
  {
    name: 'm.delayed',
    service: 'sender',
    plainHttp: true,
    schedule: [SECOND],
    jitter: 1,
    classify(result) {
      const verdict = standardVerdict(result);
      return verdict.is === 'retry' ? { is: 'retry', minDelayMs: result.status === 503 ? 30 * SECOND : 0 } : verdict;
    },
  },
];

interface Case {
  readonly policy: string;
  readonly statuses: readonly number[];
  readonly maxAttempts: number | undefined;
  readonly ttlMs: number | undefined;
}

const aCase = fc.record<Case>({
  policy: fc.constantFrom(...policies.map(({ name }) => name)),
  statuses: fc.array(fc.constantFrom(...STATUSES), { maxLength: 6 }),
  maxAttempts: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  ttlMs: fc.option(fc.integer({ min: 1, max: 6 * HOUR }), { nil: undefined }),
});

/** The expected attempts by the rules alone. After its last listed status a receiver answers 200. */
function model(id: string, { policy: name, statuses, maxAttempts, ttlMs }: Case): { times: number[]; cause: string } {
  const policy = policies.find((each) => each.name === name)!;
  const expiresAt = ttlMs ?? policy.timeToLiveMs ?? Number.POSITIVE_INFINITY;
  const times: number[] = [];
  for (let at = 0; ; ) {
    if (at >= expiresAt) return { times, cause: 'expired' };
    times.push(at);
    const status = statuses[times.length - 1] ?? 200;
    if (status < 300) return { times, cause: 'delivered' };
    if (![408, 429, 500, 503].includes(status)) return { times, cause: 'refused' };
    if (times.length >= (maxAttempts ?? policy.maxAttempts ?? Number.POSITIVE_INFINITY))
      return { times, cause: 'exhausted' };
    at += delayAfter(policy, id, times.length, name === 'm.delayed' && status === 503 ? 30 * SECOND : 0);
  }
}

describe('whatever receivers answer', () => {
  test('attempts are made at the times that schedule, jitter, limits and time to live give', {
    timeout: 600_000,
  }, async () => {
    const sender = new Sender(policies);
    onTestFinished(() => sender.close());
    await sender.start({ memory: true });
    const property = fc.asyncProperty(fc.array(aCase, { minLength: 1, maxLength: 12 }), async (cases) => {
      await sender.running.reset();
      try {
        const times = cases.map((): number[] => []);
        const receiver = await sender.receiver((request, response) => {
          const i = Number(request.path.slice(1));
          response.statusCode = cases[i]!.statuses[times[i]!.length] ?? 200;
          times[i]!.push(sender.jar.clock.now() - START_MS);
          response.end();
        });
        const ids = await sender.enqueue(
          ...cases.map(({ policy, maxAttempts, ttlMs }, i) => ({
            policy,
            destination: `to-${i % 3}`,
            url: `${receiver.url}/${i}`,
            body: '1',
            maxAttempts,
            expiresAt: ttlMs === undefined ? undefined : START_MS + ttlMs,
          })),
        );
        await sender.running.advance('2d');
        for (const [i, id] of ids.entries()) {
          const expected = model(id, cases[i]!);
          const record = await sender.record(id);
          expect({ times: times[i], cause: record.cause }).toEqual(expected);
          expect(record.history.map(({ at }) => at - START_MS)).toEqual(expected.times);
        }
      } finally {
        await sender.closeReceivers();
      }
    });
    await fc.assert(property, { numRuns: SOAK ? 100 : 15 });
  });
});

const retrying: DeliveryPolicy = {
  name: 'm.retrying',
  service: 'sender',
  plainHttp: true,
  schedule: [18 * HOUR],
  jitter: 1,
};

sending('moving the clock by 36 hours', [retrying], (sender) => {
  test('makes every retry at its own time, and all in order', { timeout: SOAK ? 3_600_000 : 240_000 }, async () => {
    const count = SOAK ? 10_000 : sender.jar.store.engine === 'sqlite' ? 400 : 150;
    const seen: { body: string; at: number }[] = [];
    let failing = true;
    const receiver = await sender.receiver((request, response) => {
      if (!failing) seen.push({ body: request.body, at: sender.jar.clock.now() });
      response.statusCode = failing ? 503 : 200;
      response.end();
    });
    const ids = await sender.enqueue(
      ...Array.from({ length: count }, (_, i) => ({
        policy: 'm.retrying',
        destination: `to-${i % 50}`,
        url: receiver.url,
        body: String(i),
      })),
    );
    await sender.settled();
    expect(receiver.received).toHaveLength(count);
    failing = false;
    await sender.running.advance('36h');
    const planned = ids.map((id, i) => ({ body: String(i), at: START_MS + delayAfter(retrying, id, 1) }));
    expect(seen.toSorted((a, b) => Number(a.body) - Number(b.body))).toEqual(planned);
    expect(seen.map(({ at }) => at)).toEqual(planned.map(({ at }) => at).sort((a, b) => a - b));
  });
});
