import type { CatalogApi } from './catalog.ts';
import type { OperationRow } from './operations.ts';

/** A shell command to copy. The reader fills in `{names}`; the command line fetches the credential. */
export function curlOf(row: OperationRow, api: CatalogApi, origin: string): string {
  const { method, path, body } = row;
  const query = row.parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, type }) => `${name}=${/^"([^"]*)"/.exec(type)?.[1] ?? `{${name}}`}`)
    .join('&');
  const parts = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`} "${origin}${path}${query === '' ? '' : `?${query}`}"`,
    ...credential(row, api),
    ...(body ? [`-H "Content-Type: ${body.type || 'application/json'}"`, "-d '{}'"] : []),
  ];
  return parts.join(' \\\n  ');
}

function credential({ credentials }: OperationRow, { name, document }: CatalogApi): string[] {
  const [first] = credentials;
  if (first === undefined) return [];
  if (first === 'adminKey') return ['-H "Authorization: Bearer $(cat .cloudjar/admin.key)"'];
  const schemes = document.components.securitySchemes as Readonly<Record<string, { readonly type?: string }>>;
  if (schemes[first]?.type === 'apiKey') return [`-H "${first}: $(npx cloudjar keys ${name})"`];
  return ['-H "Authorization: Bearer $(npx cloudjar token)"'];
}
