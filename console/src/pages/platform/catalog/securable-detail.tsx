import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { usePlatform } from '../api.ts';
import { useGoTo } from '../place.tsx';
import { capitalised } from '../words.ts';
import { below, CATALOG, CATALOG_CHANGE, idOf, type Kind, LISTS, type Securable } from './api.ts';
import { Contents } from './contents.tsx';
import { ModelVersions } from './model-versions.tsx';
import { TableColumns } from './table-columns.tsx';
import { TableRows } from './table-rows.tsx';
import { VolumeFiles } from './volume-files.tsx';

interface Props {
  readonly kind: Kind;
  readonly fullName: string;
}

/** One object of the catalog: what is in it, and who may use it. */
export function SecurableDetail({ kind, fullName }: Props) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const goTo = useGoTo();
  const path = `${CATALOG}/${LISTS[kind]}/${encodeURIComponent(fullName)}`;
  const read = useData([platform.key, kind, fullName], (signal) => platform.get<Securable>(path, {}, signal), {
    on: CATALOG_CHANGE,
  });
  const remove = useRemoval(
    async () => {
      const isFull =
        (kind === 'catalog' || kind === 'schema') &&
        (await below(platform, idOf(kind, fullName), new AbortController().signal)).length > 0;
      return platform.send('DELETE', isFull ? `${path}?force=true` : path);
    },
    { done: `${fullName} was deleted.`, after: () => goTo('catalog') },
  );
  const { data } = read;
  if (!data)
    return (
      <Detail kind={capitalised(kind)} title={fullName} failure={read.failure}>
        {null}
      </Detail>
    );
  const holds = kind === 'catalog' || kind === 'schema';
  return (
    <Detail
      kind={capitalised(kind)}
      title={fullName}
      failure={read.failure}
      badges={<Badges securable={data} />}
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={holds ? `Delete ${fullName} with everything in it?` : `Delete ${fullName}?`}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Tabs
        label={capitalised(kind)}
        tabs={[
          holds && { id: 'contents', title: 'Contents', content: () => <Contents kind={kind} fullName={fullName} /> },
          kind === 'table' && { id: 'columns', title: 'Columns', content: () => <TableColumns table={data} /> },
          kind === 'table' && { id: 'rows', title: 'Rows', content: () => <TableRows fullName={fullName} /> },
          kind === 'volume' && { id: 'files', title: 'Files', content: () => <VolumeFiles fullName={fullName} /> },
          kind === 'model' && {
            id: 'versions',
            title: 'Versions',
            content: () => <ModelVersions fullName={fullName} />,
          },
          { id: 'about', title: 'About', content: () => <About securable={data} /> },
          { id: 'grants', title: 'Grants', content: () => <Grants kind={kind} fullName={fullName} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function Badges({ securable }: { readonly securable: Securable }) {
  const words = ['catalog_type', 'table_type', 'data_source_format', 'volume_type', 'data_type'].flatMap(
    (member) => text(securable[member]) ?? [],
  );
  return words.map((word) => <Badge key={word}>{word.toLowerCase().replaceAll('_', ' ')}</Badge>);
}

function About({ securable }: { readonly securable: Securable }) {
  const { owner, comment, created_at, created_by, updated_at, properties } = securable;
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Owner', value: owner },
          { label: 'Comment', value: comment },
          { label: 'Storage', value: text(securable.storage_location) ?? text(securable.storage_root) },
          { label: 'View', value: text(securable.view_definition) },
          { label: 'Created', value: <Time at={created_at} /> },
          { label: 'Created by', value: created_by },
          { label: 'Changed', value: <Time at={updated_at} /> },
        ]}
      />
      {properties !== undefined && <JsonView value={properties} />}
    </Stack>
  );
}

interface Grant {
  readonly principal: string;
  readonly privileges: readonly { readonly privilege: string; readonly inherited_from_name?: string }[];
}

/** Models are functions for the permissions of the catalog. */
const GRANTED: Readonly<Partial<Record<Kind, string>>> = { model: 'function' };

function Grants({ kind, fullName }: Props) {
  const platform = usePlatform();
  const path = `${CATALOG}/effective-permissions/${GRANTED[kind] ?? kind}/${encodeURIComponent(fullName)}`;
  const grants = useData(
    [platform.key, 'grants', kind, fullName],
    (signal) => platform.get<{ readonly privilege_assignments?: readonly Grant[] }>(path, {}, signal),
    { on: CATALOG_CHANGE },
  );
  const rows = (grants.data?.privilege_assignments ?? []).flatMap(({ principal, privileges }) =>
    privileges.map((privilege) => ({ principal, ...privilege })),
  );
  return (
    <Stack>
      <FailureNotice failure={grants.failure} what="The grants" />
      <Table
        label="Grants"
        items={rows}
        keyOf={({ principal, privilege, inherited_from_name = '' }) =>
          `${principal} ${privilege} ${inherited_from_name}`
        }
        empty={grants.data && 'Nobody but the owner and the administrators may use it.'}
        columns={[
          { title: 'Who', cell: ({ principal }) => principal },
          { title: 'May', cell: ({ privilege }) => privilege.toLowerCase().replaceAll('_', ' ') },
          { title: 'Granted on', cell: ({ inherited_from_name: name }) => name ?? fullName },
        ]}
      />
    </Stack>
  );
}
