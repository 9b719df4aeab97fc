import { collection, set, text } from '../../../src/kernel/store/collection.ts';
import { membersOf } from '../../../src/kernel/store/document.ts';
import type { Json } from '../../../src/kernel/store/types.ts';

/** One collection as declared by four releases. */

export interface PersonBefore {
  readonly name: string;
}

export const before = collection<PersonBefore>('test.people', {
  cached: true,
  fields: { name: text((person) => person.name) },
  indexes: [['name']],
});

/** Members were added: documents of the earlier release can be read, and it can read the new ones. */
export interface PersonShared {
  readonly name: string;
  readonly initial: string;
  readonly tags: readonly string[];
}

export const shared = collection<PersonShared>('test.people', {
  cached: true,
  fields: {
    name: text((person) => person.name),
    initial: text((person) => person.initial),
    tags: set((person) => person.tags),
  },
  indexes: [['name'], ['initial']],
  version: 2,
  release: '0.2.0',
  sharedWith: { version: 1 },
  upgrade: addInitial,
});

function addInitial(document: Json): PersonShared {
  const { name } = membersOf(document);
  if (typeof name !== 'string') throw new TypeError('a person without a name');
  return { name, initial: name.charAt(0), tags: ['upgraded'] };
}

/** The name is split: the earlier release cannot read it, and the field that orders by it has another meaning. */
export interface PersonNow {
  readonly first: string;
  readonly last: string;
  readonly from: number;
}

export const now = collection<PersonNow>('test.people', {
  cached: true,
  fields: { name: text((person) => person.last) },
  indexes: [['name']],
  version: 3,
  release: '0.3.0',
  upgrade(document, from) {
    const { name } = from === 1 ? addInitial(document) : membersOf(document);
    if (typeof name !== 'string') throw new TypeError('a person without a name');
    const [first = '', last = ''] = name.split(' ');
    return { first, last, from };
  },
});
