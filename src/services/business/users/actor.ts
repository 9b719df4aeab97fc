/** Access of a user to records. */
export type Access = 'full' | 'read' | 'none';

/** The user of the application, with the properties that its rules need. */
export interface Actor {
  readonly tenantId: string;
  readonly objectId: string;
  readonly name: string;
  readonly kind: 'user' | 'application';
  /** Changes by a delegated administrator, who has no licence, are held until a licensed user makes a change. */
  readonly isDelegatedAdmin: boolean;
  /** Changes by a user who cannot schedule jobs are held until a user who can makes a change. */
  readonly canScheduleJobs: boolean;
  /** Default: full access. */
  readonly access?: Access;
  /** The user has more access; the token was requested with less. */
  readonly isLimitedByToken?: boolean;
}
