import { addressOf } from '../../shared/address.ts';
import { Failure } from '../../shared/api/failure.ts';
import { askService } from '../../shared/api/service.ts';
import { type Data, useData } from '../../shared/api/use-data.ts';
import type { RowOf } from '../../shared/list/pages.ts';
import type { Signal } from '../../shared/live/signals.ts';
import { type ApiModel, modelOf } from './metadata.ts';

export type Change = RowOf<'/_jar/business/changes'>;
export type Explanation = Change['subscriptions'][number];
export type LiveSubscription = RowOf<'/_jar/business/subscriptions'>;
export type RemovedSubscription = RowOf<'/_jar/business/subscriptions/removed'>;
export type Window = RowOf<'/_jar/business/windows'>;

/** A record of any set. */
export type BusinessRecord = Readonly<Record<string, unknown>> & { readonly '@odata.etag'?: string };

export interface Company {
  readonly id: string;
  readonly name: string;
}

export const ETAG = '@odata.etag';
export const STANDARD = 'v2.0';

/** Writes of records, whatever API they go through. */
export const WRITTEN: readonly Signal[] = ['/api', '/v2.0', 'changes'];
/** Notifications of changes are sent, retried and given up later. */
export const NOTIFIED: readonly Signal[] = [...WRITTEN, 'deliveries', 'work', 'clock'];

/** `v2.0`, or `publisher/group/version` of a custom API. */
export const apiPath = (api: string): string => `/api/${api}`;

export const setPath = (api: string, company: string, set: string): string =>
  `${apiPath(api)}/companies(${company})/${set}`;

export const recordPath = (api: string, company: string, set: string, key: string): string =>
  `${setPath(api, company, set)}(${encodeURIComponent(key)})`;

export const recordAddress = (api: string, company: string, set: string, ...key: readonly string[]): string =>
  addressOf('business', 'records', api, company, set, ...key);

export const changeAddress = (id: string): string => addressOf('business', 'changes', id);
export const subscriptionAddress = (id: string): string => addressOf('business', 'subscriptions', id);

export const useCompanies = (): Data<readonly Company[]> =>
  useData(
    ['business', 'companies'],
    async (signal) => (await askService<{ value: Company[] }>(`${apiPath(STANDARD)}/companies`, { signal })).body.value,
    { on: ['/_jar/snapshots'] },
  );

/** What an API serves: its sets with their properties. */
export const useModel = (api: string): Data<ApiModel> =>
  useData(['business', 'model', api], async (signal) =>
    modelOf((await askService<string>(`${apiPath(api)}/$metadata`, { signal })).body),
  );

/** The resources that support webhooks, such as `v2.0/customers`. They name the custom APIs too. */
export const useSupported = (company: string | undefined): Data<readonly string[]> =>
  useData(
    ['business', 'supported', company],
    async (signal) => {
      const path = `/api/vendor/runtime/beta/companies(${company})/webhookSupportedResources`;
      const { body } = await askService<{ value: { resource: string }[] }>(path, { signal });
      return body.value.map(({ resource }) => resource);
    },
    { enabled: company !== undefined },
  );

/** Errors of this API end with an id for the support of the real service. */
export const plainMessage = (message: string): string => message.replace(/\s+CorrelationId:.*$/s, '');

/** The failure with the query option that it is about as its target, as lists of the console expect it. */
export function withTarget(failure: Failure | undefined): Failure | undefined {
  if (!failure) return undefined;
  const message = plainMessage(failure.message);
  const option = /'(\$\w+)'/.exec(message)?.[1];
  return new Failure(failure.status, failure.code, message, failure.status === 400 ? (option ?? '$filter') : undefined);
}
