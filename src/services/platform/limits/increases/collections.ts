import { collection, number, text } from '../../../../kernel/store/index.ts';

export const INCREASE_STATES = ['PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN'] as const;

/** A request to raise a limit that is not fixed. The key is its id. */
export interface LimitIncrease {
  readonly id: string;
  readonly accountId: string;
  /** The workspace of the request. */
  readonly workspaceId: string;
  /** The name of the limit. */
  readonly limit: string;
  /** The scope of the increase, by the parts of the limit's scope. */
  readonly scope: Readonly<Record<string, string>>;
  /** The effective value at the time of the request. */
  readonly current: number;
  readonly requested: number;
  readonly reason: string;
  readonly state: (typeof INCREASE_STATES)[number];
  readonly requestedBy: string;
  readonly requestedAt: number;
  readonly decidedAt?: number;
  /** For an approved request; may differ from the requested value. */
  readonly granted?: number;
  /** For a refused request. */
  readonly refusal?: string;
}

/** Limit and scope of a request. */
export const subjectOf = ({ limit, scope }: Pick<LimitIncrease, 'limit' | 'scope'>): string =>
  JSON.stringify([limit, scope]);

export const limitIncreases = collection<LimitIncrease>('platform.limit_increases', {
  fields: {
    account: text((it) => it.accountId),
    workspace: text((it) => it.workspaceId),
    limit: text((it) => it.limit),
    state: text((it) => it.state),
    requestedBy: text((it) => it.requestedBy),
    requestedAt: number((it) => it.requestedAt),
    decidedAt: number((it) => it.decidedAt),
    pending: text((it) => (it.state === 'PENDING' ? subjectOf(it) : undefined)),
  },
  indexes: [['account', 'requestedAt'], ['workspace', 'requestedAt'], ['requestedAt'], ['pending']],
});

export const INCREASE_COLLECTIONS = [limitIncreases] as const;
