import type { ApprovalRule, CentralRoom, Review, ReviewState, Revision } from './collections.ts';

/** Required approvals: pure functions of a revision and the collaborators of its clean room. */

type Parties = Pick<CentralRoom, 'collaborators'>;

/** All collaborators except the author. */
const reviewersOf = ({ collaborators }: Parties, { author }: Pick<Revision, 'author'>): readonly string[] =>
  collaborators.map(({ alias }) => alias).filter((alias) => alias !== author);

const stateBy = ({ reviews }: Pick<Revision, 'reviews'>, reviewer: string): ReviewState =>
  reviews.find((each) => each.reviewer === reviewer)?.state ?? 'PENDING';

/** The combined state of all reviews: one rejection rejects, and all collaborators except the author must approve. */
export function reviewStateOf(room: Parties, revision: Pick<Revision, 'author' | 'reviews'>): ReviewState {
  const states = reviewersOf(room, revision).map((reviewer) => stateBy(revision, reviewer));
  if (states.includes('REJECTED')) return 'REJECTED';
  return states.every((state) => state === 'APPROVED') ? 'APPROVED' : 'PENDING';
}

/** Adds a review, replacing an earlier one of the same collaborator. */
export const withReview = (reviews: readonly Review[], review: Review): readonly Review[] => [
  ...reviews.filter(({ reviewer }) => reviewer !== review.reviewer),
  review,
];

const covers = (rule: ApprovalRule, author: string, runner: string): boolean =>
  (rule.author === undefined || rule.author === author) && (rule.runner === undefined || rule.runner === runner);

const isCovered = (rules: readonly ApprovalRule[], owner: string, author: string, runner: string): boolean =>
  author !== runner && rules.some((rule) => rule.owner === owner && covers(rule, author, runner));

/** Reviews that approval rules give to a new revision: one for each collaborator whose rules cover all runners. */
export function automaticReviews(
  room: Parties,
  { author, runners }: Pick<Revision, 'author' | 'runners'>,
  rules: readonly ApprovalRule[],
  now: number,
): readonly Review[] {
  return reviewersOf(room, { author })
    .filter((owner) => runners.length > 0 && runners.every((runner) => isCovered(rules, owner, author, runner)))
    .map((reviewer) => ({ reviewer, state: 'APPROVED', createdAt: now, isAutomatic: true }));
}

/**
 * Whether a collaborator may run a revision now: every other collaborator has approved it, or has a rule for this runner, including rules
 * added later.
 */
export function mayRun(room: Parties, revision: Revision, rules: readonly ApprovalRule[], runner: string): boolean {
  return reviewersOf(room, revision).every((reviewer) => {
    const state = stateBy(revision, reviewer);
    return state === 'APPROVED' || (state === 'PENDING' && isCovered(rules, reviewer, revision.author, runner));
  });
}
