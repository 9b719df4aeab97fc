import { useData } from '../../../shared/api/use-data.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Stack } from '../../../shared/ui/layout.tsx';
import { CodeBlock, FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { To } from '../place.tsx';
import { below, CATALOG_CHANGE, idOf, type Kind } from './api.ts';

/** What is in a catalog or schema. */
export function Contents({ kind, fullName }: { readonly kind: Kind; readonly fullName: string }) {
  const platform = usePlatform();
  const found = useData(
    [platform.key, 'contents', fullName],
    (signal) => below(platform, idOf(kind, fullName), signal),
    { on: CATALOG_CHANGE },
  );
  const isEmpty = found.data?.length === 0;
  return (
    <Stack>
      <FailureNotice failure={found.failure} what="The contents" />
      <Table
        label="Contents"
        items={found.data ?? []}
        keyOf={(each) => idOf(each.kind, each.fullName)}
        empty={found.data && 'It is empty. This makes the first object:'}
        columns={[
          { title: 'Name', cell: (each) => <To to={['catalog', each.kind, each.fullName]}>{each.name}</To> },
          { title: 'Kind', cell: (each) => each.kind },
        ]}
      />
      {isEmpty && <CodeBlock text={exampleFor(kind, fullName)} label="Copy the command" />}
    </Stack>
  );
}

function exampleFor(kind: Kind, fullName: string): string {
  const [catalog_name, schema_name] = fullName.split('.');
  const [list, body] =
    kind === 'catalog'
      ? (['schemas', { catalog_name, name: 'sales' }] as const)
      : (['volumes', { catalog_name, schema_name, name: 'landing', volume_type: 'MANAGED' }] as const);
  return `${CURL} ${location.origin}/api/2.1/unity-catalog/${list} -H "Authorization: Bearer $(npx cloudjar token)" \\\n  -d '${JSON.stringify(body)}'`;
}
