import { CANONICAL_PREFIX } from '../../../kernel/arm/index.ts';
import { fold } from './fold.ts';

/**
 * Texts as filters compare them. A provider's name has as many spellings as the jar has prefixes for it, `Vendor.Resources` and
 * `Microsoft.Resources` say: texts that begin with one, or have one after `/providers/`, are compared as they are and with the
 * canonical prefix, so that whoever speaks of either finds both.
 */
export interface Spelling {
  /** As it is, and with canonical prefixes where that is something else. */
  exact(text: string): readonly string[];
  /** The same without regard to case. */
  forms(text: string): readonly string[];
}

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '\\$&');

const PLAIN: Spelling = {
  exact: (text) => [text],
  forms: (text) => [fold(text)],
};

/** `aliases` are the provider prefixes that the jar takes besides its own. */
export function spellingOf(aliases: readonly string[]): Spelling {
  if (aliases.length === 0) return PLAIN;
  const spoken = new RegExp(`(^|/providers/)(?:${aliases.map(escaped).join('|')})\\.`, 'gi');
  const exact = (text: string): readonly string[] => {
    const canonical = text.replace(spoken, `$1${CANONICAL_PREFIX}.`);
    return canonical === text ? [text] : [text, canonical];
  };
  return { exact, forms: (text) => exact(text).map(fold) };
}
