import type { Resource } from '../../../kernel/arm/index.ts';
import { collection } from '../../../kernel/store/index.ts';
import type { SealedSecrets } from '../collections.ts';

/** A revision of a container group profile, created by one PUT. */
export interface ProfileRevision {
  revision: number;
  resource: Resource;
  secrets?: SealedSecrets;
}

/** Keyed by `revisionKey`, which sorts the newest revision of a profile first. */
export const profileRevisions = collection<ProfileRevision>('containers.profile_revisions', {
  secrets: {
    what: 'secure values of container group profiles',
    afterwards:
      'Groups that are created from a profile have no secure variables, secret volumes or registry passwords: PUT the profile with them again',
    remove: ({ secrets: _, ...rest }) => rest,
  },
});

const LAST = 9_999_999_999;

export const revisionsOf = (profileKey: string): string => `${profileKey}/revisions/`;

export const revisionKey = (profileKey: string, revision: number): string =>
  `${revisionsOf(profileKey)}${String(LAST - revision).padStart(10, '0')}`;
