import type { ApprovalRule, CentralRoom, Review, ReviewState, Revision } from './collections.ts';

/** Who has to approve what before it may run: pure rules over a revision and the collaborators of its clean room. */

type Parties = Pick<CentralRoom, 'collaborators'>;

/** Everybody but the author. */
const reviewersOf = ({ collaborators }: Parties, { author }: Pick<Revision, 'author'>): readonly string[] =>
  collaborators.map(({ alias }) => alias).filter((alias) => alias !== author);

const stateBy = ({ reviews }: Pick<Revision, 'reviews'>, reviewer: string): ReviewState =>
  reviews.find((each) => each.reviewer === reviewer)?.state ?? 'PENDING';

/** The state of all reviews together: one rejection rejects, and everybody but the author has to approve. */
export function reviewStateOf(room: Parties, revision: Pick<Revision, 'author' | 'reviews'>): ReviewState {
  const states = reviewersOf(room, revision).map((reviewer) => stateBy(revision, reviewer));
  if (states.includes('REJECTED')) return 'REJECTED';
  return states.every((state) => state === 'APPROVED') ? 'APPROVED' : 'PENDING';
}

/** A review in place of an earlier one of the same collaborator. */
export const withReview = (reviews: readonly Review[], review: Review): readonly Review[] => [
  ...reviews.filter(({ reviewer }) => reviewer !== review.reviewer),
  review,
];

const covers = (rule: ApprovalRule, author: string, runner: string): boolean =>
  (rule.author === undefined || rule.author === author) && (rule.runner === undefined || rule.runner === runner);

const isCovered = (rules: readonly ApprovalRule[], owner: string, author: string, runner: string): boolean =>
  author !== runner && rules.some((rule) => rule.owner === owner && covers(rule, author, runner));

/** What rules approve of a new revision: in the name of each collaborator whose rules cover every runner. */
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

/** Whether a collaborator may run a revision now: approved by all others, by themselves or by a rule for this runner that was made since. */
export function mayRun(room: Parties, revision: Revision, rules: readonly ApprovalRule[], runner: string): boolean {
  return reviewersOf(room, revision).every((reviewer) => {
    const state = stateBy(revision, reviewer);
    return state === 'APPROVED' || (state === 'PENDING' && isCovered(rules, reviewer, revision.author, runner));
  });
}
