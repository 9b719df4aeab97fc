export type Colour = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** How lines for people are written. */
export interface LineStyle {
  readonly colours: boolean;
  /** Columns of the terminal; addresses are shortened to fit. Absent: they are shown whole. */
  readonly width?: number | undefined;
}

/** Select Graphic Rendition, ECMA-48 8.3.117. */
const CODES: Readonly<Record<Exclude<Colour, 'plain'>, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  magenta: 35,
  cyan: 36,
};

export function painted(text: string, colour: Colour, { colours }: LineStyle): string {
  return colours && colour !== 'plain' && text !== '' ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

export interface MaybeTerminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How to write for people on this stream. As in Node itself, FORCE_COLOR wins over NO_COLOR (https://no-color.org), and both over what the stream is.
 */
export function styleOf({ isTTY = false, columns }: MaybeTerminal, env: Environment): LineStyle {
  return {
    colours: wantsColours(isTTY, env),
    ...(isTTY && columns !== undefined && columns > 0 && { width: columns }),
  };
}

function wantsColours(
  isTerminal: boolean,
  { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal }: Environment,
): boolean {
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (none !== undefined && none !== '') return false;
  return isTerminal && terminal !== 'dumb';
}

/** What the setting `logFormat` means on this stream: how to write for people, or undefined for JSON lines. */
export function readableStyle(
  format: 'auto' | 'json' | 'pretty',
  stream: MaybeTerminal,
  env: Environment,
): (() => LineStyle) | undefined {
  if (format === 'json' || (format === 'auto' && stream.isTTY !== true)) return undefined;
  // Looked at with every line, since a terminal may be made wider or narrower meanwhile.
  return () => styleOf(stream, env);
}
