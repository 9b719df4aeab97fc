/** Secrets that a snapshot file did not bring, for people. */
export interface LeftOutSecrets {
  readonly what: string;
  readonly count: number;
  /** Of the first ones; none where they have no names. */
  readonly names: readonly string[];
  /** What holds instead, and how to set a new one. */
  readonly afterwards: string;
}

/** What moves the cursor, sets colours, breaks lines or turns the direction of writing. Names come from a file that others may have made. */
const NO_TEXT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line, safe for a terminal: `client secrets of applications: 2 (Nightly build, Shop). They are …`. */
export function leftOutLine({ what, count, names, afterwards }: LeftOutSecrets): string {
  const more = count > names.length ? ', …' : '';
  const named = names.length === 0 ? '' : ` (${names.join(', ')}${more})`;
  return `${what}: ${count}${named}. ${afterwards}.`.replace(NO_TEXT, '\u{fffd}');
}
