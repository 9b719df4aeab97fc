import { control, dataOf } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import { useData } from '../../shared/api/use-data.ts';

const MOST = 50;
const query = { $top: MOST };

/** What exists in the jar for parameters of these names, so that a first request can be sent as it is. */
const KNOWN: readonly (readonly [RegExp, () => Promise<readonly string[]>])[] = [
  [
    /^subscriptionId$/i,
    async () => (await list('/_jar/resources/subscriptions')).map(({ subscriptionId }) => subscriptionId),
  ],
  [/^resourceGroupName$/i, async () => (await list('/_jar/resources/groups')).map(({ name }) => name)],
  [/^scope$/i, async () => (await list('/_jar/resources/groups')).map(({ id }) => id.slice(1))],
  [/^(user|userId|userPrincipalName)$/i, async () => (await list('/_jar/users')).map(({ username }) => username)],
  [/^tenant(Id)?$/i, async () => [...new Set((await list('/_jar/users')).map(({ tenantId }) => tenantId))]],
  [/^datasetId$/i, async () => (await list('/_jar/datasets')).map(({ id }) => id)],
  [/^company(Id)?$/i, companies],
];

async function companies(): Promise<readonly string[]> {
  const { body } = await askService<{ readonly value: readonly { readonly id: string }[] }>('/api/v2.0/companies');
  return body.value.map(({ id }) => id);
}

const TYPE = /\/providers\/([^/{}]+(?:\/[^/{}]+)?)\/\{(\w+)\}/;

/** The names of resources for the parameter behind their type: `…/providers/Vendor.EventGrid/topics/{topicName}`. */
async function resourceNames(path: string, parameter: string): Promise<readonly string[] | undefined> {
  const [, type, name] = TYPE.exec(path) ?? [];
  if (type === undefined || name !== parameter) return undefined;
  const $filter = `type eq '${type}'`;
  const { value } = await dataOf(control.GET('/_jar/resources', { params: { query: { ...query, $filter } } }));
  return value.map((row) => row.name);
}

type KnownList = '/_jar/resources/subscriptions' | '/_jar/resources/groups' | '/_jar/users' | '/_jar/datasets';

async function list<P extends KnownList>(path: P): Promise<readonly Row<P>[]> {
  const { value } = await dataOf(
    control.GET(path as '/_jar/users', { params: { query } }) as Promise<{ data?: { value: Row<P>[] } }>,
  );
  return value;
}

type Row<P extends KnownList> = import('../../shared/list/pages.ts').RowOf<P>;

/** Values for the parameters of a path, by their names. Nothing is a failure: they can be typed. */
export const useKnownValues = (path: string, names: readonly string[]) =>
  useData(['known-values', path], async () => {
    const found = await Promise.all(
      names.map(async (name) => {
        const read = KNOWN.find(([pattern]) => pattern.test(name))?.[1];
        const values = await Promise.resolve(resourceNames(path, name))
          .then((own) => own ?? read?.() ?? [])
          .catch(() => []);
        return [name, values] as const;
      }),
    );
    return Object.fromEntries(found) as Readonly<Record<string, readonly string[]>>;
  });
