/** Secrets that a snapshot file has not, for people. */
export interface CountedSecrets {
  readonly what: string;
  readonly count: number;
  /** Of the first ones; none where they have no names. */
  readonly names: readonly string[];
}

/** The same where the file was taken in. */
export interface LeftOutSecrets extends CountedSecrets {
  /** What holds instead, and how to set a new one. */
  readonly afterwards: string;
}

/** What moves the cursor, sets colours, breaks lines or turns the direction of writing. Names come from a file that others may have made. */
const NO_TEXT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line, safe for a terminal: `client secrets of applications: 2 (Nightly build, Shop)`. */
export function countedLine({ what, count, names }: CountedSecrets): string {
  const more = count > names.length ? ', …' : '';
  const named = names.length === 0 ? '' : ` (${names.join(', ')}${more})`;
  return `${what}: ${count}${named}`.replace(NO_TEXT, '\u{fffd}');
}

/** One line, safe for a terminal: `client secrets of applications: 2 (Nightly build, Shop). They are …`. */
export function leftOutLine({ afterwards, ...counted }: LeftOutSecrets): string {
  return `${countedLine(counted)}. ${afterwards}.`.replace(NO_TEXT, '\u{fffd}');
}
