import { type Static, Type } from 'typebox';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { eq, readAll, type Store } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import {
  dataSets,
  invitations,
  type Share,
  type SynchronizationSetting,
  shareSubscriptions,
  shares,
  synchronizationSettings,
} from '../collections.ts';
import { routeCode } from '../jar.ts';
import { LOCATED, locate, OWNER } from './owner.ts';

const Optional = Type.Optional;
const Count = Type.Integer();
const Whole = { type: 'Edm.Int64' } as const;

const ShareView = Type.Object({
  ...OWNER,
  shareKind: Type.String(),
  description: Optional(Type.String()),
  terms: Optional(Type.String()),
  dataSets: Count,
  pendingInvitations: Count,
  consumers: Count,
  recurrenceInterval: Optional(Type.String()),
  synchronizationTime: Optional(Type.String()),
});

/** A share with what belongs to it. */
interface Seen extends Share {
  readonly parts: Parts;
}

const shape = entityShape<Share>({
  name: 'shares',
  collection: shares,
  properties: {
    ...LOCATED,
    shareKind: { type: { members: ['CopyBased', 'InPlace'] } },
    description: { type: 'Edm.String' },
    terms: { type: 'Edm.String' },
    dataSets: { ...Whole, read: ({ parts }: Seen) => parts.dataSets },
    pendingInvitations: { ...Whole, read: ({ parts }: Seen) => parts.pendingInvitations },
    consumers: { ...Whole, read: ({ parts }: Seen) => parts.consumers },
    recurrenceInterval: { type: 'Edm.String', read: ({ parts }: Seen) => parts.setting?.recurrenceInterval },
    synchronizationTime: { type: 'Edm.DateTimeOffset', read: ({ parts }: Seen) => parts.setting?.synchronizationTime },
  },
  scan: 'bounded',
});

export const listShares = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(ShareView) },
  handle: (call) => {
    const { store } = call.jar;
    return listAnswer(call, {
      shape,
      seen: async ({ value }) => ({ ...value, parts: await partsOf(store, value) }),
      view: async ({ value }) => viewOf(value, await partsOf(store, value)),
    });
  },
});

interface Parts {
  readonly dataSets: number;
  readonly pendingInvitations: number;
  readonly consumers: number;
  readonly setting: SynchronizationSetting | undefined;
}

/** Quotas bound the number of each. */
async function partsOf(store: Store, { uid }: Share): Promise<Parts> {
  const prefix = `${uid}/`;
  const [sets, invited, consumers, settings] = await Promise.all([
    readAll(store, dataSets, { prefix }),
    readAll(store, invitations, { prefix }),
    readAll(store, shareSubscriptions, { filter: eq('share', uid) }),
    readAll(store, synchronizationSettings, { prefix }),
  ]);
  return {
    dataSets: sets.length,
    pendingInvitations: invited.filter(({ value }) => value.status === 'Pending').length,
    consumers: consumers.length,
    setting: settings[0]?.value,
  };
}

function viewOf(share: Share, { setting, ...counts }: Parts): Static<typeof ShareView> {
  const { shareKind, description, terms, createdAt } = share;
  return {
    ...locate(share),
    createdAt: isoTime(createdAt),
    shareKind,
    ...(description !== undefined && { description }),
    ...(terms !== undefined && { terms }),
    ...counts,
    ...(setting && {
      recurrenceInterval: setting.recurrenceInterval,
      synchronizationTime: isoTime(setting.synchronizationTime),
    }),
  };
}
