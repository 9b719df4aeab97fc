/** Permissions on a dataset. `Explore` (build) allows querying it. */
export const PERMISSIONS = ['Read', 'Write', 'Reshare', 'Explore'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The access rights of the API and the permissions that each grants. */
export const DATASET_RIGHTS = {
  None: [],
  Read: ['Read'],
  ReadExplore: ['Read', 'Explore'],
  ReadReshare: ['Read', 'Reshare'],
  ReadReshareExplore: ['Read', 'Reshare', 'Explore'],
  ReadWrite: ['Read', 'Write'],
  ReadWriteExplore: ['Read', 'Write', 'Explore'],
  ReadWriteReshare: ['Read', 'Write', 'Reshare'],
  ReadWriteReshareExplore: ['Read', 'Write', 'Reshare', 'Explore'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

export type DatasetRight = keyof typeof DATASET_RIGHTS;

export const DATASET_RIGHT_NAMES = Object.keys(DATASET_RIGHTS) as DatasetRight[];

export const permissionsOf = (right: DatasetRight): readonly Permission[] => DATASET_RIGHTS[right];

/** The right with exactly these permissions. Every right but None includes Read. */
export function rightWith(permissions: ReadonlySet<Permission>): DatasetRight {
  const name = PERMISSIONS.filter((each) => permissions.has(each)).join('');
  return DATASET_RIGHT_NAMES.find((right) => right === name) ?? 'None';
}

/** The permissions of `wanted` that `held` lacks. */
export const lacking = (held: ReadonlySet<Permission>, wanted: readonly Permission[]): readonly Permission[] =>
  wanted.filter((each) => !held.has(each));
