import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  ApprovalRule,
  Collaborator,
  Review,
  Revision,
} from '../../../../src/services/platform/clean-rooms/collections.ts';
import {
  automaticReviews,
  mayRun,
  reviewStateOf,
  withReview,
} from '../../../../src/services/platform/clean-rooms/reviews.ts';

const ALIASES = ['a', 'b', 'c'] as const;
const alias = fc.constantFrom(...ALIASES);
const room = {
  collaborators: ALIASES.map(
    (each): Collaborator => ({
      alias: each,
      metastore: each,
      globalId: each,
      local: each,
      displayName: each,
    }),
  ),
};

const revision = (author: string, runners: readonly string[], reviews: readonly Review[]): Revision => ({
  asset: 'x',
  number: 1,
  etag: 'e',
  author,
  runners,
  contentLength: 1,
  updatedAt: 1,
  reviews,
});

const said = fc.record({
  reviewer: alias,
  state: fc.constantFrom('PENDING' as const, 'APPROVED' as const, 'REJECTED' as const),
});
const rule = fc.record({ owner: alias, author: fc.option(alias), runner: fc.option(alias) }).map(
  ({ owner, author, runner }): ApprovalRule => ({
    room: 'r',
    id: 'i',
    owner,
    ...(author !== null && { author }),
    ...(runner !== null && { runner }),
    createdAt: 1,
  }),
);

describe('reviews of a notebook', () => {
  it('the latest review of each collaborator counts: one rejection rejects, all but the author must approve', () => {
    fc.assert(
      fc.property(alias, fc.array(said), (author, words) => {
        const reviews = words.reduce<readonly Review[]>((all, each) => withReview(all, { ...each, createdAt: 1 }), []);
        const last = new Map(words.map(({ reviewer, state }) => [reviewer, state]));
        const states = ALIASES.filter((each) => each !== author).map((each) => last.get(each) ?? 'PENDING');
        const expected = states.some((state) => state === 'REJECTED')
          ? 'REJECTED'
          : states.every((state) => state === 'APPROVED')
            ? 'APPROVED'
            : 'PENDING';
        expect(reviewStateOf(room, revision(author, [], reviews))).toBe(expected);
      }),
    );
  });

  it('approvals by rules let each runner run a new version, and nothing runs against a rejection', () => {
    fc.assert(
      fc.property(alias, fc.uniqueArray(alias), fc.array(rule), said, (author, runners, rules, word) => {
        const automatic = automaticReviews(room, { author, runners }, rules, 1);
        expect(automatic.every(({ reviewer }) => reviewer !== author)).toBe(true);
        const fresh = revision(author, runners, automatic);
        if (reviewStateOf(room, fresh) === 'APPROVED')
          for (const runner of runners) expect(mayRun(room, fresh, [], runner)).toBe(true);
        const rejected = withReview(automatic, { ...word, state: 'REJECTED', createdAt: 1 });
        const isByOther = word.reviewer !== author;
        for (const runner of ALIASES)
          expect(mayRun(room, revision(author, runners, rejected), rules, runner) && isByOther).toBe(false);
      }),
    );
  });

  it('a rule never lets an author run what it wrote', () => {
    const rules = ALIASES.map((owner): ApprovalRule => ({ room: 'r', id: owner, owner, createdAt: 1 }));
    for (const author of ALIASES)
      for (const runner of ALIASES)
        expect(mayRun(room, revision(author, ALIASES, []), rules, runner)).toBe(author !== runner);
  });
});
