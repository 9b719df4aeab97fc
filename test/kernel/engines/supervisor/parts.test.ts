import { describe, expect, test } from 'vitest';
import { failuresAfter, restartDelay, retryDelay } from '../../../../src/kernel/engines/backoff.ts';
import { note } from '../../../../src/kernel/engines/events.ts';
import type { EventRecord } from '../../../../src/kernel/engines/status.ts';

describe('back-off', () => {
  test('restarts at once, then after 10 s, doubling up to five minutes', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => restartDelay(failures) / 1000);
    expect(seconds).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('does not try again at once what never got to run', () => {
    expect([1, 2, 3, 9].map((failures) => retryDelay(failures) / 1000)).toEqual([10, 20, 40, 300]);
  });

  test('forgives a container that ran for ten minutes', () => {
    expect(failuresAfter(7, 599_999)).toBe(8);
    expect(failuresAfter(7, 600_000)).toBe(1);
  });
});

describe('events', () => {
  test('counts alike ones and keeps the times of the first and the last', () => {
    let events: EventRecord[] = [];
    for (const at of [1, 5, 9]) events = note(events, 'Started', 'Started container web', at);
    events = note(events, 'Started', 'Started container db', 10);
    expect(events).toEqual([
      { name: 'Started', type: 'Normal', message: 'Started container web', count: 3, firstAt: 1, lastAt: 9 },
      { name: 'Started', type: 'Normal', message: 'Started container db', count: 1, firstAt: 10, lastAt: 10 },
    ]);
  });

  test('tells warnings from what is normal', () => {
    const types = (['Pulled', 'Failed', 'BackOff', 'Unhealthy', 'FailedMount', 'Killing'] as const).map(
      (name) => note([], name, '', 0)[0]?.type,
    );
    expect(types).toEqual(['Normal', 'Warning', 'Warning', 'Warning', 'Warning', 'Normal']);
  });

  test('drops the oldest when there are too many different ones', () => {
    let events: EventRecord[] = [];
    for (let at = 0; at < 80; at++) events = note(events, 'Unhealthy', `probe ${at}`, at);
    expect(events).toHaveLength(50);
    expect(events[0]?.message).toBe('probe 30');
  });
});
