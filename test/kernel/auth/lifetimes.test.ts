import { describe, expect, it } from 'vitest';
import { Lifetimes } from '../../../src/kernel/auth/lifetimes.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time/units.ts';

const START = Date.UTC(2026, 0, 31);

/** Two clocks that the test sets. */
function clocks({ strict = false, jarStart = START } = {}) {
  const times = { jar: jarStart, wall: START };
  const lines: string[] = [];
  const metrics = createMetrics();
  const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } });
  const lifetimes = new Lifetimes({
    clock: { mode: 'shifted', now: () => times.jar },
    wall: () => times.wall,
    log,
    metrics,
    strict,
  });
  const pass = (jar: number, wall: number): void => {
    times.jar += jar;
    times.wall += wall;
  };
  return { lifetimes, metrics, log, lines, pass };
}

describe('a default lifetime', () => {
  it('ends by both clocks together while the clock of the jar is not moved', async () => {
    for (const jarStart of [START, START + 400 * DAY_MS, START - 400 * DAY_MS]) {
      const { lifetimes, log, lines, pass } = clocks({ jarStart });
      const hour = lifetimes.begin(HOUR_MS);
      pass(HOUR_MS - 1, HOUR_MS - 1);
      expect(lifetimes.isOver(hour)).toBe(false);
      pass(1, 1);
      expect(lifetimes.isOver(hour)).toBe(true);
      await log.flush();
      expect(lines).toEqual([]);
    }
  });

  it("survives a move of the jar's clock until it has expired by the system's clock", () => {
    const { lifetimes, pass } = clocks();
    const hour = lifetimes.begin(HOUR_MS);
    pass(30 * DAY_MS, HOUR_MS - 1);
    expect(lifetimes.isOver(hour)).toBe(false);
    pass(0, 1);
    expect(lifetimes.isOver(hour)).toBe(true);
  });

  it("ends at an end by the system's clock whatever the jar's clock says", () => {
    for (const moved of [0, -30 * DAY_MS, 30 * DAY_MS]) {
      const { lifetimes, pass } = clocks();
      const session = { ...lifetimes.begin(60 * DAY_MS), wallEnd: START + HOUR_MS };
      pass(moved, HOUR_MS - 1);
      expect(lifetimes.isOver(session)).toBe(false);
      pass(0, 1);
      expect(lifetimes.isOver(session)).toBe(true);
    }
  });

  it('never ends on a frozen clock', async () => {
    const { lifetimes, log, lines, pass } = clocks();
    const hour = lifetimes.begin(HOUR_MS);
    pass(HOUR_MS - 1, 300 * DAY_MS);
    expect(lifetimes.isOver(hour)).toBe(false);
    await log.flush();
    expect(lines).toEqual([]);
    pass(1, 0);
    expect(lifetimes.isOver(hour)).toBe(true);
  });

  it('holds when the clock of the jar is set back', () => {
    const { lifetimes, pass } = clocks();
    const hour = lifetimes.begin(HOUR_MS);
    pass(-30 * DAY_MS, 2 * HOUR_MS);
    expect(lifetimes.isOver(hour)).toBe(false);
  });

  it('is counted each time and logged once, with the reason and the way to be strict, when only the system clock keeps it', async () => {
    const { lifetimes, metrics, log, lines, pass } = clocks();
    const hour = lifetimes.begin(HOUR_MS);
    pass(2 * HOUR_MS, 0);
    for (let time = 0; time < 3; time++) expect(lifetimes.isOver(hour)).toBe(false);
    await log.flush();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      expiredAt: '2026-01-31T01:00:00.000Z',
      now: '2026-01-31T02:00:00.000Z',
      msg: expect.stringMatching(/clock was moved.*--strict-token-expiry/),
    });
    expect(await metrics.render()).toContain('cloudjar_expired_credentials_accepted_total 3');
  });

  it('ends by the clock of the jar alone where that is asked for', () => {
    const { lifetimes, pass } = clocks({ strict: true });
    const hour = lifetimes.begin(HOUR_MS);
    pass(HOUR_MS, 0);
    expect(lifetimes.isOver(hour)).toBe(true);
    expect(lifetimes.nextLook(hour)).toBeUndefined();
  });
});

describe('a lifetime that was asked for', () => {
  it('ends by the clock of the jar', () => {
    const { lifetimes, pass } = clocks();
    const hour = { expiresAt: START + HOUR_MS };
    pass(HOUR_MS - 1, 300 * DAY_MS);
    expect(lifetimes.isOver(hour)).toBe(false);
    pass(1, 0);
    expect(lifetimes.isOver(hour)).toBe(true);
  });
});

describe('what is stored', () => {
  it('is checked only a few times while the clock is moved by a century, and can be removed afterwards', () => {
    const { lifetimes, pass } = clocks();
    const day = lifetimes.begin(DAY_MS);
    let looks = 0;
    let now = START;
    const end = START + 36_500 * DAY_MS;
    for (let next = lifetimes.nextLook(day); next !== undefined && next <= end; next = lifetimes.nextLook(day)) {
      expect(next).toBeGreaterThan(now);
      pass(next - now, 0);
      now = next;
      looks++;
    }
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(20);
    pass(end - now, DAY_MS);
    expect(lifetimes.nextLook(day)).toBeUndefined();
  });
});
