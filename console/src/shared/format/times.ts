const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `in 3 h`, `2 min ago`, `now`; seen from `now`. */
export function relative(at: number, now: number): string {
  const distance = Math.abs(at - now);
  if (distance < SECOND) return 'now';
  const text = span(distance);
  return at > now ? `in ${text}` : `${text} ago`;
}

/** `3 s`, `2 min`, `5 h`, `3 d`: the largest unit only. */
export function span(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** `1 d 2 h 3 min`: exact enough to read. */
export function longSpan(ms: number): string {
  const parts = [
    [Math.floor(ms / DAY), 'd'],
    [Math.floor((ms % DAY) / HOUR), 'h'],
    [Math.floor((ms % HOUR) / MINUTE), 'min'],
    [Math.floor((ms % MINUTE) / SECOND), 's'],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value} ${unit}`);
  return shown.slice(0, 3).join(' ') || `${Math.round(ms)} ms`;
}

/** `2026-11-19 08:03:12.345 UTC`, as the jar writes its times. */
export const exact = (at: number): string => `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')} UTC`;

/** `08:03:12`, with the day if it is another than that of `now`. */
export function clockTime(at: number, now: number): string {
  const iso = new Date(at).toISOString();
  return iso.slice(0, 10) === new Date(now).toISOString().slice(0, 10)
    ? iso.slice(11, 19)
    : iso.slice(0, 16).replace('T', ' ');
}
