import { useAddressParam, useGo, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Select } from '../../shared/ui/field.tsx';
import { WORKSPACE_PARAM } from './api.ts';

/** Chooses the workspace, if there are several. */
export function WorkspaceChoice() {
  const [section = 'jobs'] = useSegments('platform');
  const [workspace] = useAddressParam(WORKSPACE_PARAM);
  const go = useGo();
  const { data: all = [] } = useData(['platform', 'workspaces'], readWorkspaces, { on: ['/api/2.0/accounts'] });
  if (all.length < 2) return null;
  const chosen = workspace ?? all.find(({ isDefault }) => isDefault)?.workspaceId ?? '';
  return (
    <Select
      label="Workspace"
      hideLabel
      value={chosen}
      choices={all.map(({ workspaceId, name }) => ({ value: workspaceId, label: name }))}
      // What was open belongs to the other workspace.
      onChange={(id) => go(`/platform/${section}?${new URLSearchParams({ [WORKSPACE_PARAM]: id })}`)}
    />
  );
}

/** The workspaces of the tenant whose tokens the console uses: an answer names the default one. */
async function readWorkspaces(signal: AbortSignal) {
  const [{ value }, { headers }] = await Promise.all([
    dataOf(control.GET('/_jar/platform/workspaces', { signal })),
    askService('/api/2.0/preview/scim/v2/Me', { signal }),
  ]);
  const own = value.find(({ workspaceId }) => workspaceId === headers.get('x-databricks-org-id'));
  return value.filter(({ tenantId }) => tenantId === own?.tenantId);
}
