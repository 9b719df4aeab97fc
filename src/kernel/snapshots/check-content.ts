import { readDocument } from '../store/document.ts';
import { mistakeInRow } from '../store/typed/captured.ts';
import { mistakeIn, tableDefinitions } from '../store/typed/definitions.ts';
import type { TableDefinition } from '../store/typed/types.ts';
import type { ChangeRow, Collection, WorkRow } from '../store/types.ts';
import { storable } from '../store/values.ts';
import { isJson, type Line, readLine } from './content.ts';
import { malformed } from './lines.ts';
import { Tally } from './tally.ts';

/** The greatest time that a Date can represent, in milliseconds. */
const FURTHEST_TIME = 8.64e15;
/** Numbering continues after the numbers of a file, so they must leave room for more. */
const GREATEST_NUMBER = 2 ** 52;
/** The greatest number of attempts that both engines can store. */
const MOST_ATTEMPTS = 2 ** 31 - 1;
const COLLECTION_NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

/**
 * Validates every line of a file against what this jar would have written: a file that passes can be restored. Lines are sorted by key, so
 * comparing each with the previous one finds duplicates.
 */
export class ContentCheck {
  readonly tally = new Tally();
  readonly unknown = new Set<string>();
  readonly #collections: ReadonlyMap<string, Collection<never>>;
  readonly #tables = new Map<string, TableDefinition>();
  readonly #seen = new Set<string>();
  #section = '';
  #last: Buffer | number | undefined;
  #lines = 1;

  constructor(collections: ReadonlyMap<string, Collection<never>>) {
    this.#collections = collections;
  }

  check(text: string): void {
    this.#lines += 1;
    const line = this.#read(text);
    if (line.of === 'document') this.#document(line, text);
    else if (line.of === 'row') this.#row(line);
    else if (line.of === 'work') {
      if (!isWorkOfAJar(line.row)) this.#refuse('has due work that is not valid');
      this.#follows('work', Buffer.from(String(line.row.id)));
      this.tally.work();
    } else {
      if (!isChangeOfAJar(line.row)) this.#refuse('has a change record that is not valid');
      this.#follows('changes', line.row[0]);
      this.tally.change();
    }
  }

  #read(text: string): Line {
    let line: Line | undefined;
    try {
      line = readLine(text);
    } catch {
      // The line is not even JSON.
    }
    return line ?? this.#refuse('is neither a document, nor a row, nor due work, nor a change record');
  }

  #document({ collection: name, key, etag, body }: Extract<Line, { of: 'document' }>, text: string): void {
    if (!COLLECTION_NAME.test(name)) this.#refuse(`has '${name.slice(0, 100)}' as the name of a collection`);
    const collection = this.#collections.get(name);
    if (collection?.permanent) this.#refuse(`is of the collection '${name}', which is the jar's own`);
    if (storable(key) !== key || storable(etag) !== etag || etag === '')
      this.#refuse('has a key or etag that is not valid');
    // Documents of known collections are parsed below.
    if (!collection && !isJson(body)) this.#refuse('has a document that is not JSON');
    if (!text.endsWith(']')) this.#refuse('has no valid end');
    try {
      if (collection) {
        const document = readDocument(collection, key, etag, body);
        if (name === tableDefinitions.name) this.#define(key, document);
        for (const field of Object.values(collection.fields)) field.of(document);
      }
    } catch {
      if (!isJson(body)) this.#refuse('has a document that is not JSON');
      this.#refuse(`has a document that does not fit the collection '${name}'`);
    }
    this.#follows(`documents of '${name}'`, Buffer.from(key));
    if (!collection) this.unknown.add(name);
    this.tally.document(name);
  }

  #define(key: string, definition: TableDefinition): void {
    if (mistakeIn(definition) !== undefined || definition.name !== key)
      throw new TypeError('it is not a valid table definition');
    this.#tables.set(key, definition);
  }

  #row({ table, row }: Extract<Line, { of: 'row' }>): void {
    const definition = this.#tables.get(table);
    if (!definition) this.#refuse(`is of the table '${table.slice(0, 100)}', which is not defined before it`);
    const mistake = mistakeInRow(definition, row);
    if (mistake !== undefined) this.#refuse(`does not fit the table '${table}': ${mistake}`);
    if (row[0] > GREATEST_NUMBER) this.#refuse('has a number that leaves no room for more rows');
    this.#follows(`rows of '${table}'`, row[0]);
    this.tally.row();
  }

  #follows(section: string, key: Buffer | number): void {
    if (section !== this.#section) {
      if (this.#seen.has(section)) this.#refuse(`goes back to the ${section}`);
      this.#seen.add(section);
      this.#section = section;
    } else if (!isLess(this.#last, key)) this.#refuse('is out of order or a duplicate');
    this.#last = key;
  }

  #refuse(why: string): never {
    throw malformed(`line ${this.#lines} ${why}`);
  }
}

function isWorkOfAJar({ id, kind, payload, reason = null, due_at, seq, attempts }: WorkRow): boolean {
  const texts = [id, kind, payload].every(isStorable) && (reason === null || isStorable(reason));
  const counted = Number.isInteger(attempts) && Number(attempts) >= 0 && Number(attempts) <= MOST_ATTEMPTS;
  return texts && counted && isTime(due_at) && Number(seq) <= GREATEST_NUMBER;
}

function isChangeOfAJar([number, source, kind, subject, outcome, at, data]: ChangeRow): boolean {
  return [source, kind, subject, outcome, data].every(isStorable) && isTime(at) && number <= GREATEST_NUMBER;
}

const isStorable = (value: unknown): boolean => typeof value === 'string' && storable(value) === value;
const isTime = (value: unknown): boolean => Math.abs(Number(value)) <= FURTHEST_TIME;

function isLess(a: Buffer | number | undefined, b: Buffer | number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.compare(b) < 0;
}
