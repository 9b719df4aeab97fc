import { plainUrl } from '../../../../kernel/delivery/index.ts';
import { collection, number, set, text } from '../../../../kernel/store/index.ts';
import type { RegistryEvent } from './events.ts';

export type WebhookStatus = 'ACTIVE' | 'DISABLED' | 'TEST_MODE';

/** A webhook of the platform's registry. The key is `webhookKey`. */
export interface RegistryWebhook {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  /** Absent: the webhook subscribes to all models of the workspace. */
  readonly modelId?: string;
  readonly events: readonly RegistryEvent[];
  readonly description?: string;
  readonly status: WebhookStatus;
  readonly target: HttpTarget | JobTarget;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  readonly verifiesCertificate: boolean;
  /** Value of the `Authorization` header, sealed. */
  readonly authorization?: string;
  /** Key that signs the bodies, sealed. */
  readonly secret?: string;
}

export interface JobTarget {
  readonly kind: 'job';
  readonly jobId: string;
  /** Absent: the workspace of the webhook. */
  readonly workspaceUrl?: string;
  /** Sealed. */
  readonly accessToken: string;
}

/** Index value of the subscription: `<workspace>/<model>`, or `<workspace>/` for all models. */
export const placeOf = (workspaceId: string, modelId = ''): string => `${workspaceId}/${modelId}`;

export const webhooks = collection<RegistryWebhook>('platform.registry_webhooks', {
  fields: {
    workspace: text((it) => it.workspaceId),
    place: text(({ workspaceId, modelId }) => placeOf(workspaceId, modelId)),
    events: set((it) => it.events),
    status: text((it) => it.status),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['place'], ['workspace', 'createdAt']],
  secrets: {
    what: 'secrets of registry webhooks',
    afterwards:
      'They are removed: until the webhooks are updated bodies are not signed, no authorization is sent, and addresses have no query',
    name: ({ id, description = id }) => description,
    remove(webhook) {
      if (webhook.target.kind === 'job') return webhook;
      const { authorization, secret, ...target } = webhook.target;
      const url = plainUrl(target.url);
      const isPlain = authorization === undefined && secret === undefined && url === target.url;
      return isPlain ? webhook : { ...webhook, target: { ...target, url } };
    },
  },
});

export const webhookKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** A webhook of the open-source API, which always subscribes to all models. */
export interface OpenWebhook {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly name: string;
  readonly description?: string;
  readonly url: string;
  /** For example `MODEL_VERSION/CREATED`. */
  readonly events: readonly string[];
  /** Sealed. */
  readonly secret?: string;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const openWebhooks = collection<OpenWebhook>('platform.mlflow_webhooks', {
  fields: {
    workspace: text((it) => it.workspaceId),
    events: set((it) => it.events),
    status: text((it) => it.status),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['workspace', 'createdAt']],
  secrets: {
    what: 'secrets of model webhooks',
    afterwards: 'They are removed: until the webhooks are updated bodies are not signed, and addresses have no query',
    name: ({ name }) => name,
    remove: (webhook) => {
      const { secret, ...rest } = webhook;
      const url = plainUrl(rest.url);
      return secret === undefined && url === rest.url ? webhook : { ...rest, url };
    },
  },
});

export const WEBHOOK_COLLECTIONS = [webhooks, openWebhooks] as const;
