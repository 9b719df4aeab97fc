import type { Vault } from '../auth/vault.ts';
import { newEtag, readDocument, stampOf } from '../store/document.ts';
import type { Collection } from '../store/types.ts';
import { isObject } from '../values/objects.ts';
import type { Counts } from './collections.ts';
import { type Line, lineOf, readLine } from './content.ts';
import { type LeftOut, LeftOutTally } from './left-out.ts';
import { malformed } from './lines.ts';
import { replaceSealed } from './sealed-values.ts';
import { Tally } from './tally.ts';

/** The width of the numbers that replace secret keys; the numbers keep the order of the keys. */
const NUMBER_DIGITS = 9;
/** The pattern of ids, hashes and codes, which keys derived from secrets look like. */
const MAY_BE_KEY = /[A-Za-z0-9_-]{32,}/g;
/** Far more than any real document has. Sealing this many blocks the process for a fraction of a second. */
const MOST_PLACEHOLDERS = 10_000;

/** Placeholders for sealed values in a file; they tell whether the value was a text or a JSON object. */
export const placeholders = (marker: string) => ({ text: `${marker}t`, object: `${marker}o` });

/** Differs between snapshots and is unpredictable, so that user text cannot be mistaken for a placeholder. */
export const markerOf = (sha256: string): string => `sealed${sha256.slice(0, 32)}`;

/**
 * Removes the secrets from the content of a snapshot, line by line. Documents come first, so that due work can be checked against their
 * keys.
 */
export class SecretsRemover {
  readonly #vault: Vault;
  readonly #collections: ReadonlyMap<string, Collection<never>>;
  readonly #placeholder: ReturnType<typeof placeholders>;
  readonly #counted = new Tally();
  readonly #leftOut = new LeftOutTally();
  /** Secret keys. One short text per credential is all that is kept in memory. */
  readonly #secretKeys = new Set<string>();
  #number = 0;

  constructor(vault: Vault, collections: ReadonlyMap<string, Collection<never>>, marker: string) {
    this.#vault = vault;
    this.#collections = collections;
    this.#placeholder = placeholders(marker);
  }

  /** Returns undefined if the line is left out. */
  line(text: string): string | undefined {
    const line = readLine(text);
    if (!line) return undefined;
    const left = line.of === 'document' ? this.#document(line, text) : this.#other(line.of, this.#unsealed(text));
    if (left === undefined) return undefined;
    if (line.of === 'document') this.#counted.document(line.collection);
    else this.#counted[line.of]();
    return left;
  }

  /** Counts the lines that `line` has returned. */
  counts(): Counts {
    return this.#counted.counts();
  }

  leftOut(): LeftOut[] {
    return this.#leftOut.list();
  }

  #other(of: 'row' | 'work' | 'change', text: string): string | undefined {
    if (of === 'row' || !this.#namesSecretKey(text)) return text;
    // Work for a removed credential is useless; a change record about it is still valid.
    return of === 'work' ? undefined : text.replace(MAY_BE_KEY, (key) => (this.#secretKeys.has(key) ? 'removed' : key));
  }

  #document(
    { collection: name, key, etag, body }: Extract<Line, { of: 'document' }>,
    text: string,
  ): string | undefined {
    const collection = this.#collections.get(name);
    const rule = collection?.secrets;
    if (!collection || !rule) {
      const plain = this.#unsealed(text);
      if (plain !== text) this.#leftOut.add(name, undefined, nameIn(body) ?? key);
      return plain;
    }
    const document = readDocument(collection, key, etag, body);
    const without = rule.remove(document, this.#vault);
    if (rule.secretKey) this.#secretKeys.add(key);
    if (without === document && !rule.secretKey) {
      const plain = this.#unsealed(text);
      if (plain !== text) this.#leftOut.add(name, rule.what, rule.name?.(document));
      return plain;
    }
    this.#leftOut.add(name, rule.what, rule.name?.(document));
    if (without === undefined) return undefined;
    const isCurrent = collection.version === 1 || etag.startsWith(stampOf(collection.version));
    return this.#unsealed(
      lineOf({
        of: 'document',
        collection: name,
        key: rule.secretKey ? String(this.#number++).padStart(NUMBER_DIGITS, '0') : key,
        etag: isCurrent ? etag : newEtag(collection),
        body: JSON.stringify(without),
      }),
    );
  }

  #unsealed(text: string): string {
    return replaceSealed(text, this.#vault, (plain) =>
      isObject(parsed(plain)) ? this.#placeholder.object : this.#placeholder.text,
    );
  }

  #namesSecretKey(text: string): boolean {
    return this.#secretKeys.size > 0 && (text.match(MAY_BE_KEY) ?? []).some((key) => this.#secretKeys.has(key));
  }
}

/** Makes content without secrets usable in this jar: generates new secrets where possible, otherwise sets empty ones. */
export class SecretsRenewer {
  readonly #vault: Vault;
  readonly #collections: ReadonlyMap<string, Collection<never>>;
  readonly #placeholder: ReturnType<typeof placeholders>;
  readonly #any: RegExp;

  /** `marker` consists of letters and digits. */
  constructor(vault: Vault, collections: ReadonlyMap<string, Collection<never>>, marker: string) {
    this.#vault = vault;
    this.#collections = collections;
    this.#placeholder = placeholders(marker);
    this.#any = new RegExp(`${marker}[ot]`, 'g');
  }

  line(text: string): string {
    let count = 0;
    const sealed = text.replace(this.#any, (found) => {
      count += 1;
      if (count > MOST_PLACEHOLDERS)
        throw malformed(`a line has more than ${MOST_PLACEHOLDERS} secrets that were left out`);
      return this.#vault.seal(found === this.#placeholder.object ? '{}' : '');
    });
    const line = readLine(sealed);
    if (line?.of !== 'document') return sealed;
    const collection = this.#collections.get(line.collection);
    const renew = collection?.secrets?.renew;
    if (!collection || !renew) return sealed;
    const document = readDocument(collection, line.key, line.etag, line.body);
    const [key, renewed] = renewedBy(() => renew(document, this.#vault, line.key), line);
    if (renewed === document && key === line.key) return sealed;
    const isCurrent = collection.version === 1 || line.etag.startsWith(stampOf(collection.version));
    const etag = isCurrent ? line.etag : newEtag(collection);
    return lineOf({ ...line, key, etag, body: JSON.stringify(renewed) });
  }
}

/** `renew` reads members that no field of the collection is computed from, so the validation of the file has not covered them. */
function renewedBy<Renewed>(renew: () => Renewed, { collection, key }: { collection: string; key: string }): Renewed {
  try {
    return renew();
  } catch {
    throw malformed(`the document '${key.slice(0, 100)}' of the collection '${collection}' was not written by a jar`);
  }
}

/** Most documents that people know have a member `name`. */
function nameIn(body: string): string | undefined {
  const document = parsed(body);
  return isObject(document) && typeof document.name === 'string' ? document.name : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
