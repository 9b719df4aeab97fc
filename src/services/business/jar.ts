import type { Questions } from '../../kernel/delivery/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import type { Traces } from '../../kernel/traces/index.ts';
import type { Model } from './model/types.ts';
import type { ChangeTrace } from './notify/collections.ts';
import type { CompanyCache } from './sample/company-cache.ts';
import type { Settings } from './settings.ts';
import type { RequestQueues } from './throttle/queues.ts';
import type { OpenedSecrets } from './webhooks/secrets.ts';

export interface BusinessJar extends Jar {
  /** The standard APIs, and those that the configuration declares. */
  readonly model: Model;
  readonly settings: OpenSettings<Settings>;
  /** Outcomes of changes. */
  readonly traces: Traces<ChangeTrace>;
  readonly secrets: OpenedSecrets;
  /** Handshakes that a request on this node waits for. */
  readonly questions: Questions;
  /** Requests on this node that are queued by a concurrency limit. */
  readonly requestQueues: RequestQueues;
  /** Cache of the generated sample companies. */
  readonly companyCache: CompanyCache;
  /** Tenants whose companies are being created on this node. */
  readonly tenantsUnderWay: Map<string, Promise<void>>;
}

export type BusinessCall = Call<Call['params'], Call['query'], unknown, BusinessJar>;

export const { routeCode } = routesFor<BusinessJar>();
