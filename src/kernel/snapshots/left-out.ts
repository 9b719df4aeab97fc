import { type Static, Type } from 'typebox';
import type { Collection } from '../store/types.ts';
import type { LeftOutSecrets } from './left-out-line.ts';

/** Maximum number of names shown in a list. */
const MOST_NAMES = 10;
const LONGEST_NAME = 200;

/** Part of the last line of a file without secrets: the documents that lost a secret. */
export const LeftOut = Type.Object({
  collection: Type.String({ maxLength: 200 }),
  /** The description from the release that wrote the file. */
  what: Type.Optional(Type.String({ maxLength: 200 })),
  count: Type.Integer({ minimum: 1 }),
  names: Type.Array(Type.String({ maxLength: LONGEST_NAME }), { maxItems: MOST_NAMES }),
});
export type LeftOut = Static<typeof LeftOut>;

export class LeftOutTally {
  readonly #found = new Map<string, { what: string; count: number; names: string[] }>();

  add(collection: string, what: string | undefined, name: string | undefined): void {
    const found = this.#found.get(collection) ?? { what: what ?? inWords(collection), count: 0, names: [] };
    this.#found.set(collection, found);
    found.count += 1;
    if (name !== undefined && found.names.length < MOST_NAMES) found.names.push(name.slice(0, LONGEST_NAME));
  }

  list(): LeftOut[] {
    return [...this.#found].map(([collection, found]) => ({ collection, ...found }));
  }
}

const inWords = (collection: string): string => `secrets in documents of ${collection}`;

/** Uses this release's descriptions if it knows the collection, otherwise those of the file. */
export function explainLeftOut(
  list: readonly LeftOut[],
  collections: ReadonlyMap<string, Collection<never>>,
): LeftOutSecrets[] {
  return list.map(({ collection, what: named = inWords(collection), count, names }) => {
    const { what, afterwards } = collections.get(collection)?.secrets ?? {
      what: named,
      afterwards: 'They are empty now: set them again where they are used',
    };
    return { what, count, names, afterwards };
  });
}
