import { CANONICAL_PREFIX } from '../../../kernel/arm/index.ts';
import { fold } from './fold.ts';

/**
 * Spellings of a text for comparison. A provider name has one spelling per prefix alias, for example `Vendor.Resources` and
 * `Microsoft.Resources`. A text that begins with a provider name, or has one after `/providers/`, is compared both as it is and with the
 * canonical prefix, so that filters match under either prefix.
 */
export interface Spelling {
  /** The text itself, and with canonical prefixes if that differs. */
  exact(text: string): readonly string[];
  /** The same, ignoring case. */
  forms(text: string): readonly string[];
}

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '\\$&');

const PLAIN: Spelling = {
  exact: (text) => [text],
  forms: (text) => [fold(text)],
};

/** `aliases` are the provider prefixes that the jar accepts besides its own. */
export function spellingOf(aliases: readonly string[]): Spelling {
  if (aliases.length === 0) return PLAIN;
  const spoken = new RegExp(`(^|/providers/)(?:${aliases.map(escaped).join('|')})\\.`, 'gi');
  const exact = (text: string): readonly string[] => {
    const canonical = text.replace(spoken, `$1${CANONICAL_PREFIX}.`);
    return canonical === text ? [text] : [text, canonical];
  };
  return { exact, forms: (text) => exact(text).map(fold) };
}
