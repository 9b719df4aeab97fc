/** What somebody may do with records. */
export type Access = 'full' | 'read' | 'none';

/** Who works with the application, as far as its rules ask. */
export interface Actor {
  readonly tenantId: string;
  readonly objectId: string;
  readonly name: string;
  readonly kind: 'user' | 'application';
  /** Changes by a delegated administrator, who has no licence, are notified with those of somebody who has one. */
  readonly isDelegatedAdmin: boolean;
  /** Changes by somebody who cannot schedule jobs wait for somebody who can. */
  readonly canScheduleJobs: boolean;
  /** Everything unless given. */
  readonly access?: Access;
  /** The person may do more than that; it is the token that was asked for with less. */
  readonly isLimitedByToken?: boolean;
}
