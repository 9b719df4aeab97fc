import { useData } from '../../../shared/api/use-data.ts';
import { Time } from '../../../shared/format/time.tsx';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { allPages, usePlatform } from '../api.ts';
import { CATALOG, CATALOG_CHANGE } from './api.ts';

interface Version {
  readonly version: number;
  readonly status: string;
  readonly source?: string;
  readonly comment?: string;
  readonly created_at?: number;
  readonly aliases?: readonly { readonly alias_name: string }[];
}

interface VersionPage {
  readonly model_versions?: readonly Version[];
  readonly next_page_token?: string;
}

/** The versions of a model of the catalog. */
export function ModelVersions({ fullName }: { readonly fullName: string }) {
  const platform = usePlatform();
  const path = `${CATALOG}/models/${encodeURIComponent(fullName)}/versions`;
  const versions = useData(
    [platform.key, 'model versions', fullName],
    (signal) =>
      allPages<VersionPage, Version>(
        (page_token) => platform.get(path, { page_token }, signal),
        ({ model_versions }) => model_versions,
      ),
    { on: CATALOG_CHANGE },
  );
  return (
    <Stack>
      <FailureNotice failure={versions.failure} what="The versions" />
      <Table
        label="Versions"
        items={versions.data?.rows ?? []}
        keyOf={({ version }) => String(version)}
        empty={versions.data && 'The model has no version yet.'}
        columns={[
          { title: 'Version', isNumber: true, cell: ({ version }) => version },
          { title: 'Status', cell: ({ status }) => <StateBadge state={status.toLowerCase()} /> },
          { title: 'Aliases', cell: ({ aliases = [] }) => aliases.map(({ alias_name }) => alias_name).join(', ') },
          { title: 'Source', cell: ({ source }) => source ?? '' },
          { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Stack>
  );
}
