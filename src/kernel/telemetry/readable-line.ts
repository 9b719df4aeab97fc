import { type Colour, type LineStyle, painted } from './colours.ts';
import { printable } from './printable.ts';

/** The content of a line about a request, from a client to the jar or from the jar to a receiver. */
export interface ShownRequest {
  /** System time in milliseconds since 1970. */
  readonly time?: number | undefined;
  readonly outbound?: boolean | undefined;
  readonly method: string;
  /** Absent if there was no response. */
  readonly status?: number | undefined;
  /** Path and query of a request to the jar, or the address of a delivery. */
  readonly target: string;
  readonly service?: string | undefined;
  readonly ms?: number | undefined;
  /** The reason why there is no response, or the error that the response reports. */
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** The fault rule that was applied. */
  readonly fault?: string | undefined;
  /**
   * For deliveries: the number of the attempt, the number of deliveries in the message, and the time of the next attempt in the jar's time.
   */
  readonly attempt?: number | undefined;
  readonly deliveries?: number | undefined;
  readonly nextAt?: string | undefined;
}

const METHOD_WIDTH = 6;
const STATUS_WIDTH = 3;
const GAP = '  ';
/** The minimum number of characters shown of an address, even on a narrow terminal. */
const SHORTEST_TARGET = 24;
/** Failed deliveries and dropped connections have no status code. */
const NO_STATUS = '---';
const REASON_SHOWN = 500;

/** `12:03:04.512  PUT     201  /subscriptions/…/demo  resources  4 ms` */
export function requestLine(shown: ShownRequest, style: LineStyle): string {
  const { method, status, service = '', ms } = shown;
  const colour = colourOf(status);
  const arrow = shown.outbound ? '-> ' : '';
  const head: [text: string, colour: Colour][] = [
    [timeOf(shown.time), 'dim'],
    [printable(method).padEnd(METHOD_WIDTH), 'bold'],
    [(status === undefined ? NO_STATUS : String(status)).padEnd(STATUS_WIDTH), colour],
  ];
  const tail: [text: string, colour: Colour][] = [
    [printable(service), 'dim'],
    [ms === undefined ? '' : tookOf(ms), 'dim'],
  ];
  const taken = [...head, ...tail].reduce((sum, [text]) => sum + text.length + GAP.length, arrow.length);
  const target = arrow + shortened(printable(shown.target), (style.width ?? Number.POSITIVE_INFINITY) - taken);
  return [...head, [target, 'plain'] as const, ...tail, ...notesOf(shown, colour)]
    .filter(([text]) => text !== '')
    .map(([text, as]) => painted(text, as, style))
    .join(GAP);
}

/** Errors are appended to the line, after the common columns. */
function notesOf(shown: ShownRequest, colour: Colour): [text: string, colour: Colour][] {
  const { code, reason, fault, attempt, deliveries = 1, nextAt } = shown;
  const problem = [code, reason].filter((part) => part !== undefined && part !== '').join(': ');
  const counted = attempt !== undefined && (attempt > 1 || nextAt !== undefined);
  return [
    [printable(problem.slice(0, REASON_SHOWN)), colour],
    [fault === undefined ? '' : `fault ${printable(fault)}`, 'magenta'],
    [deliveries > 1 ? `${deliveries} deliveries` : '', 'dim'],
    [counted ? `attempt ${attempt}${nextAt === undefined ? '' : `, next at ${printable(nextAt)}`}` : '', 'dim'],
  ];
}

/** The content of a line about the jar itself: level, message and fields. */
export interface ShownEvent {
  readonly time?: number | undefined;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const LEVEL_COLOURS: Readonly<Record<string, Colour>> = { warn: 'yellow', error: 'red', fatal: 'red', info: 'cyan' };

/** `12:03:04.512  WARN    the seed has no users  file=seed.json` */
export function eventLine({ time, level, message, fields }: ShownEvent, style: LineStyle): string {
  const shown = Object.entries(fields)
    .map(([name, value]) => `${printable(name)}=${printable(typeof value === 'string' ? value : json(value))}`)
    .join(' ');
  const colour = LEVEL_COLOURS[level] ?? 'dim';
  const parts: [text: string, colour: Colour][] = [
    [timeOf(time), 'dim'],
    [printable(level).toUpperCase().padEnd(METHOD_WIDTH), colour],
    [printable(message), level === 'error' || level === 'fatal' ? colour : 'plain'],
    [shown, 'dim'],
  ];
  return parts
    .filter(([text]) => text !== '')
    .map(([text, as]) => painted(text, as, style))
    .join(GAP);
}

/** Formats the stack of an error; shown below the line of the error. */
export function stackLines(stack: string, style: LineStyle): string {
  return stack
    .split('\n')
    .map((line) => `\n${painted(`    ${printable(line.trim())}`, 'dim', style)}`)
    .join('');
}

const json = (value: unknown): string => JSON.stringify(value) ?? '';

/** Local time. Spaces if the line has no time, so that columns stay aligned. */
function timeOf(time: number | undefined): string {
  if (time === undefined || !Number.isFinite(time)) return ' '.repeat('12:03:04.512'.length);
  const at = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  const milliseconds = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${milliseconds}`;
}

function tookOf(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 1 ? Math.round(ms) : Math.round(ms * 10) / 10} ms`;
}

function colourOf(status: number | undefined): Colour {
  if (status === undefined || status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
}

/** Shortens the query before the path, and the middle of a path before its end. */
function shortened(target: string, room: number): string {
  const most = Math.max(room, SHORTEST_TARGET);
  if (target.length <= most) return target;
  const question = target.indexOf('?');
  const path = question < 0 ? target : `${target.slice(0, question)}?…`;
  if (path.length <= most) return path;
  const end = Math.ceil((most - 1) * 0.6);
  return `${path.slice(0, most - 1 - end)}…${path.slice(-end)}`;
}
