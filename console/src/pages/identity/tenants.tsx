import { CopyId } from '../../shared/ui/copy.tsx';
import { Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { useTenants } from './directory.ts';

export function Tenants() {
  const tenants = useTenants();
  return (
    <Stack>
      <FailureNotice failure={tenants.failure} what="The tenants" />
      <Table
        label="Tenants"
        items={tenants.data ?? []}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Tenant', cell: ({ displayName }) => displayName },
          { title: 'Domain', cell: ({ domain }) => domain },
          { title: 'Id', cell: ({ id }) => <CopyId id={id} length={36} /> },
        ]}
      />
    </Stack>
  );
}
