export type Colour = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** The format of lines for people. */
export interface LineStyle {
  readonly colours: boolean;
  /** The width of the terminal in columns; addresses are shortened to fit. If absent, they are not shortened. */
  readonly width?: number | undefined;
}

/** Parameters of Select Graphic Rendition, ECMA-48 8.3.117. */
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
 * The style for a stream. As in Node itself, FORCE_COLOR takes precedence over NO_COLOR (https://no-color.org), and both over the kind of
 * stream.
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

/** Evaluates the setting `logFormat` for this stream: returns the style for people, or undefined for JSON lines. */
export function readableStyle(
  format: 'auto' | 'json' | 'pretty',
  stream: MaybeTerminal,
  env: Environment,
): (() => LineStyle) | undefined {
  if (format === 'json' || (format === 'auto' && stream.isTTY !== true)) return undefined;
  // Evaluated for every line, because a terminal may be resized.
  return () => styleOf(stream, env);
}
