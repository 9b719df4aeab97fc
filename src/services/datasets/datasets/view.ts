import { Type } from 'typebox';
import { isoTime } from '../../../kernel/time/index.ts';
import { isPersonal } from '../collections.ts';
import { placePath } from '../context.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset } from '../model/types.ts';

const Dataflow = Type.Object({ groupId: Type.String(), targetDataflowId: Type.String() });

export const DatasetView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  webUrl: Type.String(),
  addRowsAPIEnabled: Type.Boolean(),
  configuredBy: Type.String(),
  isRefreshable: Type.Boolean(),
  isEffectiveIdentityRequired: Type.Boolean(),
  isEffectiveIdentityRolesRequired: Type.Boolean(),
  isOnPremGatewayRequired: Type.Boolean(),
  isInPlaceSharingEnabled: Type.Boolean(),
  contentProviderType: Type.String(),
  targetStorageMode: Type.String(),
  createdDate: Type.String(),
  createReportEmbedURL: Type.String(),
  qnaEmbedURL: Type.String(),
  upstreamDataflows: Type.Array(Dataflow),
  users: Type.Array(Type.Unknown()),
  queryScaleOutSettings: Type.Object({
    autoSyncReadOnlyReplicas: Type.Boolean(),
    maxReadOnlyReplicas: Type.Integer(),
  }),
  encryption: Type.Optional(Type.Object({ EncryptionStatus: Type.String() })),
});

/** Streaming datasets also accept rows through the API, so `addRowsAPIEnabled` is true for every mode. */
export function datasetView(call: DatasetsCall, dataset: Dataset) {
  const { id, name, description, configuredBy, targetStorageMode, createdAt } = dataset;
  const { upstreamDataflows, queryScaleOutSettings } = dataset;
  const { origin } = call;
  // The dataset's own workspace, because the URL may name none.
  const folder = isPersonal(dataset.workspace) ? 'me' : dataset.workspace;
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    webUrl: `${origin}/groups/${folder}/datasets/${id}`,
    addRowsAPIEnabled: true,
    configuredBy,
    isRefreshable: false,
    isEffectiveIdentityRequired: false,
    isEffectiveIdentityRolesRequired: false,
    isOnPremGatewayRequired: false,
    isInPlaceSharingEnabled: false,
    contentProviderType: 'RealTimeInPushMode',
    targetStorageMode,
    createdDate: isoTime(createdAt),
    createReportEmbedURL: `${origin}/reportEmbed?datasetId=${id}`,
    qnaEmbedURL: `${origin}/qnaEmbed?datasetId=${id}`,
    upstreamDataflows,
    users: [],
    queryScaleOutSettings,
  };
}

export const datasetAddress = (call: DatasetsCall, id: string): string => `${placePath(call)}/datasets/${id}`;
