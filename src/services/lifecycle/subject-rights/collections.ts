import { collection, type Json, text } from '../../../kernel/store/index.ts';

export const STATUSES = ['None', 'Created', 'Queued', 'InProgress', 'Completed', 'Failed'] as const;
export type Status = (typeof STATUSES)[number];

/** What people may ask for about themselves: a copy of what is known of them, or that it be deleted. */
export interface SubjectRequest {
  /** The receipt. */
  readonly token: string;
  readonly kind: 'export' | 'delete';
  readonly userId: string;
  /** To recognize the address by that whoever asks about a deletion has to name, once the address itself is gone. */
  readonly emailHash: string;
  readonly createdAt: string;
  readonly status: Status;
  readonly message: string;
  /** Of an export: until when it can be fetched. */
  readonly expiresAt?: string;
}

/** By their tokens. */
export const subjectRequests = collection<SubjectRequest>('lifecycle.subject_requests', {
  fields: {
    userId: text(({ userId }) => userId),
    kind: text(({ kind }) => kind),
    status: text(({ status }) => status),
  },
  indexes: [['userId', 'kind']],
});

/** What was exported, by the token of the request. */
export const subjectExports = collection<{ readonly data: Json }>('lifecycle.subject_exports', { wide: true });

export const SUBJECT_COLLECTIONS = [subjectRequests, subjectExports];
