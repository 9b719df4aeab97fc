import type { Vault } from '../../auth/vault.ts';
import { readDocument } from '../../store/document.ts';
import type { Collection } from '../../store/types.ts';
import { isSecretName, REDACTED, redactText, redactValue } from '../../telemetry/redact.ts';
import type { Line } from '../content.ts';
import { replaceSealed } from '../sealed-values.ts';
import { type Difference, pathText, valueAt } from './differences.ts';
import { keyText, type Place } from './order.ts';

/** A changed member. Without `before` and `after` if their values are secret. */
export interface ChangedField {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: true;
}

/** The pattern of ids, hashes and codes, which keys derived from secrets look like. */
const MAY_BE_KEY = /[A-Za-z0-9_-]{32,}/g;
/** Longer values are cut, because an answer contains many. */
const LONGEST_SHOWN = 500;

/**
 * Decides what of a difference may be shown. Secret are sealed values, what the collection declares as secrets, members with secret names,
 * and keys that are secrets. Of a collection that this release does not have, no value is shown.
 */
export class Veil {
  readonly #vault: Vault;
  readonly #collections: ReadonlyMap<string, Collection<never>>;
  /** One short text for each credential. Documents come before due work and change records, which refer to them. */
  readonly #secretKeys = new Set<string>();

  constructor(vault: Vault, collections: ReadonlyMap<string, Collection<never>>) {
    this.#vault = vault;
    this.#collections = collections;
  }

  /** Call with every document, so that its key is recognized elsewhere if it is a secret. */
  note({ collection, key }: Place): void {
    if (this.#isSecretKeyed(collection)) this.#secretKeys.add(String(key));
  }

  key(place: Place): string {
    return this.#isSecretKeyed(place.collection) ? REDACTED : this.#text(keyText(place));
  }

  /** The same secret is sealed differently each time. */
  readonly sameText = (before: string, after: string): boolean =>
    before === after || this.#opened(before) === this.#opened(after);

  /** At most `most` of the differences between two lines of the same place. */
  fields(found: Iterable<Difference>, lines: readonly Line[], most: number): { fields: ChangedField[]; more: boolean } {
    const declared = lines.map((line) => this.#declared(line));
    const fields: ChangedField[] = [];
    for (const difference of found) {
      if (fields.length === most) return { fields, more: true };
      const path = this.#text(pathText(difference.path));
      const isSecret = this.#isSecret(difference) || declared.some((hides) => hides(difference.path));
      fields.push(isSecret ? { path, secret: true } : { path, ...this.#values(difference) });
    }
    return { fields, more: false };
  }

  #values({ before, after }: Difference): Pick<ChangedField, 'before' | 'after'> {
    return {
      ...(before !== undefined && { before: this.#value(before) }),
      ...(after !== undefined && { after: this.#value(after) }),
    };
  }

  #isSecret({ path, before, after }: Difference): boolean {
    const isNamed = path.some((step) => typeof step === 'string' && isSecretName(step));
    return isNamed || this.#hasSealed(before) || this.#hasSealed(after);
  }

  /** Returns whether a path of the document is, or contains, a secret that its collection declares. */
  #declared(line: Line): (path: Difference['path']) => boolean {
    if (line.of !== 'document') return () => false;
    const { collection: name, key, etag, body } = line;
    const collection = this.#collections.get(name);
    if (!collection) return () => true;
    const { secrets } = collection;
    if (!secrets) return () => false;
    try {
      const document = readDocument(collection, key, etag, body);
      const without = secrets.remove(document, this.#vault);
      return (path) => JSON.stringify(valueAt(without, path)) !== JSON.stringify(valueAt(document, path));
    } catch {
      // A document of a version that this release does not know.
      return () => true;
    }
  }

  #isSecretKeyed(collection: string): boolean {
    return this.#collections.get(collection)?.secrets?.secretKey === true;
  }

  #value(value: unknown): unknown {
    const shown = typeof value === 'string' ? this.#text(value) : this.#withoutKeys(redactValue(value));
    const text = typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '');
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)} [cut]` : shown;
  }

  #text(text: string): string {
    return redactText(this.#withoutSecretKeys(replaceSealed(text, this.#vault, () => REDACTED)));
  }

  #withoutKeys(value: unknown): unknown {
    const text = JSON.stringify(value);
    const without = this.#withoutSecretKeys(text);
    return without === text ? value : JSON.parse(without);
  }

  #withoutSecretKeys(text: string): string {
    if (this.#secretKeys.size === 0) return text;
    return text.replace(MAY_BE_KEY, (found) => (this.#secretKeys.has(found) ? REDACTED : found));
  }

  #hasSealed(value: unknown): boolean {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return replaceSealed(text, this.#vault, () => REDACTED) !== text;
  }

  #opened(text: string): string {
    return replaceSealed(text, this.#vault, (plain) => `sealed:${plain}`);
  }
}
