/**
 * The type of a setting's value. Text comes from a flag or the environment, JSON from the configuration file or from code. `undefined`
 * means that the value is invalid; the loader then reports what is expected.
 */
export interface Kind<T> {
  /** Completes the sentence "must be …". */
  readonly expected: string;
  /** Name of the value in `--port <number>`; absent for a switch. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** A relative path is resolved by the loader: in the file, against the folder of the file. */
  readonly isPath?: boolean;
  fromText(text: string): T | undefined;
  fromJson(value: unknown): T | undefined;
}

const HIGHEST_PORT = 65_535;

export const portKind: Kind<number> = {
  expected: `a port number from 0 to ${HIGHEST_PORT}`,
  placeholder: 'number',
  fromText: (text) => (/^\d{1,5}$/.test(text) ? portKind.fromJson(Number(text)) : undefined),
  fromJson: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HIGHEST_PORT ? value : undefined,
};

export function countKind(least: number, most: number): Kind<number> {
  const fromJson = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  return {
    expected: `a whole number from ${least} to ${most}`,
    placeholder: 'number',
    fromText: (text) => (/^\d{1,15}$/.test(text) ? fromJson(Number(text)) : undefined),
    fromJson,
  };
}

export const switchKind: Kind<boolean> = {
  expected: 'true or false',
  fromText: (text) => ({ true: true, 1: true, false: false, 0: false })[text.toLowerCase()],
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
};

export function choiceKind<const Choice extends string>(choices: readonly Choice[]): Kind<Choice> {
  const pick = (value: unknown) => choices.find((choice) => choice === value);
  return { expected: enumerate(choices), placeholder: 'name', choices, fromText: pick, fromJson: pick };
}

interface TextShape {
  readonly expected: string;
  readonly placeholder: string;
  readonly pattern: RegExp;
}

export function textKind({ expected, placeholder, pattern }: TextShape): Kind<string> {
  const match = (value: unknown) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
  return { expected, placeholder, fromText: match, fromJson: match };
}

export const pathKind: Kind<string> = {
  ...textKind({ expected: 'a path', placeholder: 'path', pattern: /^[^\0]+$/ }),
  isPath: true,
};

export function urlKind(protocols: readonly string[]): Kind<string> {
  const check = (value: unknown) =>
    typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined;
  return {
    expected: `an address that begins with ${enumerate(protocols.map((protocol) => `${protocol}//`))}`,
    placeholder: 'url',
    fromText: check,
    fromJson: check,
  };
}

/** Several values: a repeated flag, a comma-separated variable, an array in the file. */
export function listKind(item: Kind<string>): Kind<readonly string[]> {
  const collect = (parts: readonly unknown[], read: (part: never) => string | undefined) => {
    const items = parts.map((part) => read(part as never));
    return items.every((each) => each !== undefined) ? items : undefined;
  };
  return {
    expected: `a list; each item must be ${item.expected}`,
    placeholder: item.placeholder,
    repeatable: true,
    fromText: (text) =>
      collect(
        text.split(',').map((part) => part.trim()),
        item.fromText,
      ),
    fromJson: (value) => (Array.isArray(value) ? collect(value, item.fromJson) : undefined),
  };
}

const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Milliseconds since 1970. A time without a zone is UTC, so that a setting means the same on every machine. */
export const timeKind: Kind<number> = {
  expected: 'an ISO 8601 time such as 2026-01-31T09:00:00Z',
  placeholder: 'time',
  fromText: readTime,
  fromJson: (value) => (typeof value === 'string' ? readTime(value) : undefined),
};

function readTime(text: string): number | undefined {
  const [matched, year, month, day, zone] = ISO_TIME.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  // `Date.parse` turns 30 February into a day in March instead of rejecting it.
  if (Number(day) > (DAYS_IN_MONTH[Number(month) - 1] ?? 0) || (month === '02' && day === '29' && !isLeap))
    return undefined;
  const time = Date.parse(matched.includes('T') && zone === undefined ? `${matched}Z` : matched);
  return Number.isNaN(time) ? undefined : time;
}

/** `a, b or c` */
export function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
