/** Secrets that are missing in a snapshot file, for display. */
export interface CountedSecrets {
  readonly what: string;
  readonly count: number;
  /** The first names; empty if the documents have no names. */
  readonly names: readonly string[];
}

/** Secrets that are missing after an import. */
export interface LeftOutSecrets extends CountedSecrets {
  /** A sentence: what applies instead, and how to set a new secret. */
  readonly afterwards: string;
}

/** Characters that move the cursor, set colours, break lines or change the text direction. Names come from a file of unknown origin. */
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
