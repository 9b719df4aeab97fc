import type { LogOptions } from '../types.ts';
import type { SimulatedContainer } from './collections.ts';
import type { Inside } from './inside.ts';
import { outputOf } from './process.ts';
import { KEPT_CHARACTERS, KEPT_LINES } from './shell/endless.ts';
import type { Output } from './shell/machine.ts';
import { simulateUntil } from './volumes.ts';

interface Line {
  readonly at: number;
  text: string;
}

/** Returns the end of a container's log at a time. */
export function logOf(
  container: SimulatedContainer,
  inside: Inside,
  now: number,
  { tail, timestamps, maxBytes }: LogOptions,
): Buffer {
  const lines = linesOf(outputOf(simulateUntil(container, inside, now, tail === 0 ? 1 : tail)));
  const shown = tail === undefined ? lines : lines.slice(Math.max(0, lines.length - tail));
  const text = shown.map((line) => (timestamps ? `${stamp(line.at)} ${line.text}` : line.text)).join('');
  const bytes = Buffer.from(text, 'utf8');
  return bytes.subarray(Math.max(0, bytes.length - maxBytes));
}

const stamp = (at: number): string => new Date(at).toISOString();

/** The last lines, each with the time of its beginning; an incomplete line of one stream is not mixed with the other stream. */
function linesOf(outputs: Iterable<Output>): Line[] {
  let lines: Line[] = [];
  let characters = 0;
  const open: { stdout: Line | undefined; stderr: Line | undefined } = { stdout: undefined, stderr: undefined };
  for (const { at, stream, text } of outputs) {
    for (const piece of text.split(/(?<=\n)/)) {
      const begun = open[stream];
      const line = begun ?? { at, text: '' };
      if (!begun) lines.push(line);
      line.text += piece;
      characters += piece.length;
      open[stream] = piece.endsWith('\n') ? undefined : line;
    }
    if (lines.length > 2 * KEPT_LINES || characters > 2 * KEPT_CHARACTERS) {
      lines = lines.slice(-KEPT_LINES);
      characters = lines.reduce((sum, line) => sum + line.text.length, 0);
      if (characters > KEPT_CHARACTERS) lines = lines.slice(-Math.ceil(lines.length / 2));
    }
  }
  return lines.slice(-KEPT_LINES);
}
