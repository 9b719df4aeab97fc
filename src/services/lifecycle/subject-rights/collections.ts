import { collection, type Json, text } from '../../../kernel/store/index.ts';

export const STATUSES = ['None', 'Created', 'Queued', 'InProgress', 'Completed', 'Failed'] as const;
export type Status = (typeof STATUSES)[number];

/** Requests of data subjects: export or deletion of their data. */
export interface SubjectRequest {
  /** The receipt, which is also the id. */
  readonly token: string;
  readonly kind: 'export' | 'delete';
  readonly userId: string;
  /** Identifies the account's address after the address itself is deleted; a query for a deletion must name the address. */
  readonly emailHash: string;
  readonly createdAt: string;
  readonly status: Status;
  readonly message: string;
  /** Exports only: when the download expires. */
  readonly expiresAt?: string;
}

/** Keyed by token. */
export const subjectRequests = collection<SubjectRequest>('lifecycle.subject_requests', {
  fields: {
    userId: text(({ userId }) => userId),
    kind: text(({ kind }) => kind),
    status: text(({ status }) => status),
  },
  indexes: [['userId', 'kind']],
});

/** Exported data, keyed by the token of the request. */
export const subjectExports = collection<{ readonly data: Json }>('lifecycle.subject_exports', { wide: true });

export const SUBJECT_COLLECTIONS = [subjectRequests, subjectExports];
