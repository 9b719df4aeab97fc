import type { Collection } from '../store/types.ts';
import { storable } from '../store/values.ts';
import { type Line, readLine } from './content.ts';
import { malformed } from './lines.ts';
import { Tally } from './tally.ts';

const COLLECTION_NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

/**
 * Holds every line of a file against what this jar would have written: a file that was accepted can be restored. As lines come in
 * the order of their keys, looking at the last one is enough to find what is there twice.
 */
export class ContentCheck {
  readonly tally = new Tally();
  readonly unknown = new Set<string>();
  readonly #collections: ReadonlyMap<string, Collection<never>>;
  readonly #seen = new Set<string>();
  #section = '';
  #last: Buffer | number | undefined;
  #lines = 1;

  constructor(collections: readonly Collection<never>[]) {
    this.#collections = new Map(collections.map((each) => [each.name, each]));
  }

  check(text: string): void {
    this.#lines += 1;
    const line = this.#read(text);
    if (line.of === 'document') this.#document(line, text);
    else if (line.of === 'work') {
      this.#follows('work', Buffer.from(String(line.row.id)));
      this.tally.work();
    } else {
      this.#follows('changes', line.row[0]);
      this.tally.change();
    }
  }

  #read(text: string): Line {
    let line: Line | undefined;
    try {
      line = readLine(text);
    } catch {
      // Not even JSON.
    }
    return line ?? this.#refuse('is neither a document, nor due work, nor a change record');
  }

  #document({ collection: name, key, etag, body }: Extract<Line, { of: 'document' }>, text: string): void {
    if (!COLLECTION_NAME.test(name)) this.#refuse(`has a collection of the name '${name.slice(0, 100)}'`);
    const collection = this.#collections.get(name);
    if (collection?.permanent) this.#refuse(`is of the collection '${name}', which is the jar's own`);
    if (storable(key) !== key || storable(etag) !== etag || etag === '') this.#refuse('has a key or etag of no use');
    let document: never;
    try {
      document = JSON.parse(body) as never;
    } catch {
      this.#refuse('has a document that is not JSON');
    }
    if (!text.endsWith(']')) this.#refuse('does not end as it should');
    try {
      for (const field of Object.values(collection?.fields ?? {})) field.of(document);
    } catch {
      this.#refuse(`has a document that does not fit the collection '${name}'`);
    }
    this.#follows(`documents of '${name}'`, Buffer.from(key));
    if (!collection) this.unknown.add(name);
    this.tally.document(name);
  }

  #follows(section: string, key: Buffer | number): void {
    if (section !== this.#section) {
      if (this.#seen.has(section)) this.#refuse(`goes back to the ${section}`);
      this.#seen.add(section);
      this.#section = section;
    } else if (!isLess(this.#last, key)) this.#refuse('is out of order or there twice');
    this.#last = key;
  }

  #refuse(why: string): never {
    throw malformed(`line ${this.#lines} ${why}`);
  }
}

function isLess(a: Buffer | number | undefined, b: Buffer | number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.compare(b) < 0;
}
