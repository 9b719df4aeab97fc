import { describe, expect, it } from 'vitest';
import { percentileOf } from '../../../src/kernel/telemetry/duration-classes.ts';
import { type NewEntry, RequestLog } from '../../../src/kernel/telemetry/request-log.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const START = 1_700_000_000_000;

const entry = (systemAt: number, further: Partial<NewEntry> = {}): NewEntry => ({
  direction: 'inbound',
  at: 1,
  systemAt,
  service: 'resources',
  operation: 'Groups_Get',
  method: 'GET',
  url: '/subscriptions',
  status: 200,
  ms: 1,
  requestBytes: undefined,
  answerBytes: undefined,
  code: undefined,
  reason: undefined,
  fault: undefined,
  caller: undefined,
  requestId: 'r',
  clientRequestId: undefined,
  traceparent: undefined,
  delivery: undefined,
  ...further,
});

const sent = (outcome: string): Partial<NewEntry> => ({
  direction: 'outbound',
  delivery: { id: 'd', deliveries: 1, policy: 'events.webhook', attempt: 1, outcome, nextAt: undefined },
});

describe('figures of requests', () => {
  it('count every request, whether or not its entry is kept', () => {
    const log = new RequestLog({ entries: 3 });
    for (let n = 0; n < 10; n++) log.add(entry(START));
    expect(log.next - log.first).toBe(3);
    expect(log.figures.between(START, START + SECOND_MS).count).toBe(10);
  });

  it('tell failed requests and messages apart, by second', () => {
    const { figures } = filled([
      entry(START),
      entry(START, { status: 404 }),
      entry(START + SECOND_MS, { status: undefined }),
      entry(START + SECOND_MS, sent('Succeeded')),
      entry(START + SECOND_MS, sent('Busy')),
    ]);
    const none = { count: 0, failed: 0, outbound: 0, outboundFailed: 0 };
    expect(figures.between(START, START + SECOND_MS)).toMatchObject({ ...none, count: 2, failed: 1 });
    const second = { count: 1, failed: 1, outbound: 2, outboundFailed: 1 };
    expect(figures.between(START + SECOND_MS, START + 2 * SECOND_MS)).toMatchObject(second);
    expect(figures.between(START + 2 * SECOND_MS, START + HOUR_MS)).toMatchObject(none);
  });

  it('count requests by service, and keep when the last one was', () => {
    const { figures } = filled([
      entry(START - HOUR_MS, { service: 'translator' }),
      entry(START),
      entry(START, { status: 500 }),
      entry(START, sent('Busy')),
    ]);
    const byService = figures.byService(START, START + SECOND_MS);
    expect(byService.get('resources')).toMatchObject({ count: 2, failed: 1, outbound: 0, lastAt: START });
    expect(byService.get('translator')).toMatchObject({ count: 0, lastAt: START - HOUR_MS });
  });

  it('keep an hour, and nothing that is older', () => {
    const { figures } = filled([entry(START), entry(START + HOUR_MS)]);
    expect(figures.between(START, START + 2 * HOUR_MS).count).toBe(1);
    expect(filled([entry(START), entry(START + HOUR_MS)]).figures.between(START, START + HOUR_MS + 1).count).toBe(2);
    expect(filled([entry(START), entry(START + 61 * 60_000)]).figures.between(START, START + SECOND_MS).count).toBe(0);
  });

  it.each([0.2, 3, 47, 980, 30_000])('give percentiles of %s ms to a tenth', (ms) => {
    const { figures } = filled([
      ...Array(98).fill(entry(START, { ms })),
      ...Array(2).fill(entry(START, { ms: 70_000 })),
    ]);
    const { durations } = figures.between(START, START + SECOND_MS);
    const median = Number(percentileOf(durations, 0.5));
    expect(Math.abs(median - ms)).toBeLessThanOrEqual(Math.max(0.05, ms * 0.1));
    expect(Number(percentileOf(durations, 0.99))).toBeGreaterThan(60_000);
  });

  it('have no percentile without a request', () => {
    expect(percentileOf(new RequestLog().figures.between(START, START + SECOND_MS).durations, 0.5)).toBeNull();
  });
});

function filled(entries: readonly NewEntry[]): RequestLog {
  const log = new RequestLog();
  for (const each of entries) log.add(each);
  return log;
}
