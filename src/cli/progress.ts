import { parseDuration } from '../kernel/time/duration.ts';
import type { ControlClient } from './control-client.ts';

export interface Advanced {
  readonly now: string;
  readonly fired: number;
  /** What ran, by kind; missing in answers of earlier releases. */
  readonly work?: readonly (OfKind & { readonly failed: number })[];
}

export interface OfKind {
  readonly kind: string;
  readonly title?: string;
  readonly count: number;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** A shorter advance shows no progress. */
const SHOW_AFTER_MS = 800;
const LOOK_EVERY_MS = 400;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u001b[K';

/** Advances the clock; on a terminal, a long advance shows a progress line. */
export async function advanceWithProgress(
  client: Pick<ControlClient, 'get' | 'post'>,
  by: string,
  stream: ProgressStream,
  pace = { showAfterMs: SHOW_AFTER_MS, lookEveryMs: LOOK_EVERY_MS },
): Promise<Advanced> {
  const distance = stream.isTTY ? durationOf(by) : undefined;
  const from = distance === undefined ? undefined : await timeOf(client);
  const advancing = client.post('/_jar/clock/advance', { by }) as Promise<Advanced>;
  if (distance === undefined || from === undefined) return advancing;

  let shown = false;
  let over = false;
  const look = async (): Promise<void> => {
    const now = await timeOf(client).catch(() => undefined);
    if (over) return;
    if (now !== undefined) stream.write(`${CLEAR_LINE}${progressLine((now - from) / distance, now)}`);
    shown ||= now !== undefined;
    timer = setTimeout(look, pace.lookEveryMs);
  };
  let timer = setTimeout(look, pace.showAfterMs);
  try {
    return await advancing;
  } finally {
    over = true;
    clearTimeout(timer);
    if (shown) stream.write(CLEAR_LINE);
  }
}

async function timeOf(client: Pick<ControlClient, 'get'>): Promise<number> {
  return Date.parse(((await client.get('/_jar/clock')) as { now: string }).now);
}

export function progressLine(share: number, now: number): string {
  return barLine(share, new Date(now).toISOString());
}

function barLine(share: number | undefined, beside: string): string {
  if (share === undefined) return beside;
  const bounded = Math.min(1, Math.max(0, share));
  const filled = Math.round(bounded * BAR_WIDTH);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
  return `[${bar}] ${Math.floor(bounded * 100)}%  ${beside}`;
}

export interface ProgressBar {
  /** If `share` is undefined, only the text is shown, without a bar. */
  update(share: number | undefined, beside: string): void;
  clear(): void;
}

/** A progress bar on its own line, removed by `clear`. */
export function progressBar(stream: ProgressStream): ProgressBar {
  let shown = false;
  return {
    update(share, beside) {
      stream.write(`${CLEAR_LINE}${barLine(share, beside)}`);
      shown = true;
    },
    clear() {
      if (shown) stream.write(CLEAR_LINE);
    },
  };
}

/** An invalid duration is sent anyway: the jar reports what is wrong with it. */
function durationOf(by: string): number | undefined {
  try {
    return parseDuration(by);
  } catch {
    return undefined;
  }
}
