import { expect, test } from 'vitest';
import { advanceWithProgress, progressLine } from '../../src/cli/progress.ts';

const START = Date.parse('2026-01-31T09:00:00Z');
const HOUR = 3_600_000;
const EAGER = { showAfterMs: 0, lookEveryMs: 0 };

/** A jar whose clock advances one hour per request, up to ten hours. */
function slowJar() {
  let hours = -1;
  let arrive = (_: unknown): void => {};
  const arrived = new Promise((resolve) => {
    arrive = resolve;
  });
  return {
    get: async () => {
      hours = Math.min(hours + 1, 10);
      if (hours === 10) arrive({ now: new Date(START + 10 * HOUR).toISOString(), fired: 7 });
      return { now: new Date(START + hours * HOUR).toISOString() };
    },
    post: async () => arrived,
  };
}

test('on a terminal an advance that takes long shows how far it is, and leaves no trace', async () => {
  let written = '';
  const terminal = { isTTY: true, write: (text: string) => (written += text) };
  expect(await advanceWithProgress(slowJar(), '10h', terminal, EAGER)).toMatchObject({ fired: 7 });
  expect(written).toContain('[###...........................] 10%  2026-01-31T10:00:00.000Z');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
});

test('nothing is shown without a terminal, or for a short advance', async () => {
  const silent = {
    isTTY: false,
    write: () => {
      throw new Error('written');
    },
  };
  const quick = { get: async () => ({ now: new Date(START).toISOString() }), post: async () => ({ fired: 1 }) };
  expect(await advanceWithProgress(quick, '10h', silent, EAGER)).toEqual({ fired: 1 });
  expect(await advanceWithProgress(quick, '10h', { ...silent, isTTY: true })).toEqual({ fired: 1 });
});

test('a share outside of the way is drawn as its nearest end', () => {
  expect(progressLine(-1, START)).toContain(`[${'.'.repeat(30)}] 0%`);
  expect(progressLine(2, START)).toContain(`[${'#'.repeat(30)}] 100%`);
});
